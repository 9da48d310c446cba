/// Aerosols that microphysics carries, at the beginning.
#pragma once

#include "initial/initial.hpp"

namespace squall {

/// Gives owned columns that have none the usual ones, and from their ground as many as usual.
void add_usual_aerosol(InitialState &state);

} // namespace squall
