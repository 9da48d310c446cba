#include "engines/adios/index.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "common/confine.hpp"
#include "common/document.hpp"
#include "common/sizes.hpp"

namespace squall::io::adios {
namespace fs = std::filesystem;
namespace {

// The header: at these bytes 0 for little-endian, the version of the format; its length.
constexpr std::size_t endianness_at = 36, version_at = 37, header = 64;
// A record: what it is, the length of the rest, the rest as 64-bit numbers.
constexpr char step_record = 's', writers_record = 'w';
constexpr std::size_t record_header = 1 + sizeof(std::uint64_t);

std::string index_of(const std::string &directory) { return confined(directory, "md.idx"); }

[[noreturn]] void damaged(const std::string &what) {
    throw Error(fmt::format("the index md.idx {}; it is damaged, use another copy", what));
}

/// The numbers of a record, one after the other.
class Numbers {
  public:
    explicit Numbers(std::string_view bytes) : bytes_(bytes) {}

    std::size_t left() const { return bytes_.size() / sizeof(std::uint64_t); }
    std::uint64_t next() {
        std::uint64_t n = 0;
        if (bytes_.size() < sizeof n) damaged("has a truncated record");
        std::memcpy(&n, bytes_.data(), sizeof n);
        bytes_.remove_prefix(sizeof n);
        return n;
    }

  private:
    std::string_view bytes_;
};

/// The record that `bytes` begin with, without its header. The last one of a writer that was killed may be
/// cut: then none.
std::optional<std::string_view> record(std::string_view bytes) {
    std::uint64_t length = 0;
    if (bytes.size() < record_header) return std::nullopt;
    std::memcpy(&length, bytes.data() + 1, sizeof length);
    if (bytes.size() - record_header < length) return std::nullopt;
    return bytes.substr(record_header, length);
}

/// Number of writers, of aggregators, of data files; then the data file of each writer.
void add_writers(Index &index, Numbers numbers) {
    const auto writers = numbers.next();
    numbers.next();
    const auto files = numbers.next();
    // There is no data file that nobody writes.
    if (writers > numbers.left() || files > writers) damaged(fmt::format("lists {} data files", files));
    index.subfile_of.clear();
    for (std::uint64_t w = 0; w < writers; ++w) {
        const auto file = numbers.next();
        if (file >= files) damaged(fmt::format("lists data file {} of {}", file, files));
        index.subfile_of.push_back(static_cast<int>(file));
    }
    index.least.resize(std::max<std::size_t>(index.least.size(), files));
}

/// Where the step's metadata lie in md.0 and their length; flushes within the step; per writer: of
/// each flush the position in its data file and the length, and the position of the rest.
void add_step(Index &index, Numbers numbers) {
    const auto begin = numbers.next();
    index.metadata = std::max(index.metadata, plus(begin, numbers.next()));
    const auto flushes = numbers.next();
    for (const auto subfile : index.subfile_of) {
        auto &least = index.least[static_cast<std::size_t>(subfile)];
        for (std::uint64_t f = 0; f < flushes; ++f) {
            const auto position = numbers.next(), length = numbers.next();
            if (length > 0) least = std::max(least, plus(position, length));
        }
        numbers.next();
    }
}

} // namespace

Index parse_index(std::string_view bytes) {
    const bool little = std::endian::native == std::endian::little;
    if (bytes.size() < header || bytes[version_at] != 5 || bytes[endianness_at] != (little ? 0 : 1))
        throw Error("md.idx is not the index of a BP5 directory in this machine's byte order");
    Index index;
    for (std::size_t at = header; at < bytes.size();) {
        const auto rest = record(bytes.substr(at));
        if (!rest) break;
        const auto kind = bytes[at];
        at += record_header + rest->size();
        if (kind == writers_record) add_writers(index, Numbers(*rest));
        if (kind != step_record) continue;
        add_step(index, Numbers(*rest));
        index.ends.push_back(at);
    }
    return index;
}

Index read_index(const std::string &directory) { return parse_index(text_of(index_of(directory))); }

void check_files(const std::string &directory, const Index &index) {
    const auto check = [&](const std::string &name, std::uint64_t least) {
        std::error_code problem;
        const auto size = fs::file_size(confined(directory, name), problem);
        if (problem) throw Error(fmt::format("{} in the directory: {}", name, problem.message()));
        if (size < least)
            throw Error(fmt::format("{} in the directory has {} bytes, but should have at least {}: it was "
                                    "truncated; use another copy",
                                    name, size, least));
    };
    check("md.0", index.metadata);
    check("mmd.0", 1);
    for (std::size_t n = 0; n < index.least.size(); ++n) check(fmt::format("data.{}", n), index.least[n]);
}

void cut_index(const std::string &directory, std::int64_t steps) {
    const auto ends = read_index(directory).ends;
    const auto there = static_cast<std::int64_t>(ends.size());
    if (there < steps) throw Error(fmt::format("the index has {} steps instead of {}", there, steps));
    if (steps > 0) fs::resize_file(index_of(directory), ends[steps - 1]);
}

} // namespace squall::io::adios
