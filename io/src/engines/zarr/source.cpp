/// Reading what the engine `zarr`, or anybody else, wrote.

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "box.hpp"
#include "copy.hpp"
#include "engines/zarr/attributes.hpp"
#include "engines/zarr/files.hpp"
#include "engines/zarr/shard.hpp"
#include "engines/zarr/store.hpp"
#include "engines/zarr/zarr.hpp"

namespace squall::io::zarr {
namespace {

class StoredFile {
  public:
    explicit StoredFile(const std::string &path)
        : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (fd_ < 0 && errno != ENOENT) fail("opening", path);
        struct stat about {};
        if (fd_ >= 0 && ::fstat(fd_, &about) == 0) size_ = static_cast<std::uint64_t>(about.st_size);
    }
    ~StoredFile() {
        if (fd_ >= 0) ::close(fd_);
    }
    StoredFile(const StoredFile &) = delete;
    StoredFile &operator=(const StoredFile &) = delete;

    bool exists() const { return fd_ >= 0; }
    std::uint64_t size() const { return size_; }

    Bytes read(std::uint64_t offset, std::uint64_t bytes) const {
        if (offset > size_ || bytes > size_ - offset)
            throw Error(fmt::format("the file has {} bytes and should have {}; use another copy", size_,
                                    offset + bytes));
        Bytes data(bytes);
        for (std::size_t done = 0; done < bytes;) {
            const auto n = ::pread(fd_, data.data() + done, bytes - done, static_cast<off_t>(offset + done));
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) fail("reading", path_);
            done += static_cast<std::size_t>(n);
        }
        return data;
    }

  private:
    std::string path_;
    int fd_;
    std::uint64_t size_ = 0;
};

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
    if (a.data_type == "int8")
        room = widen_as<std::int8_t, std::int16_t>(raw);
    else if (a.data_type == "uint8")
        room = widen_as<std::uint8_t, std::int16_t>(raw);
    else if (a.data_type == "uint16")
        room = widen_as<std::uint16_t, std::int32_t>(raw);
    else if (a.data_type == "uint32")
        room = widen_as<std::uint32_t, double>(raw);
    else if (a.data_type == "int64")
        room = widen_as<std::int64_t, double>(raw);
    else if (a.data_type == "uint64")
        room = widen_as<std::uint64_t, double>(raw);
    else
        return raw;
    return room;
}

/// Texts of `vlen-utf8`, filled up to the same number of letters.
Bytes letters(std::span<const std::byte> raw, std::size_t texts, std::size_t length) {
    Bytes out(texts * length);
    const auto take = [&](std::size_t bytes) {
        if (bytes > raw.size()) throw Error("a text is cut short; the file is damaged, use another copy");
        const auto taken = raw.first(bytes);
        raw = raw.subspan(bytes);
        return taken;
    };
    const auto number = [&] {
        std::uint32_t n = 0;
        std::memcpy(&n, take(sizeof n).data(), sizeof n);
        return n;
    };
    if (number() != texts)
        throw Error("not as many texts as there should be; the file is damaged, use another copy");
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
    throw Error(fmt::format("the fill value {} is not one that Squall knows", fill.dump()));
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

/// Box number n of a tiling, in full size.
Box full_box(const Tiling &tiling, std::int64_t n) { return {tiling.box(n).start, tiling.tile}; }

class ZarrSource final : public Source {
  public:
    explicit ZarrSource(const std::string &path) : path_(path), store_(path) {
        if (!store_.own) guess_record_dimension();
        record_dimension = store_.record_dimension;
        dimensions = store_.dimensions;
        attributes = from_json(store_.attributes, Type::character, hints(""));
        bool first = true;
        for (auto &a : store_.arrays) {
            Field f{a.name, a.type, {}, from_json(a.attributes, a.type, hints(a.name)), false};
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
        const Tiling tiles{a.shape, a.tile};
        for (const auto n : tiles.touched(wanted.box)) {
            const auto file = a.file(tiles.index(n));
            try {
                read_tile(a, file, full_box(tiles, n), wanted);
            } catch (const std::exception &e) {
                throw Error(fmt::format("field {}{}: {}/{}: {}", a.name,
                                        fields[field].per_frame ? fmt::format(", frame {}", frame) : "",
                                        a.name, file, e.what()));
            }
        }
    }

  private:
    Json hints(const std::string &name) const { return store_.types.value(name, Json::object()); }

    void guess_record_dimension() {
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
        const StoredFile file(path_ + "/" + a.name + "/" + name);
        if (!file.exists()) return missing(a, meet(tile, wanted.box), wanted);
        if (a.chunk.empty()) return decode(a, file.read(0, file.size()), tile, wanted);
        const Tiling chunks{a.tile, a.chunk};
        const auto index = read_index(a, file, static_cast<std::size_t>(chunks.size()));
        auto inside = meet(tile, wanted.box);
        for (std::size_t d = 0; d < tile.start.size(); ++d) inside.start[d] -= tile.start[d];
        for (const auto n : chunks.touched(inside)) {
            auto chunk = full_box(chunks, n);
            for (std::size_t d = 0; d < tile.start.size(); ++d) chunk.start[d] += tile.start[d];
            const auto &where = index[static_cast<std::size_t>(n)];
            if (where.offset == nowhere)
                missing(a, meet(chunk, wanted.box), wanted);
            else
                decode(a, file.read(where.offset, where.bytes), chunk, wanted);
        }
    }

    static std::vector<Extent> read_index(const Array &a, const StoredFile &file, std::size_t chunks) {
        const auto &chain = a.codecs[1];
        const auto bytes = chunks * sizeof(Extent) + chain.overhead();
        const auto offset = !a.index_at_end       ? 0
                            : file.size() < bytes ? 1
                                                  : file.size() - bytes; // 1: too short
        const auto data = file.read(offset, bytes);
        Bytes room;
        std::vector<Extent> index(chunks);
        std::memcpy(index.data(), chain.undo(data, chunks * sizeof(Extent), room).data(),
                    chunks * sizeof(Extent));
        return index;
    }

    static void decode(const Array &a, const Bytes &data, const Box &chunk, const Wanted &wanted) {
        Bytes room, wide;
        if (a.letters) {
            const auto length = static_cast<std::size_t>(*a.letters);
            const auto texts = static_cast<std::size_t>(volume(chunk)) / (a.letters_dimension ? length : 1);
            wide = letters(a.codecs[0].undo(data, 0, room), texts, length);
            return wanted.take(wide.data(), a.type, chunk);
        }
        const auto raw =
            a.codecs[0].undo(data, static_cast<std::size_t>(volume(chunk)) * stored_size(a), room);
        wanted.take(widen(a, raw, wide).data(), a.type, chunk);
    }

    /// In a store of others what is missing has the fill value. Squall leaves nothing out.
    void missing(const Array &a, const Box &part, const Wanted &wanted) const {
        if (store_.own)
            throw Error("it is missing, but the metadata says that it is there; use another copy");
        const std::vector<double> points(static_cast<std::size_t>(volume(part)), number_of(a.fill_value));
        wanted.take(points.data(), Type::f64, part);
    }

    std::string path_;
    Store store_;
};

} // namespace

std::unique_ptr<Source> open(const std::string &path) { return std::make_unique<ZarrSource>(path); }

} // namespace squall::io::zarr
