/// The kinds of netCDF file that the engines make: which one a stream's files are, and what it cannot hold.
///
/// Of the classic kinds every tool opens CDF-2, and nearly every one CDF-1; CDF-5 has numbers and sizes that
/// these lack. Limits: NetCDF Users Guide, "Large File Support".
#pragma once

#include <string>
#include <vector>

#include "declare/layout.hpp"

namespace squall::io::netcdf {

enum class Kind { cdf1, cdf2, cdf5, netcdf4 };

/// The option `format`, for Engine::options. `further`: its words beside those for the classic kinds.
OptionInfo format_option(const std::string &preset, const std::string &about,
                         const std::vector<std::string> &further = {});

/// The kind of a stream's files. Where option `format` does not name it: netCDF-4 with a codec, else CDF-2 if
/// it holds the stream, else CDF-5.
Kind kind_of(const Layout &layout);

/// What of a stream the kind that its option names cannot hold, and what can; or "".
std::string kind_fault(const Layout &layout);

/// The same of what a client adds to a file; for Engine::attributes_objection.
std::string attributes_fault(const Layout &layout, const std::vector<Attribute> &attributes);

/// What of a stream the file at `path`, to which it is to append, cannot hold, or "".
std::string append_fault(const Layout &layout, const std::string &path);

} // namespace squall::io::netcdf
