/// The surface layer of MM5 before its revision (WRF's sf_sfclay_physics = 91): Zhang and Anthes (1982, J.
/// Appl. Meteor. 21, 1594-1609), whose four classes of stability go by the bulk Richardson number.
///
/// With R the bulk Richardson number of the layer up to z, and L = ln(z/z0), the corrections of momentum and
/// heat
///   R >= 0.2:     psi = max(-10 L, -10)
///   0 < R < 0.2:  psi = max(-5 R L / (1.1 - 5 R), -10)                          (Blackadar 1976)
///   R = 0:        psi = 0
///   R < 0:        those of Paulson (1970, J. Appl. Meteor. 9, 857-861) of z/L = k g z T* / (theta u*^2) of
///   the
///                 step before, bounded by -9.9999, and by 0.9 L
/// At another height h stable corrections are h/z of these, unstable ones those of h/L. Gusts, the sea and
/// how the friction velocity follows are those of revised_mm5.hpp; u* is at least 0.1 m s-1 over land, and
/// what heat and vapour of water have to pass at least 2.
#pragma once

#include "physics/surface_layer_scheme.hpp"

namespace squall {

SurfaceLayerEntry mm5_scheme();

} // namespace squall
