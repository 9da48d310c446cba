/// The largest and the smallest of numbers.
#pragma once

#include <cmath>

namespace squall::io {

/// The largest of two, or the smallest; not a number if one is not, so that a hole is never taken for calm.
inline double more_extreme(bool largest, double so_far, double x) {
    return std::isnan(x) || (largest ? x > so_far : x < so_far) ? x : so_far;
}

} // namespace squall::io
