/// The fall of rain in one column: upstream, in as many substeps as its fall speed asks for.
#pragma once

#include "physics/moist_columns.hpp"

namespace squall {

/// Fall speed 36.34 m/s (0.001 rho q)^0.1364 sqrt(rho_0 / rho), rho_0 that of the lowest layer
/// (Klemp and Wilhelmson 1978, equation 2.15), anew after every substep. What leaves a layer arrives
/// below, per mass of the layers' dry air. WRF (c.as_wrf) takes the distances of their centres in place of
/// their depths: where layers grow with height, more arrives than has left.
class FallingRain {
  public:
    /// Works in `profiles` times nz rows of scratch.
    FallingRain(int nz, const Scratch &scratch);
    static constexpr int profiles = 7;

    /// For a column with rain: sets fallen(i, k) to it after c.dt and adds what reached the ground to
    /// c.rain_sum[i] [mm]. c.rain is left as it is.
    void fall(const MoistColumns &c, int i, Columns fallen);

  private:
    void load(const MoistColumns &c, int i);
    int substeps(real time);
    real step(real dt);
    real step_as_wrf(real dt);

    int nz_;
    bool as_wrf_ = false;
    real *rain_, *density_, *thinness_, *rdepth_, *rmass_, *rdistance_, *speed_; ///< of one column
};

} // namespace squall
