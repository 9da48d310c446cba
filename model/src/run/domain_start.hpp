/// What a domain begins with: its patches and its state.
#pragma once

#include <mpi.h>

#include "initial/initial.hpp"
#include "parallel/decomposition.hpp"
#include "run/shares.hpp"
#include "settings/config.hpp"

namespace squall {

/// The patch of the domain that a rank of the run has; without cells where it is not of the domain's share.
/// Throws AgreedError: too many ranks.
Patch patch_of(const Config &config, const Share &share, int rank);

/// As make_initial_state; what fails on one rank fails on all. Collective.
InitialState read_initial(const Config &config, const Patch &patch, MPI_Comm comm);

/// The levels of a nest in a domain with `parent`'s: of its file, of its eta, or these, divided. Throws
/// std::runtime_error: what is wrong with the file.
VerticalGrid levels_of(const NestConfig &nest, const VerticalGrid &parent);

/// Of a nest on `levels`, on a rank that has neither its cells nor its parent's.
InitialState initial_elsewhere(const Config &config, const Patch &patch, const InitialState &parent,
                               const VerticalGrid &levels);

} // namespace squall
