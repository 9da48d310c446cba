/// The engine `netcdf`: one file through netCDF-C, written by one rank; and reading of everything
/// that netCDF-C reads.
#pragma once

#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "publish/writer.hpp"
#include "read/source.hpp"

namespace squall::io::netcdf {

/// One file, written by this rank alone, with every field whole.
std::unique_ptr<Writer> create(const Layout &layout, const std::string &file, Seat seat);

/// Whether a file begins as one of netCDF's formats does.
bool recognises(const std::string &path);

/// Reads every format that netCDF-C reads.
std::unique_ptr<Source> open(const std::string &file);

} // namespace squall::io::netcdf
