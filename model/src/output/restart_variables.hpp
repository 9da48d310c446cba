/// All that a domain carries from one step to the next, under the names that files have for it: what a
/// restart frame holds, and what goes along when a nest moves.
#pragma once

#include <string>
#include <vector>

#include "grid/physics_state.hpp"
#include "grid/state.hpp"
#include "output/location.hpp"
#include "settings/config.hpp"

namespace squall {

/// An array of a patch; of a plane one level. View: Field3 or ConstField3.
template <class View> struct Variable {
    std::string name;
    Location where;
    View view;
};

using StateVariable = Variable<Field3>;
using ConstStateVariable = Variable<ConstField3>;

/// How many levels an array has in a domain of nz layers.
int levels_of(const Location &where, int nz);

/// Those of a run with these settings, always in the same order. Arrays without points have null views.
std::vector<StateVariable> state_variables(State &state, PhysicsState &physics, const Config &config);
std::vector<ConstStateVariable> state_variables(const State &state, const PhysicsState &physics,
                                                const Config &config);

/// What physics of this run carries, zero.
PhysicsState physics_state_of(const Config &config, Shape shape);

/// Tells the surface of a state that was read or moved what radiation keeps for it.
void share_radiation(PhysicsState &physics, const Config &config);

} // namespace squall
