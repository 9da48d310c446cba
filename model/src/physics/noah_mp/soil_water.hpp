/// Water in soil: what of rain and melt comes in (Schaake et al. 1996, J. Geophys. Res. 101, 7461; over
/// groundwater by the share of the ground that is saturated, Niu et al. 2005, D21106), moves between layers
/// (Richards' equation; frozen soil after Niu and Yang 2006, J. Hydrometeorol. 7, 937, or Koren et al. 1999,
/// J. Geophys. Res. 104, 19569), and leaves at the base or to the aquifer.
#pragma once

#include "physics/noah_mp/column.hpp"

namespace squall::noah_mp {

/// What comes to the soil and goes [m s-1].
struct SoilFluxes {
    real arriving;    ///< at its surface
    real evaporation; ///< from the uppermost layer
    Layers roots;     ///< drawn from each
};

/// [kg m-2 s-1].
struct Runoff {
    real surface = 0, base = 0;
};

/// Moves it for dt; Column::liquid, moisture and, with groundwater, below, with `ice` [m3 m-3] as it is.
Runoff move_water(const Site &site, const SoilFluxes &fluxes, const Layers &ice, real dt, Column &column);

} // namespace squall::noah_mp
