/// How much air convection moves: the mean of what closures say (Grell and Devenyi 2002; Grell and Freitas
/// 2014, section 2).
///
/// A is the work of buoyancy per mass: A_0 in the air now, A in the air as forced over a step, and A' in that
/// after draughts have moved 5 kg m-2, so that they use up k = (A - A') / 5 kg m-2 (WRF: 0.1, whose
/// difference single precision rounds by some per cent). In the ensemble of 16 are
///     4  what the grid and turbulence make,  (A - A_0) / dt / k          (Arakawa and Schubert 1974)
///     4  what there is, in a time,           A / tau / k                 (Fritsch and Chappell 1980)
///     4  the mass that rises near the base, 1.5 rho w / (1 - s eta_d / eta_u), one of them times 1.5
///                                                                        (Brown 1979)
///     4  the vapour that the grid brings,    -int rho w dq / (1 - s eta_d) / rain    (Krishnamurti 1983)
/// with tau = (z_top - z_base) / 7 m/s (1.0061 + 0.0123 dx / km), and the first two kinds left out where
/// turbulence and the grid take work away. Less what the boundary layer makes now, where it reaches the base
/// (Bechtold et al. 2014, J. Atmos. Sci. 71, 734):
///     A_bl = tau_bl / 4 K int_0^base g d(T + 0.608 q)/dt dz,  A_bl / tau / k
/// tau_bl = (z_top - z_base) / 7 m/s over land, z_base / (2 m/s + |v|) over sea. All times (1 - sigma)^2.
#pragma once

#include "physics/grell_freitas/exchange.hpp"

namespace squall::grell_freitas {

class Closure {
  public:
    explicit Closure(int layers);

    /// Mass flux of updraughts where it is largest [kg m-2 s-1]; 0: there is none.
    real flux(const Air &air, const Cloud &cloud, Updraught &up, const Downdraught &down,
              const Response &response);

  private:
    real used_up(const Air &air, const Cloud &cloud, Updraught &up, const Response &response, real work);

    Sounding tried_;
};

} // namespace squall::grell_freitas
