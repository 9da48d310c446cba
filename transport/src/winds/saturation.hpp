/// Water vapour of saturated air.
#pragma once

#include <algorithm>
#include <cmath>

namespace squall::transport {

/// Saturated air's humidity over water [kg kg-1] by temperature [K] and pressure [Pa]. Bolton, D. (1980): The
/// computation of equivalent potential temperature. Mon. Wea. Rev. 108, 1046-1053, equation 10.
inline double saturation(double temperature, double pressure) {
    const double celsius = temperature - 273.15;
    const double vapour = 611.2 * std::exp(17.67 * celsius / std::max(celsius + 243.5, 1.0)); // [Pa]
    constexpr double ratio = 0.622;
    // where water boils, aloft, no vapour saturates the air
    return ratio * vapour / std::max(pressure - (1 - ratio) * vapour, vapour);
}

} // namespace squall::transport
