/// From a run file to settings.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

#include "runfile/settings.hpp"
#include "runfile/winds.hpp"

namespace squall::transport {

/// Reads and checks the text of a run file called `file`; paths in it start at that file's folder.
/// `overrides`: "table.key=value". `headers`: how a file of winds is looked at. Throws ConfigError: all that
/// is wrong, each with its line, and what would work.
Settings parse_settings(const std::string &text, const std::string &file,
                        const std::vector<std::string> &overrides,
                        const WindHeaders &headers = read_wind_header);

/// The same for a file, which rank 0 reads. Collective.
Settings read_settings(MPI_Comm comm, const std::string &file, const std::vector<std::string> &overrides);

} // namespace squall::transport
