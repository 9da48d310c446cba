#include "common/copy.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "common/box.hpp"
#include "common/types.hpp"

namespace squall::io {

bool converts(Type from, Type to) {
    const auto letters = [](Type t) { return t == Type::character || t == Type::text; };
    if (from == to) return true;
    if (letters(from) || letters(to)) return false;
    if (to == Type::f32 || to == Type::f64) return true;
    if (from == Type::f32 || from == Type::f64) return false;
    // Among whole numbers: where every one of them fits.
    return size_of(from) < size_of(to);
}

namespace {

/// A row or a nest of rows with strides.
template <class From, class To> struct Copier {
    const std::vector<std::int64_t> &count;
    const Strides &from_strides, &to_strides;

    void run(const From *from, To *to, std::size_t d) const {
        if (d == count.size()) {
            *to = static_cast<To>(*from);
        } else if (d + 1 == count.size()) {
            row(from, to, d);
        } else {
            for (std::int64_t n = 0; n < count[d]; ++n)
                run(from + n * from_strides[d], to + n * to_strides[d], d + 1);
        }
    }

    void row(const From *from, To *to, std::size_t d) const {
        const auto n = count[d];
        const auto fs = from_strides[d], ts = to_strides[d];
        if (fs == 1 && ts == 1)
            std::transform(from, from + n, to, [](From x) { return static_cast<To>(x); });
        else
            for (std::int64_t i = 0; i < n; ++i) to[i * ts] = static_cast<To>(from[i * fs]);
    }
};

} // namespace

void copy_points(const std::vector<std::int64_t> &count, const void *from, Type from_type,
                 Strides from_strides, void *to, Type to_type, Strides to_strides) {
    if (volume({{}, count}) == 0) return;
    if (from_strides.empty()) from_strides = contiguous(count);
    if (to_strides.empty()) to_strides = contiguous(count);
    with_element(from_type, [&](auto f) {
        with_element(to_type, [&](auto t) {
            using From = decltype(f);
            using To = decltype(t);
            Copier<From, To>{count, from_strides, to_strides}.run(static_cast<const From *>(from),
                                                                  static_cast<To *>(to), 0);
        });
    });
}

void copy_part(const Box &part, const Box &from_box, const void *from, const Box &to_box, void *to,
               Type type) {
    const auto size = static_cast<std::ptrdiff_t>(size_of(type));
    copy_points(part.count, static_cast<const std::byte *>(from) + size * offset_in(from_box, part.start),
                type, contiguous(from_box.count),
                static_cast<std::byte *>(to) + size * offset_in(to_box, part.start), type,
                contiguous(to_box.count));
}

void fill_points(void *to, Type type, std::int64_t n, double value) {
    with_element(type, [&](auto t) {
        using To = decltype(t);
        std::fill_n(static_cast<To *>(to), n, static_cast<To>(value));
    });
}

void gather_points(const std::vector<std::int64_t> &rows, const std::vector<std::int64_t> &at,
                   const void *from, Type from_type, void *to, Type to_type) {
    with_element(from_type, [&](auto f) {
        with_element(to_type, [&](auto t) {
            using To = decltype(t);
            auto *target = static_cast<To *>(to);
            for (const auto row : rows) {
                const auto *source = static_cast<const decltype(f) *>(from) + row;
                for (const auto i : at) *target++ = static_cast<To>(source[i]);
            }
        });
    });
}

} // namespace squall::io
