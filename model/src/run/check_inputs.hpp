/// What a run would refuse when it reads its state, found without holding that state: for plans.
#pragma once

#include <string>

#include <mpi.h>

#include "settings/config.hpp"

namespace squall {

/// Makes the initial state, reads the frame that the run goes on from, and every record of the boundary file
/// that it will need, a few rows at a time, shared among the ranks; nothing is kept. Throws
/// std::runtime_error as the run would, on all ranks. Returns what the user should know of how the boundary
/// file is read, on the first rank; else "". Collective.
std::string check_inputs(const Config &config, MPI_Comm comm);

} // namespace squall
