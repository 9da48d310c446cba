#include "engines/adios/index.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall::io::adios {
namespace fs = std::filesystem;
namespace {

// The header: at these bytes 0 for little-endian, the version of the format; its length.
constexpr std::size_t endianness_at = 36, version_at = 37, header = 64;
// A record: what it is, the length of the rest, the rest as 64-bit numbers.
constexpr char step_record = 's', writers_record = 'w';
constexpr std::size_t record_header = 1 + sizeof(std::uint64_t);

std::string index_of(const std::string &directory) { return directory + "/md.idx"; }

std::string bytes_of(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error(fmt::format("cannot read {}: it is missing or not readable", file));
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The record that begins at byte `at`, as numbers. The last one of a writer that was killed may be cut.
std::vector<std::uint64_t> record(const std::string &bytes, std::size_t at) {
    std::uint64_t length = 0;
    if (bytes.size() - at < record_header) return {};
    std::memcpy(&length, bytes.data() + at + 1, sizeof length);
    if (bytes.size() - at - record_header < length) return {};
    std::vector<std::uint64_t> numbers(length / sizeof length);
    std::memcpy(numbers.data(), bytes.data() + at + record_header, numbers.size() * sizeof length);
    return numbers;
}

/// Number of writers, of aggregators, of data files; then the data file of each writer.
void add_writers(Index &index, const std::vector<std::uint64_t> &numbers) {
    index.subfile_of.assign(numbers.begin() + 3, numbers.end());
    index.least.resize(std::max<std::size_t>(index.least.size(), numbers[2]));
}

/// Where the step's metadata lie in md.0 and their length; flushes within the step; per writer: of
/// each flush the position in its data file and the length, and the position of the rest.
void add_step(Index &index, const std::vector<std::uint64_t> &numbers) {
    index.metadata = std::max(index.metadata, numbers[0] + numbers[1]);
    const auto flushes = numbers[2];
    std::size_t at = 3;
    for (const auto subfile : index.subfile_of) {
        auto &least = index.least.at(subfile);
        for (std::uint64_t f = 0; f < flushes; ++f, at += 2)
            if (numbers.at(at + 1) > 0) least = std::max(least, numbers[at] + numbers[at + 1]);
        ++at;
    }
}

} // namespace

Index read_index(const std::string &directory) {
    const auto file = index_of(directory), bytes = bytes_of(file);
    const bool little = std::endian::native == std::endian::little;
    if (bytes.size() < header || bytes[version_at] != 5 || bytes[endianness_at] != (little ? 0 : 1))
        throw Error(fmt::format("{} is not the index of a BP5 directory of this machine's byte order", file));
    Index index;
    for (std::size_t at = header; at < bytes.size();) {
        const auto numbers = record(bytes, at);
        if (numbers.size() < 3) break;
        const auto end = at + record_header + numbers.size() * sizeof(std::uint64_t);
        if (bytes[at] == writers_record) add_writers(index, numbers);
        if (bytes[at] == step_record) {
            add_step(index, numbers);
            index.ends.push_back(end);
        }
        at = end;
    }
    return index;
}

void check_files(const std::string &directory, const Index &index) {
    const auto check = [&](const std::string &name, std::uint64_t least) {
        std::error_code problem;
        const auto size = fs::file_size(fs::path(directory) / name, problem);
        if (problem) throw Error(fmt::format("{} in the directory: {}", name, problem.message()));
        if (size < least)
            throw Error(fmt::format("{} in the directory has {} bytes and should have at least {}: it was "
                                    "cut short; use another copy",
                                    name, size, least));
    };
    check("md.0", index.metadata);
    check("mmd.0", 1);
    for (std::size_t n = 0; n < index.least.size(); ++n) check(fmt::format("data.{}", n), index.least[n]);
}

void cut_index(const std::string &directory, std::int64_t steps) {
    const auto ends = read_index(directory).ends;
    const auto there = static_cast<std::int64_t>(ends.size());
    if (there < steps) throw Error(fmt::format("{} steps are in the index instead of {}", there, steps));
    if (steps > 0) fs::resize_file(index_of(directory), ends[steps - 1]);
}

} // namespace squall::io::adios
