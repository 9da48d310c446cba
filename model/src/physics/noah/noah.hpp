/// Soil of four layers with its water and ice, vegetation, and a layer of snow: the Noah land surface model
/// of Chen and Dudhia (2001, Mon. Weather Rev. 129, 569) and Ek et al. (2003, J. Geophys. Res. 108, 8851),
/// with the snow of Livneh et al. (2010, J. Hydrometeorol. 11, 13); ice of land and sea. Equations, constants
/// and their order are those of WRF's sf_surface_physics = 2.
#pragma once

#include "physics/land_scheme.hpp"

namespace squall {

LandEntry noah_scheme();

/// Advances column i, of land or of the sea's ice, as the scheme does.
namespace noah {
void advance_column(const SurfaceColumns &columns, int i);
}

} // namespace squall
