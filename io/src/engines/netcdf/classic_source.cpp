/// Reading files in the classic formats, without netCDF-C: that is one thread at a time, and a writer that
/// waits for other ranks in a collective call may be that thread.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "common/retried.hpp"
#include "declare/layout.hpp"
#include "engines/netcdf/big_endian.hpp"
#include "engines/netcdf/classic.hpp"
#include "engines/netcdf/classic_header.hpp"

namespace squall::io::netcdf {
namespace {

constexpr std::size_t at_once = 1 << 20; ///< bytes that are read and converted together

template <class From, class To> void convert_as(const std::byte *from, std::size_t n, To *to) {
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<To>(big_endian<From>(from + i * sizeof(From)));
}

/// `to`: elements of T, which holds every value of the stored type, or is floating-point.
template <class T> void convert_to(Stored type, const std::byte *from, std::size_t n, T *to) {
    switch (type) {
    case Stored::i8:
        return convert_as<std::int8_t>(from, n, to);
    case Stored::text:
    case Stored::u8:
        return convert_as<std::uint8_t>(from, n, to);
    case Stored::i16:
        return convert_as<std::int16_t>(from, n, to);
    case Stored::u16:
        return convert_as<std::uint16_t>(from, n, to);
    case Stored::i32:
        return convert_as<std::int32_t>(from, n, to);
    case Stored::u32:
        return convert_as<std::uint32_t>(from, n, to);
    case Stored::i64:
        return convert_as<std::int64_t>(from, n, to);
    case Stored::u64:
        return convert_as<std::uint64_t>(from, n, to);
    case Stored::f32:
        return convert_as<float>(from, n, to);
    case Stored::f64:
        return convert_as<double>(from, n, to);
    }
}

void convert(Stored type, const std::byte *from, std::size_t n, Type memory, std::byte *to) {
    switch (memory) {
    case Type::character:
    case Type::text: // which converts() has refused
        std::memcpy(to, from, n);
        return;
    case Type::i8:
        return convert_to(type, from, n, reinterpret_cast<std::int8_t *>(to));
    case Type::u8:
        return convert_to(type, from, n, reinterpret_cast<std::uint8_t *>(to));
    case Type::i64:
        return convert_to(type, from, n, reinterpret_cast<std::int64_t *>(to));
    case Type::i16:
        return convert_to(type, from, n, reinterpret_cast<std::int16_t *>(to));
    case Type::i32:
        return convert_to(type, from, n, reinterpret_cast<std::int32_t *>(to));
    case Type::f32:
        return convert_to(type, from, n, reinterpret_cast<float *>(to));
    case Type::f64:
        return convert_to(type, from, n, reinterpret_cast<double *>(to));
    }
}

class Descriptor {
  public:
    explicit Descriptor(const std::string &file)
        : fd_(retried([&] { return ::open(file.c_str(), O_RDONLY | O_CLOEXEC); })) {
        if (fd_ < 0) throw Error(fmt::format("opening the file: {}", std::strerror(errno)));
    }
    ~Descriptor() { ::close(fd_); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;

    void read(std::uint64_t offset, std::byte *to, std::size_t bytes) const {
        for (std::size_t done = 0; done < bytes;) {
            const auto n = ::pread(fd_, to + done, bytes - done, static_cast<off_t>(offset + done));
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) throw Error(fmt::format("reading: {}", std::strerror(errno)));
            if (n == 0) throw Error("the file is shorter than its header says; it was truncated, restore it");
            done += static_cast<std::size_t>(n);
        }
    }

  private:
    int fd_;
};

/// A box as runs of points that follow each other in the file: how many there are in a run, and how many
/// dimensions are left to step through.
struct Runs {
    std::size_t dimensions = 0, points = 1;

    Runs(const Box &box, const std::vector<std::int64_t> &shape) {
        for (dimensions = shape.size(); dimensions > 0; --dimensions) {
            points *= static_cast<std::size_t>(box.count[dimensions - 1]);
            if (box.count[dimensions - 1] < shape[dimensions - 1]) {
                --dimensions;
                break;
            }
        }
    }
};

class ClassicSource final : public Source {
  public:
    ClassicSource(const std::string &file, bool cut_off) : file_(file) {
        const auto bytes = std::filesystem::file_size(file);
        std::ifstream in(file, std::ios::binary);
        header_ = read_classic_header(in, bytes);
        const auto records =
            cut_off ? header_.whole_records(bytes) : header_.records.value_or(header_.whole_records(bytes));
        if (const auto expected = header_.length(records); bytes < expected)
            throw Error(fmt::format(
                "the file has {} bytes, but its header describes {}; it was truncated, restore it", bytes,
                expected));
        frames = static_cast<std::int64_t>(records); // of a byte at least each
        describe();
    }

