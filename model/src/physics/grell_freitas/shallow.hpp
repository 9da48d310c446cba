/// Shallow clouds of the scheme, which do not know the size of cells (WRF's ishallow = 1).
///
/// Source as that of deep ones, in the lowest 3 km; base at most 150 hPa above the top of the boundary layer.
/// They entrain and below their largest mass flux detrain 9e-5 m-1 (2.3 - 2 f), f relative humidity; rain
/// forms by 1e-3 m-1; they have no downdraughts, and what is left of condensate stays at the top: the
/// inversion that is closest to 100 hPa above the base, at most 200 hPa. An inversion is where the lapse of
/// temperature bends least. Mass flux, the mean of
///     (A - A_0) / dt / k, as of deep ones;   0.03 rho w*, w* the speed of thermals;
///     int_boundary layer (c_p dT/dt + L dq/dt) dm / (h_u - h) at the base, dt of turbulence
/// up to 1 kg m-2 s-1. At most 148 K a day.
#pragma once

#include "physics/grell_freitas/exchange.hpp"

namespace squall::grell_freitas {

class ShallowConvection {
  public:
    explicit ShallowConvection(int layers);

    /// In air whose `forced` is by turbulence alone. False: there is none, and `change` is not set.
    bool find(const Air &air, Exchange &change);

  private:
    real flux(const Air &air, const Cloud &cloud);
    real used_up(const Air &air, const Cloud &cloud, real work);

    Updraught up_;
    Downdraught none_;
    Response response_;
    Sounding tried_;
};

/// False: there is none.
bool find_shallow_cloud(const Air &air, Cloud &cloud);

} // namespace squall::grell_freitas
