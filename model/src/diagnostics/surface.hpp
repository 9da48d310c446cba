/// Values near the ground.
#pragma once

#include "diagnostics/seen_air.hpp"

namespace squall {

/// Of the way from the ground's value to that of the lowest layer, at a height [m] above the ground, by the
/// logarithmic profile of neutral air (Stull 1988, section 9.7).
inline real share_of_lowest(const SeenAir &air, int i, int j, real height) {
    const real roughness = air.on_land(i, j) ? real(0.1) : real(2e-4); // [m]
    return logarithm(height / roughness) / logarithm(air.height_above_ground(i, 0, j) / roughness);
}

/// Wind along the grid at 10 m [m s-1]: that of the surface layer, in a run that has one.
struct Wind10 {
    real x, y;
};
inline Wind10 wind_10m(const SeenAir &air, int i, int j) {
    if (air.u_10m.origin) return {air.u_10m(i, j), air.v_10m(i, j)};
    const real share = share_of_lowest(air, i, j, 10);
    return {air.wind_x(i, 0, j) * share, air.wind_y(i, 0, j) * share};
}
inline real wind_speed_10m(const SeenAir &air, int i, int j) {
    const Wind10 wind = wind_10m(air, i, j);
    return std::sqrt(wind.x * wind.x + wind.y * wind.y);
}

/// Pressure of a column, reduced to sea level [Pa].
real sea_level_pressure(const SeenAir &air, int i, int j);

} // namespace squall
