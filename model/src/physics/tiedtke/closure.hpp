/// How much air convection moves: the mass flux at its base, M_b.
///
/// Deep: available energy, in pressure, less what the boundary layer makes now, is gone after a time scale
/// (Bechtold et al. 2014, equations 6 to 18):
///     M_b = M_b* (PCAPE - PCAPE_bl) / (tau int g (M_u* - M_d*) (dT/dz + g / c_p + ...) / T dz)
///     PCAPE    = int_top^base ((T_v,u - T_v) / T_v - l_u) dp
///     PCAPE_bl = tau_bl / (1 K) int_base^surface dT_v/dt dp,    not below 0, of sources near the ground
///     tau      = s(dx) (z_top - z_base) / (2 m/s + w), within 6 minutes and 3 hours but for s
///     tau_bl   = over land that of the cloud, over sea z_base / (2 m/s + |v|), at most 300 s
/// with what makes the resolved and the other convection add up to one (Zhang and Wang 2017; WRF, cu_physics
/// = 16)
///     s = (1.06133 + ln(15 km / dx))^3 below dx = 15 km, 1 + 1.33e-5 dx / m from there.
/// Shallow (Tiedtke 1989): moist static energy below the cloud stays as it is,
///     M_b = int_surface^base (c_p dT/dt + L_v dq/dt) dm / (h_u - h) / s^(1/2) (below 15 km).
/// Middle (Tiedtke 1989): what the grid lifts, M_b = rho w.
#pragma once

#include "physics/tiedtke/draughts.hpp"

namespace squall::tiedtke {

/// By how much longer convection takes on cells of this size.
real scale_factor(real spacing);

/// M_b over first_flux, such that no layer loses more than it has; 0: there is none.
real close(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down);

} // namespace squall::tiedtke
