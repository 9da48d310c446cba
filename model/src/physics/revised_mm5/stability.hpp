/// Stability corrections of the profiles in the surface layer, and the stability that a bulk Richardson
/// number means (Jimenez et al. 2012, MWR 140, 898-918).
#pragma once

#include "core/real.hpp"

namespace squall::revised_mm5 {

/// Integrated corrections for momentum and heat at zeta = z/L. Stable: Cheng and Brutsaert (2005, BLM 114,
/// 519-538; equations 18 and 19 of Jimenez et al.). Unstable: Fairall et al. (1996, JGR 101, 3747-3764),
/// which goes from Paulson (1970) to free convection as zeta squared grows (equations 22 to 27); the exponent
/// of free convection is 0.33 as in WRF, not 1/3.
real psi_momentum(real zeta);
real psi_heat(real zeta);

/// zeta of height z over a surface of roughness z0 [m] that has this bulk Richardson number: root of
/// Ri = zeta psi_h / psi_m^2 (equation 9). Secants from 0 and 5, or -5, end when they are within 0.01 or
/// after ten steps: WRF's answer, also where ten are not enough, in air far more stable than is known of.
real stability_of(real richardson, real z, real z0);

} // namespace squall::revised_mm5
