/// The index of a directory of the engine `netcdf-split`, which tells what is in its netCDF files, and
/// without which nothing in them counts. index.json tells what the whole is and names the files:
///
///     {"squall_split": 2, "frames": 2, "record_dimension": "Time",
///      "dimensions": [{"name": "y", "size": 8}, ...],
///      "attributes": [{"name": "TITLE", "type": "char", "value": "..."}, ...],
///      "fields": [{"name": "T", "type": "f32", "dimensions": ["y"], "per_frame": true, "attributes":
///      [...]}], "files": [{"name": "part_000000.nc", "bytes": 1234}]}
///
/// part_000000.nc.index, which its writer makes, tells which boxes of the fields that file holds. In it are,
/// without gaps, whole numbers in little endian:
///
///     "SQSPLIT2", then in 8 bytes the number of boxes; for each box
///         in 4 bytes each: the field's number in index.json, and the variable's: 0 for the one that is named
///             as the field, n for the one named FIELD.n
///         in 8 bytes each: the first of the frames in which it is there, and the one behind the last, or -1
///         if
///             it is in all that follow (all of index.json); in a file of fields fixed in time 0 and -1
///         in 8 bytes each: where it starts in each dimension of the field, then how many points it has there
///     in 4 bytes the CRC-32C of all before
///
/// It may be newer than index.json, where a run was killed: frames that are not in that do not count.
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
inline constexpr std::size_t largest_index = std::size_t(256) << 20; ///< bytes of index.json

/// A variable that holds a box of a field in the frames first, ..., end - 1.
struct Stretch {
    int field = 0;            ///< its number
    std::uint32_t number = 0; ///< of the variable among those of the field
    Box box;
    std::int64_t first = 0, end = 0;
};

struct PartFile {
    std::string name;
    std::uint64_t bytes = 0; ///< what it has at least
};

/// The name of a file's own index, and that of a variable.
std::string index_of(const std::string &file);
std::string variable_name(const std::string &field, std::uint32_t number);

/// An end that says: in all frames that follow.
inline constexpr std::int64_t open_end = -1;

/// The index of a part, and what is in it as far as a whole has its frames. Throws Error unless every box
/// lies in its field; `what` it is, for messages.
std::string part_index(const std::vector<Stretch> &stretches);
std::vector<Stretch> parse_part_index(std::string_view bytes, const Source &whole, const std::string &what);

/// What a writer tells the first one.
std::string to_text(const std::vector<PartFile> &files);

/// Writes a file of a directory all at once, but not yet to disk: whoever keeps it open brings it there.
/// Throws Error.
KeptOpen write_file(const std::string &directory, const std::string &name, const std::string &bytes);

/// Writes the index of a directory. `texts`: of all writers. Throws Error where it would be larger than
/// readers take.
KeptOpen write_index(const std::string &directory, const Layout &layout, std::int64_t frames,
                     const std::vector<std::string> &texts, std::size_t largest = largest_index);

/// The text of a directory's index. Throws Error.
std::string read_text(const std::string &directory);

/// Fills in what an index says of the whole, and returns the files. Throws Error unless every file is named
/// by a mere name.
std::vector<PartFile> parse_index(std::string_view text, Source &whole);

/// Whether a path is such a directory.
bool recognises(const std::string &path);

/// Reads it as one; every part must be there and as long as the index says. Throws Error.
std::unique_ptr<Source> open(const std::string &path);

} // namespace squall::io::split
