/// Checksums of what lies in files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agree/rank_group.hpp"
#include "read/source.hpp"

namespace squall::io::tools {

/// A field at a frame of a file, and the checksum that it must have (encode.hpp).
struct Task {
    std::string file;
    std::int64_t frame = 0;
    std::string field;
    std::uint64_t expected = 0;
};

struct Checked {
    std::vector<std::string> faults; ///< per task: what is wrong, without file, frame and field; or ""
    std::uint64_t bytes = 0;         ///< read, of all ranks
};

/// Index of a field, or -1.
int find(const Source &source, const std::string &field);

/// The checksum of a field, read `bytes` bytes at a time. Throws Error.
std::uint64_t checksum_of(const Source &source, int field, std::int64_t frame, std::size_t bytes);

/// Why a file cannot be what it says: it has fields of more bytes than any codec makes of the bytes that are
/// on disk. Or "".
std::string size_fault(const Source &source, const std::string &path);

/// How a file is opened.
using Opening = std::unique_ptr<Source> (*)(const std::string &path);

/// Carries the tasks out, each on one rank, with `bytes` bytes of each field in memory. Tasks about
/// one file should follow each other. The same result on all ranks. Collective.
Checked check(const RankGroup &group, const std::vector<Task> &tasks, std::size_t bytes,
              Opening opening = open_source);

} // namespace squall::io::tools
