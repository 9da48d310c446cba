/// The header of a file in the classic formats (CDF-1, CDF-2, CDF-5), read with bounds: no number in it is
/// believed before the file is long enough for what it stands for. Format: NetCDF Users Guide, appendix "File
/// Format Specifications" (Unidata).
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "squall/io.hpp"

namespace squall::io::netcdf {

/// Types of elements, by the numbers that the format gives them.
enum class Stored { i8 = 1, text, i16, i32, f32, f64, u8, u16, u32, i64, u64 };

/// Bytes of one element.
std::size_t size_of(Stored type);

/// The type that holds every value of a stored one, in memory.
Type type_for(Stored type);

struct ClassicVariable {
    std::string name;
    Stored type = Stored::i8;
    bool record = false;             ///< whether the record dimension is its first
    std::vector<std::size_t> others; ///< the other dimensions, indices in ClassicHeader::dimensions
    std::vector<std::int64_t> shape; ///< their extents
    std::vector<Attribute> attributes;
    std::vector<std::string> unheld; ///< names of its attributes that no Attribute holds
    std::uint64_t begin = 0;         ///< where its first byte is in the file
    std::uint64_t bytes = 0;         ///< of all of it, or of one record, without what pads it to 4 bytes
};

struct ClassicHeader {
    std::optional<std::uint64_t> records; ///< none: to be found from the file's length
    std::optional<std::size_t> record_dimension;
    std::vector<Dimension> dimensions; ///< the record dimension with size 0
    std::vector<Attribute> attributes;
    std::vector<std::string> unheld; ///< names of attributes of the file that no Attribute holds
    std::vector<ClassicVariable> variables;
    std::uint64_t header_bytes = 0;
    std::uint64_t record_bytes = 0; ///< from a record of a variable to its next

    /// The least length of a file with this header and so many records.
    std::uint64_t length(std::uint64_t records) const;
    /// How many records a file of this length is long enough for; at most `records`.
    std::uint64_t whole_records(std::uint64_t file_bytes) const;
};

/// Whether a file begins as one in a classic format.
bool is_classic(std::istream &file);

/// Reads the header of a classic file of `file_bytes` bytes from its beginning. Throws Error: cut off, or
/// not as the format says.
ClassicHeader read_classic_header(std::istream &file, std::uint64_t file_bytes);

} // namespace squall::io::netcdf
