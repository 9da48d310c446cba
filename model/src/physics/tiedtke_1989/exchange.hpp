/// What draughts and precipitation do to a column (Tiedtke 1989, equations 1 to 3, 12 and 19).
///
/// With M_u, M_d mass fluxes, s dry static energy, and s, q without index that of the air at the interface,
/// each layer's mass m [kg m-2] has
///     c_p m dT/dt = -d(M_u (s_u - s) - M_d (s_d - s)) + L C - L_f melt,    L = L_v or, if cold, L_v + L_f
///         m dq/dt = -d(M_u (q_u - q) - M_d (q_d - q)) - C
///               C = d(M_u l) + x D l + G - e
/// where d is the difference of an upper and a lower interface. Below the base the fluxes of the updraught
/// decrease to the ground as pressure does, with its square where convection begins aloft. Of detrained
/// condensate a share x stays as cloud, (RH - 0.8) / 0.2 within 0 and 1; the rest evaporates. Condensate is
/// frozen where a layer is colder than 273.16 K, but for the share of what stays as cloud that is liquid,
///     0.0059 + 0.9941 exp(-0.003102 (T - 273.16 K)^2),   none below 233.15 K
/// What comes from below into colder air freezes there; WRF does not count that heat.
/// Snow melts where it is warmer than 275.16 K, as much as that warmth can within the interval.
/// Precipitation P evaporates below the base in a twentieth C of the cell, up to 80 % of humidity (Kessler
/// 1969, with Tiedtke's equation 20): through a layer the root of P / C decreases by
///     1.93e-6 * 130.5 (1e3 / (38.3 * 0.293))^(1/2) (p / p_surface)^(1/4) (q_s - q) m
#pragma once

#include "physics/tiedtke/rates.hpp"
#include "physics/tiedtke_1989/draughts.hpp"

namespace squall::tiedtke_1989 {

struct Exchange : tiedtke::Rates {
    explicit Exchange(int layers);

    /// Rates of layers' contents: see Rates::divide_by.
    void find(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down);

  private:
    void set_fluxes(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down);
    void converge(const Air &air, const Updraught &up);
    void let_fall(const Air &air, const Updraught &up, const Downdraught &down);
    void evaporate_below(const Air &air, const Cloud &cloud);

    Profile heat_, vapour_, liquid_, u_, v_; ///< fluxes at interfaces, upward
    real rain_ = 0, snow_ = 0;               ///< that falls [kg m-2 s-1]
};

} // namespace squall::tiedtke_1989
