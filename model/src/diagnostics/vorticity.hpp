/// How the wind turns and spreads along layers.
#pragma once

#include "diagnostics/seen_air.hpp"

namespace squall {

/// Derivative of f(i) or f(j) over the distance on the grid: centred differences, one-sided where the domain
/// ends.
template <class F> real slope_x(const SeenAir &air, int i, F f) {
    const int low = air.ends.west && i == 0 ? i : i - 1;
    const int high = air.ends.east && i == air.grid.nx - 1 ? i : i + 1;
    return high == low ? 0 : (f(high) - f(low)) / (static_cast<real>(high - low) * air.grid.dx);
}
template <class F> real slope_y(const SeenAir &air, int j, F f) {
    const int low = air.ends.south && j == 0 ? j : j - 1;
    const int high = air.ends.north && j == air.grid.ny - 1 ? j : j + 1;
    return high == low ? 0 : (f(high) - f(low)) / (static_cast<real>(high - low) * air.grid.dy);
}

/// Relative vorticity [s-1]: mx my (d(v/my)/dx - d(u/mx)/dy), mx and my the map factors along x and y
/// (Haltiner and Williams 1980, section 1-9).
inline real relative_vorticity(const SeenAir &air, int i, int k, int j) {
    const real dv = slope_x(air, i, [&](int n) { return air.wind_y(n, k, j) / air.map_factor_y(n, j); });
    const real du = slope_y(air, j, [&](int n) { return air.wind_x(i, k, n) / air.map_factor_x(i, n); });
    return (dv - du) * air.map_factor_x(i, j) * air.map_factor_y(i, j);
}

} // namespace squall
