/// What netCDF-C does not offer about netCDF-4 files: taking back records. Call under alone().
#pragma once

#include <cstdint>
#include <string>

namespace squall::io::netcdf {

/// Cuts the record dimension of a netCDF-4 file that nobody has open to `records`. Throws Error.
void cut_records(const std::string &file, std::int64_t records);

} // namespace squall::io::netcdf
