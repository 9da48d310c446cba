/// Monin-Obukhov similarity in the surface layer, the revised MM5 scheme: Jimenez et al. (2012, MWR 140,
/// 898-918).
///
/// Gusts widen the wind: of convection (Beljaars 1995 over land; by the difference in virtual temperature
/// over water) and of what the grid does not resolve (Mahrt and Sun 1995). The roughness of water for
/// momentum is Charnock's with 0.0185 and the viscous one, bounded by 2.85 mm; for heat and vapour that of
/// COARE 3 (Fairall et al. 2003, J. Climate 16, 571-591, equation 28). Over land vapour and heat go through a
/// molecular sublayer (Carlson and Boland 1978), which counts for vapour alone, as in WRF. The friction
/// velocity is the mean of the last step's and this one's, as in WRF, to damp oscillations.
///
/// Where WRF departs from the paper, this follows WRF: thermal stability decides between stable and unstable
/// with memory (air that was heated from below is not stable in the next step), the Richardson number is
/// bounded by 250, corrections by 0.9 ln(z/z0).
#pragma once

#include "physics/surface_layer_scheme.hpp"

namespace squall {

SurfaceLayerEntry revised_mm5_scheme();

/// With a sea as under tropical storms: WRF's isftcflx = 1 and 2 (exchange.hpp).
SurfaceLayerEntry revised_mm5_donelan_scheme();
SurfaceLayerEntry revised_mm5_garratt_scheme();

} // namespace squall
