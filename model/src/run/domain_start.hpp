/// What a domain begins with: its patches and its state.
#pragma once

#include <mpi.h>

#include "initial/initial.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// This rank's patch of the domain. Throws std::invalid_argument: too many ranks.
Patch patch_of(const Config &config, MPI_Comm comm);

/// As make_initial_state; what fails on one rank fails on all. Collective.
InitialState read_initial(const Config &config, const Patch &patch, MPI_Comm comm);

} // namespace squall
