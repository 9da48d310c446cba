/// Reading what the engine `zarr`, or anybody else, wrote.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/confine.hpp"
#include "common/copy.hpp"
#include "engines/zarr/attributes.hpp"
#include "engines/zarr/documents.hpp"
#include "engines/zarr/shard_index.hpp"
#include "engines/zarr/store.hpp"
#include "engines/zarr/zarr.hpp"

namespace squall::io::zarr {
namespace {

template <class From, class To> Bytes widen_as(std::span<const std::byte> raw) {
    const auto n = raw.size() / sizeof(From);
    Bytes out(n * sizeof(To));
    for (std::size_t i = 0; i < n; ++i) {
        From x;
        std::memcpy(&x, raw.data() + i * sizeof x, sizeof x);
        const auto y = static_cast<To>(x);
        std::memcpy(out.data() + i * sizeof y, &y, sizeof y);
    }
    return out;
}

std::size_t stored_size(const Array &a) {
    if (a.data_type == "int8" || a.data_type == "uint8") return 1;
    if (a.data_type == "uint16") return 2;
    if (a.data_type == "uint32") return 4;
    return size_of(a.type);
}

/// Elements in the array's Type; in `raw` if they are that already, else in `room`.
std::span<const std::byte> widen(const Array &a, std::span<const std::byte> raw, Bytes &room) {
    if (a.data_type == "uint16")
        room = widen_as<std::uint16_t, std::int32_t>(raw);
    else if (a.data_type == "uint32")
        room = widen_as<std::uint32_t, std::int64_t>(raw);
    else if (a.data_type == "uint64")
        room = widen_as<std::uint64_t, double>(raw);
    else
        return raw;
    return room;
}

/// Texts of `vlen-utf8`, filled up to the same number of letters. What is reserved for them is in proportion
/// to what they take.
Bytes letters(std::span<const std::byte> raw, std::size_t texts, std::size_t length) {
    constexpr std::size_t largest_ratio = 1 << 12;
    const auto take = [&](std::size_t bytes) {
        if (bytes > raw.size()) throw Error("a text is truncated; the file is damaged, use another copy");
        const auto taken = raw.first(bytes);
        raw = raw.subspan(bytes);
        return taken;
    };
    const auto number = [&] {
        std::uint32_t n = 0;
        std::memcpy(&n, take(sizeof n).data(), sizeof n);
        return n;
    };
    if (number() != texts || raw.size() / sizeof(std::uint32_t) < texts)
        throw Error("the number of texts is wrong; the file is damaged, use another copy");
    if (texts * length / largest_ratio > raw.size() + sizeof(std::uint32_t))
        throw Error(fmt::format("texts of {} letters in {} bytes; the file is damaged, use another copy",
                                length, raw.size()));
    Bytes out(texts * length);
    for (std::size_t n = 0; n < texts; ++n) {
        const auto text = take(number());
        std::copy_n(text.begin(), std::min(length, text.size()),
                    out.begin() + static_cast<std::ptrdiff_t>(n * length));
    }
    return out;
}

double number_of(const Json &fill) {
    if (fill.is_number()) return fill.get<double>();
    if (fill.is_boolean()) return fill.get<bool>();
    if (fill == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (fill == "Infinity" || fill == "-Infinity") return (fill == "Infinity" ? 1 : -1) * HUGE_VAL;
    throw Error(fmt::format("Squall does not know the fill value {}", fill.dump()));
}

/// A box that is wanted, and where to.
struct Wanted {
    Box box;
    void *to;
    Type memory;

    /// `points`: of the box `from`.
    void take(const void *points, Type type, const Box &from) const {
        const auto part = meet(from, box);
        if (volume(part) == 0) return;
        copy_points(part.count, address(points, type, part, from), type, contiguous(from.count),
                    const_cast<void *>(address(to, memory, part, box)), memory, contiguous(box.count));
    }

  private:
    static const void *address(const void *first, Type type, const Box &part, const Box &whole) {
        const auto strides = contiguous(whole.count);
        std::ptrdiff_t at = 0;
        for (std::size_t d = 0; d < strides.size(); ++d) at += (part.start[d] - whole.start[d]) * strides[d];
        return static_cast<const std::byte *>(first) + at * static_cast<std::ptrdiff_t>(size_of(type));
    }
};

/// Calls f with the index of each tile that a box, which is not empty, touches.
template <class F> void for_touched(const Tiling &tiling, const Box &box, F f) {
    std::vector<std::int64_t> first(box.start.size()), last(first);
    for (std::size_t d = 0; d < first.size(); ++d) {
        first[d] = box.start[d] / tiling.tile[d];
        last[d] = (box.start[d] + box.count[d] - 1) / tiling.tile[d];
    }
    auto at = first;
    for (bool more = true; more;) {
        f(at);
        more = false;
        for (auto d = at.size(); d-- > 0 && !more;) {
            more = at[d] < last[d];
            at[d] = more ? at[d] + 1 : first[d];
        }
    }
}

/// A tile in full size, also what of it reaches beyond the shape.
Box full_box(const Tiling &tiling, std::vector<std::int64_t> index) {
    for (std::size_t d = 0; d < index.size(); ++d) index[d] *= tiling.tile[d];
    return {std::move(index), tiling.tile};
}

/// The points of a text's tile, without its letters.
std::size_t texts_in(const Array &a, const Box &tile) {
    auto count = tile.count;
    if (a.letters_dimension) count.pop_back();
    return static_cast<std::size_t>(volume({{}, count}));
}

class ZarrSource final : public Source {
  public:
    ZarrSource(Store store, std::string path) : path_(std::move(path)), store_(std::move(store)) {
        if (!store_.own) guess_record_dimension();
        record_dimension = store_.record_dimension;
        dimensions = store_.dimensions;
        attributes = held("", store_.attributes, Type::character);
        unheld.insert(unheld.end(), store_.unheld.begin(), store_.unheld.end());
        bool first = true;
        for (auto &a : store_.arrays) {
            Field f{a.name, a.type, {}, held(a.name, a.attributes, a.type), false};
            if (a.data_type == "uint64")
                unheld.push_back({a.name, fmt::format("field {}, of unsigned 64-bit integers", a.name)});
            if (store_.encodings.is_object() && store_.encodings.contains(a.name) &&
                store_.encodings[a.name].is_string())
                f.attributes.emplace_back(encoding_attribute, store_.encodings[a.name].get<std::string>());
            f.per_frame = !a.dimensions.empty() && a.dimensions[0] == record_dimension;
            if (f.per_frame) frames = first ? a.shape[0] : std::min(frames, a.shape[0]);
            first = first && !f.per_frame;
            for (std::size_t d = f.per_frame ? 1 : 0; d < a.dimensions.size(); ++d)
                f.dimensions.push_back(dimension(a, d));
            fields.push_back(std::move(f));
        }
    }

    void read(int field, std::int64_t frame, const Box &box, void *contiguous_points,
              Type memory) const override {
        const auto &a = store_.arrays[field];
        Wanted wanted{box, contiguous_points, memory};
        if (fields[field].per_frame) {
            wanted.box.start.insert(wanted.box.start.begin(), frame);
            wanted.box.count.insert(wanted.box.count.begin(), 1);
        }
        if (const auto fault = misfit(wanted.box, a.shape); !fault.empty()) throw Error(fault);
        if (volume(wanted.box) == 0) return;
        const Tiling tiles{a.shape, a.tile};
        for_touched(tiles, wanted.box, [&](const std::vector<std::int64_t> &index) {
            const auto file = a.file(index);
            try {
                read_tile(a, file, full_box(tiles, index), wanted);
            } catch (const std::exception &e) {
                throw Error(fmt::format("field {}{}: {}/{}: {}", a.name,
                                        fields[field].per_frame ? fmt::format(", frame {}", frame) : "",
                                        a.name, file, e.what()));
            }
        });
    }

  private:
    Json hints(const std::string &name) const { return store_.types.value(name, Json::object()); }

    std::vector<Attribute> held(const std::string &owner, const Json &all, Type type) {
        std::vector<std::string> others;
        auto found = from_json(all, type, hints(owner), &others);
        for (const auto &name : others)
            unheld.push_back(
                {owner, fmt::format("attribute {}{} is neither text nor numbers that Squall supports",
                                    owner.empty() ? "" : owner + ":", name)});
        return found;
    }

    void guess_record_dimension() {
        store_.record_dimension.clear();
        for (const auto &a : store_.arrays)
            if (!a.dimensions.empty() && (a.dimensions[0] == "Time" || a.dimensions[0] == "time"))
                store_.record_dimension = a.dimensions[0];
    }

    /// The name of an array's dimension d, another one if arrays disagree about its size.
    std::string dimension(const Array &a, std::size_t d) {
        auto name = a.dimensions[d];
        const auto known = std::ranges::find(dimensions, name, &Dimension::name);
        if (known != dimensions.end() && known->size == a.shape[d]) return name;
        if (known != dimensions.end() || name == record_dimension) name = fmt::format("{}_{}", a.name, name);
        dimensions.push_back({name, a.shape[d]});
        return name;
    }

    /// `tile`: its whole box, also what of it lies outside the array.
    void read_tile(const Array &a, const std::string &name, const Box &tile, const Wanted &wanted) const {
        const StoredFile file(confined(path_, a.name + "/" + name));
        if (!file.exists()) return missing(a, meet(tile, wanted.box), wanted);
        // Not by the chunk's shape: that of a number is empty, in a shard too.
        if (a.codecs.size() < 2) return decode(a, file, {0, file.size()}, tile, wanted);
        const Tiling chunks{a.tile, a.chunk};
        const auto index = read_shard_index(a, file);
        auto inside = meet(tile, wanted.box);
        for (std::size_t d = 0; d < tile.start.size(); ++d) inside.start[d] -= tile.start[d];
        for_touched(chunks, inside, [&](const std::vector<std::int64_t> &at) {
            auto chunk = full_box(chunks, at);
            const auto &where = index[static_cast<std::size_t>(chunks.find(chunk.start))];
            for (std::size_t d = 0; d < tile.start.size(); ++d) chunk.start[d] += tile.start[d];
            if (where.offset == nowhere)
                missing(a, meet(chunk, wanted.box), wanted);
            else
                decode(a, file, where, chunk, wanted);
        });
    }

    static void decode(const Array &a, const StoredFile &file, const Extent &where, const Box &chunk,
                       const Wanted &wanted) {
        Bytes room, wide;
        if (a.letters) {
            const auto data = file.read(where);
            wide = letters(a.codecs[0].undo(data, std::nullopt, room), texts_in(a, chunk),
                           static_cast<std::size_t>(*a.letters));
            return wanted.take(wide.data(), a.type, chunk);
        }
        const auto size = static_cast<std::size_t>(volume(chunk)) * stored_size(a);
        // Whatever compressed it, it did not become much more.
        constexpr std::size_t slack = 1 << 16;
        if (where.bytes > 2 * size + slack)
            throw Error(
                fmt::format("a chunk of {} bytes is stored in {}; the file is damaged, use another copy",
                            size, where.bytes));
        const auto data = file.read(where);
        const auto raw = a.codecs[0].undo(data, size, room);
        wanted.take(widen(a, raw, wide).data(), a.type, chunk);
    }

    /// In a store of others what is missing has the fill value. Squall leaves nothing out.
    void missing(const Array &a, const Box &part, const Wanted &wanted) const {
        if (store_.own) throw Error("it is missing, although the metadata lists it; use another copy");
        const std::vector<double> points(static_cast<std::size_t>(volume(part)), number_of(a.fill_value));
        wanted.take(points.data(), Type::f64, part);
    }

    std::string path_;
    Store store_;
};

} // namespace

std::unique_ptr<Source> source_of(Store store, const std::string &path) {
    return std::make_unique<ZarrSource>(std::move(store), path);
}

std::unique_ptr<Source> open(const std::string &path) { return source_of(read_store(path), path); }

} // namespace squall::io::zarr
