/// What makes storms turn.
#pragma once

#include "diagnostics/seen_air.hpp"

namespace squall {

/// Of updraughts between 2 and 5 km above the ground [m2 s-2]: the integral of vorticity times w, where w is
/// upwards (Kain et al. 2008, Wea. Forecasting 23, 931-952, equation 1).
real updraft_helicity(const SeenAir &air, int i, int j);

} // namespace squall
