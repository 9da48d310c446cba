#include "engines/netcdf/classic.hpp"

#include <algorithm>
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
        throw Error(
            fmt::format("the file has {} bytes, but its header describes {}; it was truncated, restore it",
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

void clear_padding(const std::string &file) {
    const auto header = header_of(file);
    const auto size = std::filesystem::file_size(file);
    const auto records = header.records.value_or(0);
    const auto in_records = std::ranges::count(header.variables, true, &ClassicVariable::record);
    std::fstream f(file, std::ios::binary | std::ios::in | std::ios::out);
    for (const auto &v : header.variables) {
        const auto padding = (4 - v.bytes % 4) % 4;
        if (padding == 0 || (v.record && in_records == 1)) continue; // one alone is not padded
        for (std::uint64_t r = 0; r < (v.record ? records : 1); ++r) {
            const auto at = v.begin + v.bytes + r * header.record_bytes;
            if (at + padding > size) break;
            f.seekp(static_cast<std::streamoff>(at));
            f.write("\0\0\0", static_cast<std::streamsize>(padding));
        }
    }
    f.close();
    if (!f) throw Error(fmt::format("cannot clear the padding of the values: {}", std::strerror(errno)));
}

} // namespace squall::io::netcdf
