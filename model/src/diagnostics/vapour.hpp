/// Water vapour: saturation and the measures of humidity, as in squall.diagnose.vapour. Mixing ratios are kg
/// per kg of dry air, pressures Pa, temperatures K. T: float or double.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/elementary.hpp"

namespace squall {

inline constexpr double vapour_epsilon = 287.0 / 461.6; ///< r_d / r_v

namespace bolton { // Bolton (1980, Mon. Wea. Rev. 108, 1046-1053), equation 10: Pa, 1, K, K
inline constexpr double e0 = 611.2, a = 17.67, b = 29.65, t0 = 273.15;
} // namespace bolton

/// Of vapour over liquid water.
template <class T> T saturation_pressure(T temperature) {
    using namespace bolton;
    return T(e0) * exponential(T(a) * (temperature - T(t0)) / (temperature - T(b)));
}

/// Over liquid water; where water would boil, that at half the pressure.
template <class T> T saturation_mixing_ratio(T temperature, T pressure) {
    const T e = std::min(saturation_pressure(temperature), T(0.5) * pressure);
    return T(vapour_epsilon) * e / (pressure - e);
}

/// Of vapour of a mixing ratio in moist air of a pressure.
template <class T> T vapour_pressure(T mixing_ratio, T pressure) {
    return pressure * mixing_ratio / (T(vapour_epsilon) + mixing_ratio);
}

/// Over liquid water [1]: vapour pressure over that at saturation (WMO-No. 8, annex 4.B).
template <class T> T relative_humidity(T mixing_ratio, T temperature, T pressure) {
    return vapour_pressure(mixing_ratio, pressure) / saturation_pressure(temperature);
}

/// Temperature at which the vapour would be saturated over liquid water; some 40 K where there is none.
template <class T> T dew_point(T mixing_ratio, T pressure) {
    using namespace bolton;
    const T e = std::max(vapour_pressure(mixing_ratio, pressure), T(1e-10));
    const T x = logarithm(e / T(e0));
    return (T(a) * T(t0) - T(b) * x) / (T(a) - x);
}

/// Temperature at which dry air would be as dense.
template <class T> T virtual_temperature(T temperature, T mixing_ratio) {
    return temperature * (1 + mixing_ratio / T(vapour_epsilon)) / (1 + mixing_ratio);
}

} // namespace squall
