/// What a run file says of winds from analyses, compared with their file.
#pragma once

#include <functional>
#include <string>

#include <mpi.h>

#include "config/checks.hpp"
#include "runfile/settings.hpp"

namespace squall::transport {

/// Of a path and the run's start, as read_wind_header: what a file says of itself.
using WindHeaders = std::function<WindHeader(const std::string &, const std::string &)>;

/// By rank 0 for all ranks. Collective when called, and throws on all.
WindHeaders headers_for(MPI_Comm comm);

/// Sets settings.winds and, of [vertical] coordinate = "file", the levels; notes what does not fit: grid,
/// levels, times, variables, and keys that mean nothing.
void take_winds(squall::Reading &reading, Settings &settings, const WindHeaders &headers);

} // namespace squall::transport
