/// Ground of a nest's own under what it has from its parent.
///
/// Where a nest has an initial file, its terrain is the file's, but its parent's in the specified rows, and
/// in between passes from one to the other (WRF's blend_width); so do column mass and geopotential of the
/// base state. Air is moved from one ground to another in its layers: its departures from the base state
/// stay, and its relative humidity.
#pragma once

#include "initial/initial.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// Throws std::runtime_error unless `own`, the levels of a nest's file, have the top of its parent's and lie
/// over terrain as those do. `config`: the nest's.
void check_levels(const Config &config, const VerticalGrid &own, const VerticalGrid &parent);

/// Whose state a nest with ground of its own begins with.
enum class StateOf { file, parent };

/// Makes of `nest`, which was begun from its parent, and `own`, which is its file's, the state that it begins
/// with, both on the file's levels. `config`: the nest's; `blend_rows`: beside its rim's rows. Owned points.
void lay_on_own_ground(const Config &config, const Patch &patch, int blend_rows, InitialState own,
                       StateOf state, InitialState &nest);

} // namespace squall
