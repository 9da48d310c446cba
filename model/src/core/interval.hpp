/// Times that come again after an interval, in steps of any lengths.
#pragma once

#include <cmath>

namespace squall {

/// Whether `time` is a multiple of `interval`, up to `tolerance`; all in seconds.
inline bool is_multiple(double time, double interval, double tolerance) {
    return std::abs(std::remainder(time, interval)) <= tolerance;
}

/// Whether a step from `begin` of a length has a multiple of `interval` in it, its end not counted, up to a
/// millionth of the interval, whatever its length: of steps that follow each other, one has it.
inline bool falls_due(double begin, double step, double interval) {
    const double slack = 1e-6 * interval, first = std::ceil((begin - slack) / interval) * interval;
    return first < begin + step - slack;
}

/// The first multiple of `interval` after `time`, which is none up to rounding.
inline double next_multiple(double time, double interval) {
    return (std::floor(time / interval + 1e-9) + 1) * interval;
}

} // namespace squall
