/// Monin-Obukhov similarity in the surface layer, the older MM5 scheme (Zhang and Anthes 1982, J. Appl.
/// Meteorol. 21, 1594), which is WRF's sf_sfclay_physics = 91.
///
/// By the bulk Richardson number Ri, with L = ln(z / z0) and psi at most 0.9 L:
///     Ri >= 0.2        psi_m = psi_h = -10: turbulence is damped
///     0 < Ri < 0.2     psi_m = psi_h = -5 Ri L / (1.1 - 5 Ri), not below -10 (Webb 1970, Q. J. R. Meteorol.
///                      Soc. 96, 67); in proportion to the height at 2 m and 10 m
///     Ri < 0           Paulson (1970, J. Appl. Meteorol. 9, 857) of Dyer and Hicks (1970, Q. J. R. Meteorol.
///                      Soc. 96, 715) at zeta = k g z theta* / (theta u*^2) of the last step, not below -10
/// The profile of heat is at least 2, the friction velocity over land at least 0.1 m s-1.
/// Gusts, roughness of water, sublayer and fluxes: similarity.hpp.
#pragma once

#include "physics/surface_layer_scheme.hpp"

namespace squall {

SurfaceLayerEntry mm5_scheme();

} // namespace squall
