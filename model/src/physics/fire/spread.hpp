/// The rate at which a front of fire moves along its normal.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/array.hpp"
#include "core/elementary.hpp"
#include "physics/fire/fuel.hpp"

namespace squall::fire {

/// Of the cells of a patch, as kernels hold it.
struct SpreadFields {
    ConstField2 base, wind_factor, wind_power, slope_factor, chaparral; ///< as in Spread
    ConstField2 u, v;                                                   ///< wind [m s-1]
    ConstField2 slope_x, slope_y;                                       ///< gradient of the ground
};

/// How wind and slope act that are not along the normal.
struct SpreadRule {
    /// Whether their whole makes the rate, of which the front takes the part along its normal; else their
    /// parts along the normal make it (WRF fire_advection).
    bool projects_rate = true;
    real slope_factor = 1; ///< by which what the slope adds is multiplied
};

/// Wind and slope that act on a front, and which part of what they add counts.
struct Driver {
    real wind, slope, wind_part, slope_part;
};

inline Driver driver_of(const SpreadFields &f, bool projects_rate, real nx, real ny, int i, int j) {
    const real u = f.u(i, j), v = f.v(i, j), sx = f.slope_x(i, j), sy = f.slope_y(i, j);
    const real along = u * nx + v * ny, up = sx * nx + sy * ny;
    if (!projects_rate) return {along, up, 1, 1};
    constexpr real tiny = std::numeric_limits<real>::min();
    const real speed = std::sqrt(u * u + v * v) + tiny, steepness = std::sqrt(sx * sx + sy * sy) + tiny;
    return {speed, steepness, std::max(along / speed, real(0)), std::max(up / steepness, real(0))};
}

/// Along the unit normal (nx, ny) [m s-1]. Rothermel's equation 52; of chaparral 1.2974 wind^1.41, and
/// against the wind 0.033 (Coen's fits). At most fastest_spread: wind and slope add less then.
inline real rate_of_spread(const SpreadFields &f, const SpreadRule &rule, real nx, real ny, int i, int j) {
    const Driver d = driver_of(f, rule.projects_rate, nx, ny, i, j);
    const real wind = std::max(d.wind, real(0)), slope = std::max(d.slope, real(0));
    const real base = f.base(i, j);
    real by_wind, by_slope;
    if (f.chaparral(i, j) > 0) {
        by_wind = std::max(real(1.2974) * power(wind, real(1.41)), real(0.03333));
        by_slope = 0;
    } else {
        by_wind = base * f.wind_factor(i, j) *
                  power(std::min(wind, fastest_wind) * feet_per_minute, f.wind_power(i, j));
        by_slope = base * f.slope_factor(i, j) * slope * slope;
    }
    by_wind *= d.wind_part;
    by_slope *= d.slope_part;
    const real added = by_wind + by_slope, room = std::max(fastest_spread - base, real(0));
    const real kept = added > room ? room / added : real(1);
    return base + kept * (by_wind + rule.slope_factor * by_slope);
}

} // namespace squall::fire
