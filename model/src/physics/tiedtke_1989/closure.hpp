/// How much air convection moves: the mass flux at its base, M_b.
///
/// Deep: buoyant energy is gone after tau = 40 minutes (Nordeng 1994),
///     M_b = M_b* CAPE / (tau int g (M_u* + M_d*) / rho ((dT/dz + g / c_p) / T + 0.61 dq/dz) dz)
///     CAPE = int g ((T_v,u - T_v) / T_v - l) dz
/// where the air between surface and cloud top is not too dry: 70 % of relative humidity on average (Zhang,
/// Wang and Hamilton 2011). Shallow: as in cloud.hpp, with the vapour that downdraughts bring, if that
/// changes M_b by less than a fifth. Aloft: what the grid lifts.
#pragma once

#include "physics/tiedtke_1989/draughts.hpp"

namespace squall::tiedtke_1989 {

/// 0: there is none.
real closed_flux(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down);

} // namespace squall::tiedtke_1989
