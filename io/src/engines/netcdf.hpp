/// The engine `netcdf`: one classic netCDF file through the serial netcdf-c library.
///
/// Files are 64-bit-offset (CDF-2), which every tool opens, unless a dimension or one record of a
/// variable is too large for it; then CDF-5.
#pragma once

#include "engine.hpp"

namespace squall::io::netcdf {

std::unique_ptr<Writer> create(const Layout &layout, const std::string &file);

/// Reads every format that netcdf-c reads.
std::unique_ptr<Source> open(const std::string &file);

/// Throws Error with the library's words unless status is 0.
void check(int status, const std::string &doing);

} // namespace squall::io::netcdf
