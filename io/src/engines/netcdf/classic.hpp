/// What netcdf-c does not offer about files in the classic formats (CDF-1, CDF-2, CDF-5): their
/// true length, and taking back records. Format: NetCDF Users Guide, appendix "File Format
/// Specifications" (Unidata).
#pragma once

#include <cstdint>
#include <string>

namespace squall::io::netcdf {

/// Throws Error if a classic file is shorter than its header says; netcdf-c would read zeros
/// there. Returns false if the file is in no classic format.
bool check_length(const std::string &file);

/// How many of the records that its header names a classic file is long enough for.
std::int64_t whole_records(const std::string &file);

/// Sets the number of records of a classic file that nobody has open.
void set_records(const std::string &file, std::int64_t records);

} // namespace squall::io::netcdf
