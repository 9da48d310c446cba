/// Radar reflectivity by the size distributions of the microphysics scheme that made the water.
#pragma once

#include "diagnostics/seen_air.hpp"

namespace squall {

/// Equivalent reflectivity at a wavelength of 10 cm [dBZ], at least -35.
real reflectivity(const SeenAir &air, int i, int k, int j);

/// 1 km above the ground; `missing` where the model's air does not begin below and end above that.
real reflectivity_1km(const SeenAir &air, int i, int j);

} // namespace squall
