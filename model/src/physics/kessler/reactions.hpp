/// What rain, cloud and vapour make of each other in one time step, point by point: autoconversion,
/// accretion, saturation adjustment and the evaporation of rain (Klemp and Wilhelmson 1978,
/// equations 2.12-2.14 and the adjustment of Soong and Ogura 1973).
#pragma once

#include "physics/moist_columns.hpp"

namespace squall {

/// Advances theta, vapour, cloud and rain of all columns. `fallen`: the rain after its fall, while
/// c.rain still is the rain before it, which collects cloud.
void react_warm(const MoistColumns &c, ConstColumns fallen);

} // namespace squall