    void read(int field, std::int64_t frame, const Box &box, void *contiguous, Type memory) const override {
        const auto &v = header_.variables[static_cast<std::size_t>(field)];
        if (!converts(fields[static_cast<std::size_t>(field)].type, memory))
            throw Error(
                fmt::format("it is {} and cannot be read as {}", name_of(type_for(v.type)), name_of(memory)));
        if (const auto fault = misfit(box, v.shape); !fault.empty()) throw Error(fault);
        if (v.record && (frame < 0 || frame >= frames))
            throw Error(fmt::format("there is no frame {}, the file has {}", frame, frames));
        if (volume(box) == 0) return;
        const auto begin =
            v.begin + (v.record ? static_cast<std::uint64_t>(frame) * header_.record_bytes : 0);
        read_runs(v, begin, box, static_cast<std::byte *>(contiguous), memory);
    }

  private:
    void leave_out(const std::string &field, const std::string &what) {
        unheld.push_back({field, what + ", of unsigned 64-bit integers"});
    }

    void describe() {
        attributes = header_.attributes;
        if (!header_.record_dimension) record_dimension.clear();
        for (const auto &name : header_.unheld) leave_out("", "attribute " + name);
        for (std::size_t d = 0; d < header_.dimensions.size(); ++d)
            if (d == header_.record_dimension)
                record_dimension = header_.dimensions[d].name;
            else
                dimensions.push_back(header_.dimensions[d]);
        for (const auto &v : header_.variables) {
            for (const auto &name : v.unheld) leave_out(v.name, fmt::format("attribute {}:{}", v.name, name));
            if (v.type == Stored::u64) leave_out(v.name, "field " + v.name);
            Field f{v.name, type_for(v.type), {}, v.attributes, v.record};
            for (const auto d : v.others) f.dimensions.push_back(header_.dimensions[d].name);
            fields.push_back(std::move(f));
        }
    }

    /// Run after run; those along the next dimension together, if not much lies between them.
    void read_runs(const ClassicVariable &v, std::uint64_t begin, const Box &box, std::byte *to,
                   Type memory) const {
        const Runs runs(box, v.shape);
        const auto strides = contiguous(v.shape);
        const auto element = size_of(v.type), run = runs.points * element;
        const auto outer = runs.dimensions > 0 ? runs.dimensions - 1 : 0;
        const bool single = runs.dimensions == 0;
        const auto rows = single ? 1 : static_cast<std::size_t>(box.count[outer]);
        const auto step = single ? run : static_cast<std::size_t>(strides[outer]) * element;
        const bool close = run < at_once && step <= 4 * run;
        const auto together = close ? std::min(rows, (at_once - run) / step + 1) : 1;
        std::vector<std::byte> room(std::min(at_once, (together - 1) * step + run));
        auto at = box.start;
        for (bool more = true; more;) {
            std::uint64_t first = 0;
            for (std::size_t d = 0; d < at.size(); ++d)
                first += static_cast<std::uint64_t>(at[d]) * static_cast<std::uint64_t>(strides[d]);
            for (std::size_t row = 0; row < rows; row += together) {
                const auto n = std::min(together, rows - row);
                const auto offset = begin + first * element + row * step;
                if (n > 1)
                    read_together(v.type, offset, runs.points, n, step, room, to, memory);
                else
                    read_run(v.type, offset, runs.points, room, to, memory);
                to += n * runs.points * io::size_of(memory);
            }
            more = false;
            for (auto d = outer; d-- > 0 && !more;) {
                more = ++at[d] < box.start[d] + box.count[d];
                if (!more) at[d] = box.start[d];
            }
        }
    }

    /// `n` runs that begin `step` bytes from each other, all of which fit into the room.
    void read_together(Stored type, std::uint64_t offset, std::size_t points, std::size_t n, std::size_t step,
                       std::vector<std::byte> &room, std::byte *to, Type memory) const {
        file_.read(offset, room.data(), (n - 1) * step + points * size_of(type));
        for (std::size_t i = 0; i < n; ++i)
            convert(type, room.data() + i * step, points, memory, to + i * points * io::size_of(memory));
    }

    void read_run(Stored type, std::uint64_t offset, std::size_t points, std::vector<std::byte> &room,
                  std::byte *to, Type memory) const {
        const auto most = room.size() / size_of(type);
        for (std::size_t done = 0; done < points;) {
            const auto n = std::min(points - done, most);
            file_.read(offset + done * size_of(type), room.data(), n * size_of(type));
            convert(type, room.data(), n, memory, to + done * io::size_of(memory));
            done += n;
        }
    }

    Descriptor file_;
    ClassicHeader header_;
};

} // namespace

std::unique_ptr<Source> open_classic(const std::string &file) {
    return std::make_unique<ClassicSource>(file, false);
}

std::unique_ptr<Source> open_cut_off(const std::string &file) {
    return std::make_unique<ClassicSource>(file, true);
}

} // namespace squall::io::netcdf
