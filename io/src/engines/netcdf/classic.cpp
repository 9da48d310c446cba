#include "engines/netcdf/classic.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "engines/netcdf/classic_header.hpp"

namespace squall::io::netcdf {
namespace {

ClassicHeader header_of(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    return read_classic_header(in, std::filesystem::file_size(file));
}

} // namespace

bool is_classic(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    return is_classic(in);
}

bool check_length(const std::string &file) {
    if (!is_classic(file)) return false;
    const auto header = header_of(file);
    const auto actual = std::filesystem::file_size(file);
    const auto expected = header.length(header.records.value_or(0));
    if (actual < expected)
        throw Error(fmt::format("the file has {} bytes, its header describes {}; it was cut off, restore it",
                                actual, expected));
    return true;
}

std::int64_t whole_records(const std::string &file) {
    return static_cast<std::int64_t>(header_of(file).whole_records(std::filesystem::file_size(file)));
}

void set_records(const std::string &file, std::int64_t records) {
    std::fstream f(file, std::ios::binary | std::ios::in | std::ios::out);
    char first[12] = {};
    f.read(first, sizeof first);
    const int bytes = first[3] == 5 ? 8 : 4;
    std::string number;
    for (int i = bytes; i-- > 0;) number += static_cast<char>(static_cast<std::uint64_t>(records) >> (8 * i));
    if (f && number == std::string(first + 4, number.size())) return;
    f.clear();
    f.seekp(4);
    f.write(number.data(), bytes);
    f.close();
    if (!f) throw Error(fmt::format("cannot rewrite the number of frames: {}", std::strerror(errno)));
}

} // namespace squall::io::netcdf
