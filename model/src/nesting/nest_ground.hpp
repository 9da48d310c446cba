/// What lies under a nest that begins: in each cell what its parent has in the cell around it. Land use and
/// all that follows from it have no values in between.
#pragma once

#include "initial/initial.hpp"
#include "nesting/parent_window.hpp"
#include "nesting/place.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

/// Sets what changes of the surface, and the heating by radiation, of a nest that begins within a run.
/// Collective.
void lay_surface(ParentWindow &window, const NestPlace &place, const Patch &patch, const PhysicsState &parent,
                 PhysicsState &nest);

/// Sets the ground and the state of the surface of `nest`, as far as the run has them; `patch`: this rank's
/// of the nest. Collective.
void lay_ground(ParentWindow &window, const NestPlace &place, const Patch &patch, const InitialState &parent,
                InitialState &nest);

} // namespace squall
