#include "declare/encode.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "common/box.hpp"

namespace squall::io {
namespace {

constexpr double packed_steps = 65534; // int16 from -32767 to 32767; -32768 is netCDF's missing value

double scale_of(const Precision &p) { return (p.high - p.low) / packed_steps; }
double offset_of(const Precision &p) { return p.low + (p.high - p.low) / 2; }

void declare_packed(Field &field) {
    const auto number = [&](const char *name, double value) {
        if (field.type == Type::f64)
            field.attributes.emplace_back(name, value);
        else
            field.attributes.emplace_back(name, static_cast<float>(value));
    };
    number("scale_factor", scale_of(field.precision));
    number("add_offset", offset_of(field.precision));
    field.type = Type::i16;
}

/// The largest power of two of which the nearest multiple is within `bound`.
double quantum(double bound) { return std::exp2(std::floor(std::log2(2 * bound))); }

/// Explicit bits of the mantissa that keep the relative error within `bound` (Zender 2016, GMD;
/// rounding to nearest loses half of the last kept bit).
int kept_bits(double bound, int available) {
    return std::clamp(static_cast<int>(std::ceil(-std::log2(bound))) - 1, 0, available);
}

template <class T> void round_absolute(T *values, std::int64_t n, double bound) {
    const T q = static_cast<T>(quantum(bound)), inverse = 1 / q;
    for (std::int64_t i = 0; i < n; ++i) values[i] = std::nearbyint(values[i] * inverse) * q;
}

/// Runs f on each stretch of values between those that are the fill value, which stays as it is.
template <class T, class F> void around_fill(const FieldLayout &layout, T *values, std::int64_t n, F f) {
    if (!layout.fills) return f(values, n);
    const auto fill = static_cast<T>(layout.fill);
    T *const end = values + n;
    while (values != end) {
        values = std::find_if(values, end, [fill](T x) { return x != fill; });
        T *const next = std::find(values, end, fill);
        f(values, next - values);
        values = next;
    }
}

/// Rounds to nearest, ties to even; infinities and NaN stay.
template <class T, class Bits> void round_relative(T *values, std::int64_t n, double bound) {
    constexpr int mantissa = std::numeric_limits<T>::digits - 1;
    const int drop = mantissa - kept_bits(bound, mantissa);
    if (drop == 0) return;
    const Bits exponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    const Bits half = (Bits(1) << (drop - 1)) - 1, mask = ~((Bits(1) << drop) - 1);
    for (std::int64_t i = 0; i < n; ++i) {
        const auto bits = std::bit_cast<Bits>(values[i]);
        const Bits rounded = (bits + half + (bits >> drop & 1)) & mask;
        values[i] = std::bit_cast<T>((bits & exponent) == exponent ? bits : rounded);
    }
}

template <class T> void pack(const FieldLayout &f, void *data, std::int64_t n) {
    const auto &p = f.field.precision;
    // As readers compute it: value = scale * int + offset, with the attributes' own precision.
    const double scale = static_cast<T>(scale_of(p)), offset = static_cast<T>(offset_of(p));
    const auto fill = static_cast<T>(f.fill);
    constexpr auto missing = static_cast<std::int16_t>(packed_fill);
    auto *bytes = static_cast<std::byte *>(data);
    for (std::int64_t i = 0; i < n; ++i) {
        T value;
        std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
        if (f.fills && value == fill) {
            std::memcpy(bytes + i * sizeof(missing), &missing, sizeof(missing));
            continue;
        }
        const double steps = std::nearbyint((value - offset) / scale);
        if (!(std::abs(steps) <= packed_steps / 2))
            throw Error(fmt::format("field {}: value {} is outside the range {} to {} that it is packed "
                                    "into; widen the range of its precision",
                                    f.field.name, value, p.low, p.high));
        const auto packed = static_cast<std::int16_t>(steps);
        std::memcpy(bytes + i * sizeof(packed), &packed, sizeof(packed));
    }
}

template <class T, class Bits> void encode_as(const FieldLayout &f, void *data, std::int64_t n) {
    const auto &p = f.field.precision;
    switch (p.kind) {
    case Precision::Kind::full:
        return;
    case Precision::Kind::packed:
        return pack<T>(f, data, n);
    case Precision::Kind::absolute:
        return around_fill(f, static_cast<T *>(data), n,
                           [&](T *at, std::int64_t m) { round_absolute(at, m, p.bound); });
    case Precision::Kind::relative:
        return around_fill(f, static_cast<T *>(data), n,
                           [&](T *at, std::int64_t m) { round_relative<T, Bits>(at, m, p.bound); });
    }
}

/// Sum over points of a product of two different mixtures of value and index; see checksum(). The
/// upper half of the index does not change within these points.
template <class Word>
[[gnu::always_inline]] inline std::uint64_t hash_words(const Word *words, std::int64_t n,
                                                       std::uint64_t first) {
    const auto low = static_cast<std::uint32_t>(first), high = static_cast<std::uint32_t>(first >> 32);
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const auto v = static_cast<std::uint32_t>(words[i]);
        const auto at = low + static_cast<std::uint32_t>(i);
        const std::uint32_t a = v + at * 0x9E3779B1u + high;
        const std::uint32_t b = (v << 16 | v >> 16) ^ (at * 0x85EBCA77u + ~high);
        sum += static_cast<std::uint64_t>(a) * b;
    }
    return sum;
}

// Which clone it is, is asked before a thread sanitizer has begun: GCC tells of one by a macro, Clang as of a
// feature.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define SQUALL_CLONES
#else
#define SQUALL_CLONES [[gnu::target_clones("avx2", "default")]]
#endif

/// Nearly all points pass here: with the widest vectors that the processor has.
SQUALL_CLONES std::uint64_t hash_vectors(const std::uint32_t *words, std::int64_t n, std::uint64_t first) {
    return hash_words(words, n, first);
}

template <class Word> std::uint64_t hash_row(const Word *words, std::int64_t n, std::uint64_t first) {
    const auto to_carry = static_cast<std::int64_t>((std::uint64_t(1) << 32) - (first & 0xffffffffu));
    if (n > to_carry) // the upper half of the index changes within the row
        return hash_row(words, to_carry, first) +
               hash_row(words + to_carry, n - to_carry, first + static_cast<std::uint64_t>(to_carry));
    if constexpr (sizeof(Word) == 4) return hash_vectors(words, n, first);
    return hash_words(words, n, first);
}

std::uint64_t hash_row(const std::byte *row, std::int64_t n, std::int64_t first, Type type) {
    const auto at = static_cast<std::uint64_t>(first);
    switch (size_of(type)) {
    case 1:
        return hash_row(reinterpret_cast<const std::uint8_t *>(row), n, at);
    case 2:
        return hash_row(reinterpret_cast<const std::uint16_t *>(row), n, at);
    case 4:
        return hash_row(reinterpret_cast<const std::uint32_t *>(row), n, at);
    default:
        return hash_row(reinterpret_cast<const std::uint32_t *>(row), 2 * n, 2 * at);
    }
}

} // namespace

