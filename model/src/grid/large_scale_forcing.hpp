/// What acts on a periodic domain from a flow too wide for it.
#pragma once

#include "core/real.hpp"

namespace squall {

/// Constant in time, the same everywhere; all zero, and off, in a run that has its weather from elsewhere.
struct LargeScaleForcing {
    bool on = false;
    real geostrophic_u = 0, geostrophic_v = 0; ///< what the pressure gradient balances [m s-1]
    real divergence = 0;                       ///< of the wide flow: air sinks at this times its height [s-1]
    double surface_warming = 0;                ///< of the skin [K s-1], from
    double surface_temperature = 0;            ///< [K] where the run starts
};

} // namespace squall
