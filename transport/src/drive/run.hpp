/// A whole run, from the settings to the last published frame.
#pragma once

#include <string>

#include <mpi.h>

#include "run/driver.hpp"
#include "runfile/settings.hpp"

namespace squall::transport {

/// Reads what the files say of themselves that tracers' sources name. Collective; throws ConfigError on all
/// ranks: what is wrong with them, and the line of the run file.
void check_files(const Settings &settings, MPI_Comm comm);

/// What a run computes with, as --check tells it.
std::string describe(const Settings &settings, int ranks);

/// Reads all that a run will read of its winds, by the first rank. Throws AgreedError on all ranks for a
/// value that is no number. Collective.
void check_winds(const Settings &settings, MPI_Comm world);

/// Runs to the end, or until a signal asks to stop: a restart frame is there then. Collective. Throws
/// ConfigError and AgreedError on all ranks alike, anything else perhaps on one alone.
RunEnd run(const Settings &settings, const RunOptions &options, MPI_Comm world);

} // namespace squall::transport
