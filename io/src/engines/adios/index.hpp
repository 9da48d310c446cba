/// The index of a BP5 directory, md.idx, which says which steps there are: a header, then records.
/// A step that is not in the index does not exist for any reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace squall::io::adios {

struct Index {
    std::vector<std::uint64_t> ends;  ///< where the record of each step ends in md.idx
    std::uint64_t metadata = 0;       ///< bytes that the steps need of md.0
    std::vector<int> subfile_of;      ///< the N of the file data.N, per writer
    std::vector<std::uint64_t> least; ///< a number of bytes that data.N has at least, per N
};

/// Understands the bytes of an index. Throws Error if it is none of BP5, or damaged; a last record that is
/// cut off is not there.
Index parse_index(std::string_view bytes);

/// Reads the index of a directory. Throws Error.
Index read_index(const std::string &directory);

/// Throws Error if a file of the directory is missing or too short for its index.
void check_files(const std::string &directory, const Index &index);

/// Makes the index end after so many steps. Throws Error if there are fewer.
void cut_index(const std::string &directory, std::int64_t steps);

} // namespace squall::io::adios
