/// What goes into the air from soil, leaves and their water.
#pragma once

#include "physics/noah/column.hpp"

namespace squall::noah {

/// What the air could take up, and what the surface's energy balance needs of it.
struct Potential {
    real evaporation; ///< [kg m-2 s-1]; negative: dew
    real cooling;     ///< of the air by it [K]
    real heat;        ///< that the air takes up for each kelvin of difference [W m-2 K-1]
    real radiative;   ///< 1 and what radiation and rain take up, over `heat`
    real net;         ///< heat for the air, from the ground at the air's temperature [W m-2]
    real freezing;    ///< latent heat of rain that freezes, negative [W m-2]
};

/// Penman's potential evaporation, with the surface's temperature out of it by linearisation around the
/// air's: Mahrt and Ek (1984, J. Clim. Appl. Meteorol. 23, 222). `cover`: share that is snow. `ground_heat`:
/// into the soil [W m-2].
Potential potential_evaporation(const Air &air, real emissivity, real cover, real ground_heat);

/// How much of the potential evaporation a canopy without water on its leaves transpires, 0 to 1: its stomata
/// by Jarvis (1976), Chen et al. (1996, J. Geophys. Res. 101, 7251, equations 7 to 12).
real transpiring_share(const Air &air, const Site &site, const Column &column);

/// Of soil, leaves and roots [kg m-2 s-1].
struct Evaporation {
    real soil = 0, canopy = 0;
    Layers roots{};

    real sum() const { return soil + canopy + roots[0] + roots[1] + roots[2] + roots[3]; }
};

/// Shares the potential evaporation, where it is not negative, among them: Chen and Dudhia (2001, Mon.
/// Weather Rev. 129, 569, equations 5 to 8), the soil's as Ek et al. (2003, J. Geophys. Res. 108, 8851).
Evaporation evaporate(const Site &site, const Column &column, real potential, real transpiring, real dt);

} // namespace squall::noah
