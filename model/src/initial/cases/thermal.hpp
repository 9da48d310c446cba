/// The warm bubble that cases start from.
#pragma once

#include "initial/ideal.hpp"

namespace squall {

/// theta' = amplitude cos^2(pi r / 2) within r <= 1 of the ellipsoid that the case's parameters
/// amplitude, centre_x, centre_y, height, radius_x, radius_y and radius_z tell; a cylinder along y
/// where radius_y is 0.
Disturbance thermal(const Config &config);

} // namespace squall
