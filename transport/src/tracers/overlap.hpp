/// Length of what two intervals have in common.
#pragma once

#include <algorithm>

namespace squall::transport {

inline double overlap(double a0, double a1, double b0, double b1) {
    return std::max(0.0, std::min(a1, b1) - std::max(a0, b0));
}

} // namespace squall::transport
