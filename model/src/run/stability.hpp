/// Stability limits of the time integration: RK3 advection and acoustic substeps.
#pragma once

#include "settings/config.hpp"

namespace squall {

/// What decides how long a step may be on one domain.
struct Stepping {
    double time_step = 0;                         ///< [s]
    int acoustic_substeps = 4;                    ///< per time step
    double dx = 0, dy = 0;                        ///< [m]
    bool one_row = false;                         ///< no y direction to be unstable in
    int horizontal_order = 5, vertical_order = 3; ///< least stable of momentum and scalar advection
};

/// Of the outermost domain of a run.
Stepping make_stepping(const Config &config);

/// Largest stable Courant number of one-dimensional linear advection with third-order
/// Runge-Kutta and centred or upwind operators of order 2 to 6 (Wicker and Skamarock 2002,
/// table 1; Skamarock et al. 2019, table 3.1). In two dimensions it bounds the sum
/// |u| dt / dx + |v| dt / dy. Throws std::invalid_argument for another order.
double advection_limit(int order);

/// Fastest sound that the acoustic limit allows for [m s-1]: of dry air at 310 K.
inline constexpr double sound_speed = 353;

/// Courant number of sound over one acoustic substep, c dt/n sqrt(1/dx^2 + 1/dy^2). The
/// forward-backward substeps are stable below 1, that is c dt/n / dx < 1/sqrt(2) where dx = dy
/// (Skamarock et al. 2019, section 3.2.3).
double acoustic_courant(const Stepping &s);

/// The fewest even substeps that keep acoustic_courant below 1.
int substeps_needed(const Stepping &s);

/// The step that practice has found safe: 6 s per km of the smaller spacing (Skamarock et al.
/// 2019, section 3.2.1).
double usual_time_step(const Stepping &s);

/// `step` rounded down to two digits, as a person would write it.
double round_step(double step);

} // namespace squall
