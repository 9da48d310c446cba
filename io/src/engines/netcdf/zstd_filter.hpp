/// zstd as a filter of HDF5, under the number registered for it with The HDF Group. Files made with
/// it open wherever the HDF5 plugin for zstd is installed; Squall needs no plugin.
#pragma once

namespace squall::io::netcdf {

inline constexpr unsigned zstd_filter = 32015; ///< takes one parameter, the level

/// Makes the filter known to HDF5 in this process, unless it is. Returns whether it is known now.
bool register_zstd_filter();

} // namespace squall::io::netcdf
