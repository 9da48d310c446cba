#include "engines/netcdf/classic_header.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "common/sizes.hpp"
#include "engines/netcdf/big_endian.hpp"

namespace squall::io::netcdf {
namespace {

// The tags that begin the lists of a header; a list that is not there has 0 for tag and length.
constexpr std::uint32_t dimension_tag = 10, variable_tag = 11, attribute_tag = 12;
constexpr std::uint32_t streaming = 0xffffffff; ///< the number of records while they are still coming

/// The format's limits (NC_MAX_VAR_DIMS).
constexpr std::uint64_t most_dimensions = 1024;

[[noreturn]] void damaged(const std::string &what) {
    throw Error(fmt::format("its header {}; the file is damaged, use another copy", what));
}

/// Walks through the header. Numbers are big-endian; names and values are padded to 4 bytes.
class Walk {
  public:
    Walk(std::istream &in, std::uint64_t file_bytes) : in_(in), left_(file_bytes) {
        std::byte magic[4];
        take(magic, sizeof magic);
        version_ = std::to_integer<int>(magic[3]);
        if (std::memcmp(magic, "CDF", 3) != 0 || (version_ != 1 && version_ != 2 && version_ != 5))
            damaged("has no classic format");
    }

    bool wide() const { return version_ == 5; }
    std::uint64_t position() const { return position_; }
    template <class T> T number() {
        std::byte bytes[sizeof(T)];
        take(bytes, sizeof bytes);
        return big_endian<T>(bytes);
    }
    std::uint64_t count() { return wide() ? number<std::uint64_t>() : number<std::uint32_t>(); }
    std::uint64_t offset() { return version_ == 1 ? number<std::uint32_t>() : number<std::uint64_t>(); }

    /// The length of a list whose items take at least `least` bytes each.
    std::uint64_t list(std::uint32_t tag, std::uint64_t least) {
        const auto found = number<std::uint32_t>();
        const auto n = count();
        if (found != tag && (found != 0 || n != 0)) damaged(fmt::format("has the tag {} for {}", found, tag));
        if (n > left_ / least) cut_off();
        return n;
    }

    std::vector<std::byte> bytes(std::uint64_t n) {
        if (n > left_) cut_off();
        std::vector<std::byte> all(n);
        take(all.data(), n);
        std::byte padding[4];
        take(padding, std::min((4 - n % 4) % 4, left_)); // of a last value, it may be missing
        return all;
    }
    std::string text() {
        const auto all = bytes(count());
        return {reinterpret_cast<const char *>(all.data()), all.size()};
    }
    Stored type() {
        const auto n = number<std::uint32_t>();
        if (n < 1 || n > static_cast<unsigned>(wide() ? Stored::u64 : Stored::f64))
            damaged(fmt::format("names type {}, which the format does not have", n));
        return static_cast<Stored>(n);
    }

  private:
    [[noreturn]] static void cut_off() {
        throw Error("the file ends inside its header; it was truncated, restore it");
    }
    void take(std::byte *to, std::uint64_t n) {
        if (n > left_) cut_off();
        in_.read(reinterpret_cast<char *>(to), static_cast<std::streamsize>(n));
        if (!in_) cut_off();
        left_ -= n;
        position_ += n;
    }

