/// The index of a directory of the engine `netcdf-split`: index.json, which tells what is in its
/// netCDF files, and without which nothing in them counts.
///
///     {"squall_split": 1, "frames": 2, "record_dimension": "Time",
///      "dimensions": [{"name": "y", "size": 8}, ...],
///      "attributes": [{"name": "TITLE", "type": "char", "value": "..."}, ...],
///      "fields": [{"name": "T", "type": "f32", "dimensions": ["y"], "per_frame": true, "attributes":
///      [...]}], "files": [{"name": "part_000000.nc", "bytes": 1234,
///                 "holds": [{"field": "T", "variable": "T", "start": [0], "count": [4], "frames": [0,
///                 2]}]}]}
///
/// `frames` of a stretch is half-open; in a file of fields fixed in time it is [0, 1].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "declare/layout.hpp"
#include "publish/kept_open.hpp"
#include "read/source.hpp"

namespace squall::io::split {

inline constexpr const char *index_name = "index.json";

/// A variable that holds a box of a field in the frames first, ..., end - 1.
struct Stretch {
    std::string field, variable;
    Box box;
    std::int64_t first = 0, end = 0;
};

struct PartFile {
    std::string name;
    std::uint64_t bytes = 0; ///< what it has at least
    std::vector<Stretch> stretches;
};

/// What a writer tells the first one.
std::string to_text(const std::vector<PartFile> &files);

/// Writes the index of a directory, all at once, but not yet to disk: whoever keeps it open brings it there.
/// `texts`: of all writers.
KeptOpen write_index(const std::string &directory, const Layout &layout, std::int64_t frames,
                     const std::vector<std::string> &texts);

/// The text of a directory's index. Throws Error.
std::string read_text(const std::string &directory);

/// Fills in what an index says of the whole, and returns the files. Throws Error unless every file is named
/// by a mere name and every box lies in its field.
std::vector<PartFile> parse_index(std::string_view text, Source &whole);

/// Whether a path is such a directory.
bool recognises(const std::string &path);

/// Reads it as one; every part must be there and as long as the index says. Throws Error.
std::unique_ptr<Source> open(const std::string &path);

} // namespace squall::io::split
