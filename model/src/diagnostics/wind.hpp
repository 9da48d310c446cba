/// Winds against the Earth.
#pragma once

#include <cmath>

#include "diagnostics/seen_air.hpp"

namespace squall {

/// Wind towards the east and the north [m s-1].
struct EarthWind {
    real east, north;
};

inline EarthWind to_earth(const SeenAir &air, int i, int j, real x, real y) {
    const real sine = air.grid.sina(i, j), cosine = air.grid.cosa(i, j);
    return {x * cosine - y * sine, y * cosine + x * sine};
}

/// Where it comes from, clockwise from true north, in [0, 360) degrees.
inline real wind_direction(EarthWind wind) {
    constexpr real degrees = real(57.29577951308232);
    const real from = 270 - degrees * std::atan2(wind.north, wind.east);
    return from - 360 * std::floor(from / 360);
}

} // namespace squall
