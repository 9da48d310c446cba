/// Roughness lengths for momentum, heat and vapour [m].
#pragma once

#include "core/real.hpp"

namespace squall::mynn_surface {

struct ScalarRoughness {
    real heat, vapour;
};

/// Of air [m2 s-1]: Andreas (1989, CRREL Rep. 89-11).
real viscosity(real temperature);

/// Of water, for momentum, by friction velocity, the wind at height z and viscosity.
real of_water(real ust, real speed, real z, real viscosity);

/// Of water, for heat and vapour, by the roughness Reynolds number: COARE 3.
ScalarRoughness scalars_of_water(real reynolds);

/// Of land of roughness z0: Zilitinkevich (1995).
ScalarRoughness scalars_of_land(real z0, real reynolds);

/// Of snow, whose own roughness follows from the wind: Andreas (2002; Andreas, Persson et al. 2005).
ScalarRoughness scalars_of_snow(real ust, real viscosity);

} // namespace squall::mynn_surface
