/// What a nest that moves takes along.
#pragma once

#include <mpi.h>

#include "grid/physics_state.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// Sets the points of `to` that lie where `from` had points, before the domain moved by so many of its cells
/// eastward and northward, to the values of those, bit for bit. Owned points, the last faces too. `patch`:
/// this rank's. Collective over `comm`.
struct DomainState {
    State &state;
    PhysicsState &physics;
};
void keep_overlap(MPI_Comm comm, const Config &config, const Patch &patch, int east, int north,
                  DomainState from, DomainState to);

} // namespace squall
