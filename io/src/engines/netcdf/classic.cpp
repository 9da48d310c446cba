#include "engines/netcdf/classic.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall::io::netcdf {
namespace {

/// Walks through the header. Numbers are big-endian; names and values are padded to 4 bytes.
class Header {
  public:
    explicit Header(const std::string &file) : in_(file, std::ios::binary) {
        char magic[4] = {};
        in_.read(magic, 4);
        version_ = in_ && std::memcmp(magic, "CDF", 3) == 0 ? magic[3] : 0;
        if (!classic()) version_ = 0;
    }
    bool classic() const { return version_ == 1 || version_ == 2 || version_ == 5; }

    /// The least length of a file with this header, or with another number of records in it.
    std::uint64_t length(std::optional<std::uint64_t> other = std::nullopt) {
        records_ = count();
        const auto records = other.value_or(records_);
        read_dimensions();
        skip_attributes();
        return read_variables(records);
    }

    std::uint64_t records() const { return records_; } ///< known after length()

  private:
    struct Variable {
        std::uint64_t begin, bytes, padded;
        bool record;
    };

    std::uint64_t number(int bytes) {
        unsigned char b[8] = {};
        in_.read(reinterpret_cast<char *>(b), bytes);
        std::uint64_t n = 0;
        for (int i = 0; i < bytes; ++i) n = n << 8 | b[i];
        return n;
    }
    std::uint64_t count() { return number(version_ == 5 ? 8 : 4); }
    void skip(std::uint64_t bytes) { in_.ignore(static_cast<std::streamsize>((bytes + 3) / 4 * 4)); }
    std::uint64_t list_size() {
        number(4); // tag
        return count();
    }

    static std::uint64_t element_size(std::uint64_t type) {
        static constexpr std::uint64_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
        return type < std::size(sizes) ? sizes[type] : 0;
    }

    void read_dimensions() {
        for (auto n = list_size(); n > 0 && in_; --n) {
            skip(count());
            dimensions_.push_back(count());
        }
    }

    void skip_attributes() {
        for (auto n = list_size(); n > 0 && in_; --n) {
            skip(count());
            const auto size = element_size(number(4));
            skip(count() * size);
        }
    }

    Variable read_variable() {
        skip(count());
        Variable v{0, 1, 0, false};
        for (auto n = count(); n > 0 && in_; --n) {
            const auto id = count();
            const auto extent = id < dimensions_.size() ? dimensions_[id] : 1;
            if (extent == 0)
                v.record = true;
            else
                v.bytes *= extent;
        }
        skip_attributes();
        v.bytes *= element_size(number(4));
        v.padded = (v.bytes + 3) / 4 * 4;
        count(); // vsize, which may overflow: recomputed above
        v.begin = number(version_ == 1 ? 4 : 8);
        return v;
    }

    std::uint64_t read_variables(std::uint64_t records) {
        std::vector<Variable> all;
        for (auto n = list_size(); n > 0 && in_; --n) all.push_back(read_variable());
        if (!in_) throw Error("the file ends within its header; it was cut off, restore it");
        const auto of_record = std::ranges::count_if(all, &Variable::record);
        std::uint64_t record_size = 0;
        for (const auto &v : all) // a single record variable is not padded
            if (v.record) record_size += of_record == 1 ? v.bytes : v.padded;
        std::uint64_t end = static_cast<std::uint64_t>(in_.tellg());
        for (const auto &v : all) {
            if (v.record && records == 0) continue;
            end = std::max(end, v.begin + v.bytes + (v.record ? (records - 1) * record_size : 0));
        }
        return end;
    }

    std::ifstream in_;
    int version_ = 0;
    std::uint64_t records_ = 0;
    std::vector<std::uint64_t> dimensions_;
};

} // namespace

bool check_length(const std::string &file) {
    Header header(file);
    if (!header.classic()) return false;
    const auto expected = header.length();
    const auto actual = std::filesystem::file_size(file);
    if (actual < expected)
        throw Error(fmt::format("the file has {} bytes, its header describes {}; it was cut off, restore it",
                                actual, expected));
    return true;
}

std::int64_t whole_records(const std::string &file) {
    const auto size = std::filesystem::file_size(file);
    Header header(file);
    header.length();
    auto records = header.records();
    while (records > 0 && Header(file).length(records) > size) --records;
    return static_cast<std::int64_t>(records);
}

void set_records(const std::string &file, std::int64_t records) {
    std::fstream f(file, std::ios::binary | std::ios::in | std::ios::out);
    char magic[4] = {};
    f.read(magic, 4);
    const int bytes = magic[3] == 5 ? 8 : 4;
    std::string number;
    for (int i = bytes; i-- > 0;) number += static_cast<char>(static_cast<std::uint64_t>(records) >> (8 * i));
    f.seekp(4);
    f.write(number.data(), bytes);
    f.close();
    if (!f) throw Error(fmt::format("cannot rewrite the number of frames: {}", std::strerror(errno)));
}

} // namespace squall::io::netcdf
