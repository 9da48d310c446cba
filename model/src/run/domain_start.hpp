/// What a domain begins with: its patches and its state.
#pragma once

#include <mpi.h>

#include "initial/initial.hpp"
#include "parallel/decomposition.hpp"
#include "run/shares.hpp"
#include "settings/config.hpp"

namespace squall {

/// The patch of the domain that a rank of the run has; without cells where it is not of the domain's share.
/// Throws std::invalid_argument: too many ranks.
Patch patch_of(const Config &config, const Share &share, int rank);

/// As make_initial_state; what fails on one rank fails on all. Collective.
InitialState read_initial(const Config &config, const Patch &patch, MPI_Comm comm);

/// Of a nest, on a rank that has neither its cells nor its parent's.
InitialState initial_elsewhere(const Config &config, const Patch &patch, const InitialState &parent);

} // namespace squall
