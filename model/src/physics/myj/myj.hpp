/// The boundary layer of Mellor, Yamada and Janjic, level 2.5: Janjic (1990, MWR 118, 1429-1443; 1994, MWR
/// 122, 927-945; 2002, NCEP Office Note 437).
///
/// Twice the turbulent kinetic energy, q^2, is predicted at the interfaces of layers; it stays in its column,
/// as in WRF. Production and dissipation advance l/q; then q^2 diffuses, held at B1^2/3 u*^2 at the ground.
/// Fluxes of wind, liquid water potential temperature, vapour, cloud water and ice are down their gradients.
/// q^2 is at least 0.2 m2/s2, what turbulence begins with; the boundary layer ends where it is not more. What
/// dissipates does not heat the air.
///
/// As published: one backward step on the mass of dry air, into which the surface's fluxes of heat and vapour
/// go as they are, so that the column gains what the surface gave. As WRF (TurbulentColumns::as_wrf), where
/// the surface layer has conductances: on the mass of moist air, of specific humidity; fluxes are those of
/// the conductance and the values after the step, so that what the column gains is not what HFX and QFX say;
/// air that is nearly saturated takes up no vapour.
#pragma once

#include "physics/boundary_layer_scheme.hpp"

namespace squall {

BoundaryLayerEntry myj_scheme();

} // namespace squall
