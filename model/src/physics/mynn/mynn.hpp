/// The boundary layer of Mellor, Yamada, Nakanishi and Niino, level 2.5: Nakanishi and Niino (2009, J.
/// Meteor. Soc. Japan 87, 895-912), with the liquid water of eddies as Nakanishi and Niino (2004, BLM 112,
/// 1-31).
///
/// Twice the turbulent kinetic energy, q^2, is predicted, and the air carries it (the scalar QKE). Fluxes of
/// wind, liquid water potential temperature and water are down their gradients, with the diffusivities L q S.
/// One backward step for the mean air, then one for q^2: what shear and buoyancy take from the air in the
/// first is what the second is given, and what dissipates heats the air, so that enthalpy, kinetic and
/// turbulent energy of a column together change by the sensible heat of the surface alone.
///
/// Beyond the paper: a column that comes without turbulence begins with the surface layer's, falling off
/// within 700 m (as WRF begins); q is at least 0.01 m/s where it mixes; the height of the boundary layer, and
/// how far up turbulence counts for the length scale of its whole, are those of Olson et al. (2019, NOAA
/// Tech. Memo. OAR GSD-61); no interface mixes more than the mean around it. Ice is mixed with heat but
/// neither weighs nor evaporates in the eddies. There is no mass flux, which WRF has added to the scheme
/// since.
#pragma once

#include "physics/boundary_layer_scheme.hpp"

namespace squall {

BoundaryLayerEntry mynn_scheme();

} // namespace squall
