/// Monin-Obukhov similarity in the surface layer, the revised MM5 scheme: Jimenez et al. (2012, MWR 140,
/// 898-918).
///
/// Gusts, roughness of water, sublayer and fluxes: physics/mm5/similarity.hpp.
///
/// Where WRF departs from the paper, this follows WRF: thermal stability decides between stable and unstable
/// with memory (air that was heated from below is not stable in the next step), the Richardson number is
/// bounded by 250, corrections by 0.9 ln(z/z0).
#pragma once

#include "physics/surface_layer_scheme.hpp"

namespace squall {

SurfaceLayerEntry revised_mm5_scheme();

} // namespace squall
