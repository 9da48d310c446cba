/// Water in soil and on leaves.
#pragma once

#include "physics/noah/evaporation.hpp"

namespace squall::noah {

/// What the ground did not keep [kg m-2 s-1].
struct Runoff {
    real surface = 0; ///< did not get in
    real base = 0;    ///< left below
};

/// Lets `rain` (what falls, melts and condenses, [kg m-2 s-1]) onto leaves and into the soil, water move
/// within it (Richards' equation, Mahrt and Pan 1984, Bound.-Layer Meteorol. 29, 1) and `lost` leave it; what
/// gets in follows Schaake et al. (1996, J. Geophys. Res. 101, 7461), through frozen soil Koren et al.
/// (1999).
Runoff move_water(const Site &site, Column &column, real rain, const Evaporation &lost, real dt);

} // namespace squall::noah
