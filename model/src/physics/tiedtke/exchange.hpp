/// What draughts and precipitation do to a column (Tiedtke 1989, equations 1 to 3 and 12; Bechtold et al.
/// 2014).
///
/// With M_u, M_d mass fluxes, s dry static energy and s_k that of the layer above an interface, from which
/// the air between sinks, each layer's dry mass m [kg m-2] has
///     c_p m dT/dt = -d(M_u (s_u - s_k) - M_d (s_d - s_k)) + L_v (c - e) + L_f (f - e_s - melt)
///         m dq/dt = -d(M_u (q_u - q_k) - M_d (q_d - q_k)) - c + e
///         m dl/dt, m di/dt = what is detrained
/// where d is the difference of an upper and a lower interface, and the budgets of the updraught's condensate
///     c = d(M_u (l + i)) + D (l + i) + G,    f = d(M_u i) + D i + G_s
/// so that water, c_p T + L_v q - L_f i + (u^2 + v^2) / 2 and momentum are kept whatever the draughts do. The
/// ascent below the base keeps q and s of the source.
/// Snow melts by L_f melt = c_p m (T - T_0) (1 + (T - T_0) / 2 K) / 5 h (Tiedtke 1989, with Cy40r1's 6.24).
/// Rain evaporates below the base in a twentieth of the cell (Kessler 1969),
///     e = 5.44e-4 s-1 (q_s - q) C m ((p / p_surface)^(1/2) P / (5.09e-3 C))^0.5777,  C = 0.05,
/// up to 0.9 of saturation over sea, 0.7 over land.
/// Wind: pressure across the cloud makes its wind follow that around it by 0.7 (Gregory et al. 1997),
///     M_u du_u/dz = E (u - u_u) + 0.7 M_u du/dz,
/// and the kinetic energy that mixing takes is heat.
#pragma once

#include "physics/tiedtke/draughts.hpp"
#include "physics/tiedtke/rates.hpp"

namespace squall::tiedtke {

/// Rates of change of layers, for draughts times a factor.
struct Exchange : Rates {
    explicit Exchange(int layers);

    void find(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down, real factor);

  private:
    void move_heat_and_water(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down,
                             real factor);
    void let_fall(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down,
                  real factor);
    void move_wind(const Cloud &cloud, const Updraught &up, const Downdraught &down, real factor,
                   const Profile &wind, Profile &rate);

    Profile heat_flux_, water_flux_; ///< at interfaces, upward
    Profile inside_, sinking_;       ///< wind of the draughts
};

} // namespace squall::tiedtke
