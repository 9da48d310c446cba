/// Five layers of soil that conduct heat, and no water in them: Dudhia (1996, the sixth PSU/NCAR MM5 users'
/// workshop, 49-50), with the energy budget of Blackadar (1979) at the surface.
///
/// Layers of 1, 2, 4, 8 and 16 cm; the deepest keeps its temperature. All soils diffuse heat at 5e-7 m2 s-1;
/// their heat capacity follows from the thermal inertia of the land use. The temperature of the ground is
/// that of the first layer's change; under snow it stays at or below 273.16 K. Substeps are as WRF's,
/// sensible and latent heat following the ground's temperature in each; what the air gets is their mean.
#pragma once

#include "physics/land_scheme.hpp"

namespace squall {

LandEntry slab_scheme();

} // namespace squall