std::string apply_precision(Field &field) {
    const auto &p = field.precision;
    if (p.kind == Precision::Kind::full) return "";
    if (field.type != Type::f32 && field.type != Type::f64)
        return fmt::format("a precision is set, but its type is {}", name_of(field.type));
    if (p.kind == Precision::Kind::packed) {
        if (!(p.low < p.high) || !std::isfinite(p.high - p.low))
            return fmt::format("packing needs a range; {} to {} is not one", p.low, p.high);
        declare_packed(field);
        return "";
    }
    if (!(p.bound > 0) || !std::isfinite(p.bound))
        return fmt::format("the error bound is {}; it must be above 0", p.bound);
    const bool absolute = p.kind == Precision::Kind::absolute;
    field.attributes.emplace_back(
        "squall_precision",
        fmt::format("rounded, {} error at most {}", absolute ? "absolute" : "relative", p.bound));
    return "";
}

bool encodes(const FieldLayout &f) { return f.field.precision.kind != Precision::Kind::full; }

void encode(const FieldLayout &f, void *data, std::int64_t points) {
    if (f.staged == Type::f64)
        encode_as<double, std::uint64_t>(f, data, points);
    else if (f.staged == Type::f32)
        encode_as<float, std::uint32_t>(f, data, points);
}

std::uint64_t checksum(const Box &box, const std::vector<std::int64_t> &shape, const void *points,
                       Type type) {
    return checksum(box, box, shape, points, type);
}

std::uint64_t checksum(const Box &part, const Box &box, const std::vector<std::int64_t> &shape,
                       const void *points, Type type) {
    if (volume(part) == 0) return 0;
    const std::size_t d = shape.size();
    const std::int64_t row = d == 0 ? 1 : part.count[d - 1], rows = volume(part) / row;
    const auto in_field = contiguous(shape), in_box = contiguous(box.count);
    std::uint64_t sum = 0;
    std::vector<std::int64_t> index(part.start);
    for (std::int64_t n = 0; n < rows; ++n) {
        std::int64_t first = 0, at = 0;
        for (std::size_t i = 0; i < d; ++i) {
            first += index[i] * in_field[i];
            at += (index[i] - box.start[i]) * in_box[i];
        }
        sum +=
            hash_row(static_cast<const std::byte *>(points) + at * static_cast<std::int64_t>(size_of(type)),
                     row, first, type);
        for (std::size_t i = d > 0 ? d - 1 : 0; i-- > 0;) { // on to the next row
            if (++index[i] < part.start[i] + part.count[i]) break;
            index[i] = part.start[i];
        }
    }
    return sum;
}

} // namespace squall::io
