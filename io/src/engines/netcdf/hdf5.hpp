/// What netCDF-C does not offer about netCDF-4 files: taking back records. Call under alone().
#pragma once

#include <cstdint>
#include <string>

namespace squall::io::netcdf {

/// Throws Error unless all that a netCDF-4 file names is in it: a link or a dataset that leads into another
/// file would be written there.
void require_self_contained(const std::string &file);

/// Cuts the record dimension of a netCDF-4 file that nobody has open to `records`. Throws Error.
void cut_records(const std::string &file, std::int64_t records);

} // namespace squall::io::netcdf
