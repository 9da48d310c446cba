/// What is left of light after an optical depth.
#pragma once

#include <algorithm>

#include "core/elementary.hpp"

namespace squall::radiation {

/// exp(-depth) to 2e-10, vectorised; 0 to that accuracy beyond a depth of 80.
inline double attenuation(double depth) { return detail::exponential(-std::min(depth, 80.0)); }

} // namespace squall::radiation