    std::istream &in_;
    std::uint64_t left_, position_ = 0;
    int version_ = 0;
};

template <class From, class To> Value numbers(const std::vector<std::byte> &bytes) {
    std::vector<To> all(bytes.size() / sizeof(From));
    for (std::size_t n = 0; n < all.size(); ++n)
        all[n] = static_cast<To>(big_endian<From>(bytes.data() + n * sizeof(From)));
    return all;
}

/// Unsigned 64-bit integers may be more than signed ones hold: none then.
std::optional<Value> unsigned_numbers(const std::vector<std::byte> &bytes) {
    for (std::size_t n = 0; n < bytes.size() / 8; ++n)
        if (big_endian<std::int64_t>(bytes.data() + 8 * n) < 0) return std::nullopt;
    return numbers<std::uint64_t, std::int64_t>(bytes);
}

std::optional<Value> value(Stored type, const std::vector<std::byte> &bytes) {
    switch (type) {
    case Stored::i8:
        return numbers<std::int8_t, std::int32_t>(bytes);
    case Stored::u8:
        return numbers<std::uint8_t, std::int32_t>(bytes);
    case Stored::i16:
        return numbers<std::int16_t, std::int32_t>(bytes);
    case Stored::u16:
        return numbers<std::uint16_t, std::int32_t>(bytes);
    case Stored::i32:
        return numbers<std::int32_t, std::int32_t>(bytes);
    case Stored::f32:
        return numbers<float, float>(bytes);
    case Stored::f64:
        return numbers<double, double>(bytes);
    case Stored::u32:
        return numbers<std::uint32_t, std::int64_t>(bytes);
    case Stored::i64:
        return numbers<std::int64_t, std::int64_t>(bytes);
    case Stored::u64:
        return unsigned_numbers(bytes);
    case Stored::text:
        break;
    }
    return std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

std::vector<Attribute> read_attributes(Walk &walk, std::vector<std::string> &unheld) {
    std::vector<Attribute> all;
    const auto n = walk.list(attribute_tag, 12);
    for (std::uint64_t a = 0; a < n; ++a) {
        auto name = walk.text();
        const auto type = walk.type();
        if (auto found = value(type, walk.bytes(times(walk.count(), size_of(type)))))
            all.emplace_back(std::move(name), *std::move(found));
        else
            unheld.push_back(std::move(name));
    }
    return all;
}

void read_dimensions(Walk &walk, ClassicHeader &header) {
    const auto n = walk.list(dimension_tag, 8);
    for (std::uint64_t d = 0; d < n; ++d) {
        auto name = walk.text();
        const auto size = walk.count();
        if (size > std::uint64_t(1) << 62) damaged(fmt::format("gives dimension {} the size {}", name, size));
        if (size == 0) {
            if (header.record_dimension) damaged("has two record dimensions");
            header.record_dimension = d;
        }
        header.dimensions.push_back({std::move(name), static_cast<std::int64_t>(size)});
    }
}

ClassicVariable read_variable(Walk &walk, const ClassicHeader &header) {
    ClassicVariable v;
    v.name = walk.text();
    const auto rank = walk.count();
    if (rank > most_dimensions) damaged(fmt::format("gives field {} {} dimensions", v.name, rank));
    for (std::uint64_t d = 0; d < rank; ++d) {
        const auto id = walk.count();
        if (id >= header.dimensions.size())
            damaged(fmt::format("gives field {} dimension number {} of {}", v.name, id,
                                header.dimensions.size()));
        if (id != header.record_dimension) {
            v.others.push_back(id);
            v.shape.push_back(header.dimensions[id].size);
        } else if (d == 0) {
            v.record = true;
        } else
            damaged(fmt::format("has the record dimension of field {} in another place than first", v.name));
    }
    v.attributes = read_attributes(walk, v.unheld);
    v.type = walk.type();
    v.bytes = times(static_cast<std::uint64_t>(points_in(v.shape, size_of(v.type))), size_of(v.type));
    walk.count(); // vsize, which may overflow: recomputed above
    v.begin = walk.offset();
    return v;
}

/// A single record variable is not padded.
std::uint64_t bytes_of_record(const std::vector<ClassicVariable> &variables) {
    std::uint64_t padded = 0, last = 0, of_record = 0;
    for (const auto &v : variables) {
        if (!v.record) continue;
        ++of_record;
        last = v.bytes;
        padded = plus(padded, plus(v.bytes, 3) / 4 * 4);
    }
    return of_record == 1 ? last : padded;
}

} // namespace

std::size_t size_of(Stored type) {
    static constexpr std::size_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return sizes[static_cast<int>(type)];
}

Type type_for(Stored type) {
    switch (type) {
    case Stored::text:
        return Type::character;
    case Stored::i8:
        return Type::i8;
    case Stored::u8:
        return Type::u8;
    case Stored::i16:
        return Type::i16;
    case Stored::u16:
    case Stored::i32:
        return Type::i32;
    case Stored::u32:
    case Stored::i64:
        return Type::i64;
    case Stored::f32:
        return Type::f32;
    default:
        return Type::f64;
    }
}

bool is_classic(std::istream &file) {
    char magic[4] = {};
    file.read(magic, sizeof magic);
    return file && std::memcmp(magic, "CDF", 3) == 0 && (magic[3] == 1 || magic[3] == 2 || magic[3] == 5);
}

ClassicHeader read_classic_header(std::istream &file, std::uint64_t file_bytes) {
    Walk walk(file, file_bytes);
    ClassicHeader header;
    const auto records = walk.count();
    if (walk.wide() ? records != ~std::uint64_t(0) : records != streaming) header.records = records;
    read_dimensions(walk, header);
    header.attributes = read_attributes(walk, header.unheld);
    const auto n = walk.list(variable_tag, 28);
    for (std::uint64_t v = 0; v < n; ++v) header.variables.push_back(read_variable(walk, header));
    header.header_bytes = walk.position();
    header.record_bytes = bytes_of_record(header.variables);
    // Without fields that have them, records are a number that nothing stands for.
    if (header.record_bytes == 0) header.records = 0;
    return header;
}

std::uint64_t ClassicHeader::length(std::uint64_t n) const {
    auto end = header_bytes;
    for (const auto &v : variables) {
        if (v.record && n == 0) continue;
        const auto before = v.record ? times(n - 1, record_bytes) : 0;
        end = std::max(end, plus(v.begin, plus(v.bytes, before)));
    }
    return end;
}

std::uint64_t ClassicHeader::whole_records(std::uint64_t file_bytes) const {
    auto most = records.value_or(~std::uint64_t(0));
    for (const auto &v : variables) {
        if (!v.record) continue;
        const auto first = plus(v.begin, v.bytes);
        most = std::min(most, file_bytes < first ? 0 : (file_bytes - first) / record_bytes + 1);
    }
    return most;
}

} // namespace squall::io::netcdf
