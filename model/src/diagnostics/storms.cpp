#include "diagnostics/storms.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "diagnostics/column_values.hpp"
#include "diagnostics/vorticity.hpp"

namespace squall {
namespace {

constexpr real to_the_side = real(7.5); ///< of Bunkers et al. (2000) [m s-1]

struct Vector {
    real x, y;
};

/// Of the part of a layer that lies between two heights above the ground [m].
real thickness_between(const SeenAir &air, int i, int k, int j, real low, real high) {
    const real ground = air.ground(i, j);
    return std::clamp(air.interface_height(i, k + 1, j) - ground, low, high) -
           std::clamp(air.interface_height(i, k, j) - ground, low, high);
}

real bulk_shear(const SeenAir &air, int i, int j, real depth) {
    const real x = at_height_above_ground(air, i, j, depth, [&](int k) { return air.wind_x(i, k, j); });
    const real y = at_height_above_ground(air, i, j, depth, [&](int k) { return air.wind_y(i, k, j); });
    if (x == missing || y == missing) return missing;
    const real dx = x - air.wind_x(i, 0, j), dy = y - air.wind_y(i, 0, j);
    return std::sqrt(dx * dx + dy * dy);
}

/// How fast temperature falls from the lowest layer to a height [K km-1].
real lapse_rate_to(const SeenAir &air, int i, int j, real depth) {
    const auto temperature = [&](int k) { return air.temperature(i, k, j); };
    const real above = at_height_above_ground(air, i, j, depth, temperature);
    if (above == missing) return missing;
    return (temperature(0) - above) / (depth - air.height_above_ground(i, 0, j)) * 1000;
}

/// The same from one pressure to another above it [Pa].
real lapse_rate_700_500(const SeenAir &air, int i, int j) {
    const auto at = [&](real pressure, auto f) {
        return where_falling(
            air.grid.nz, [&](int k) { return logarithm(air.pressure(i, k, j)); }, f, logarithm(pressure));
    };
    const auto temperature = [&](int k) { return air.temperature(i, k, j); };
    const auto height = [&](int k) { return air.layer_height(i, k, j); };
    const real low = at(70000, temperature), high = at(50000, temperature);
    if (low == missing || high == missing) return missing;
    return (low - high) / (at(50000, height) - at(70000, height)) * 1000;
}

/// Of the wind between two heights, weighted with pressure.
Vector mean_wind(const SeenAir &air, int i, int j, real low, real high) {
    real x = 0, y = 0, total = 0;
    for (int k = 0; k < air.grid.nz; ++k) {
        const real weight = air.pressure(i, k, j) * thickness_between(air, i, k, j, low, high);
        x += air.wind_x(i, k, j) * weight;
        y += air.wind_y(i, k, j) * weight;
        total += weight;
    }
    return {x / total, y / total};
}

bool reaches(const SeenAir &air, int i, int j, real height) {
    return air.interface_height(i, air.grid.nz, j) - air.ground(i, j) > height;
}

/// Of a supercell: Bunkers et al. (2000, Wea. Forecasting 15, 61-79), to the right of the shear, where the
/// Coriolis parameter is negative to the left.
Vector storm_motion(const SeenAir &air, int i, int j) {
    const Vector mean = mean_wind(air, i, j, 0, 6000), below = mean_wind(air, i, j, 0, 500),
                 above = mean_wind(air, i, j, 5500, 6000);
    const real dx = above.x - below.x, dy = above.y - below.y;
    const real side = air.grid.f(i, j) < 0 ? -to_the_side : to_the_side;
    const real share = side / std::max(std::sqrt(dx * dx + dy * dy), real(1e-6));
    return {mean.x + share * dy, mean.y - share * dx};
}

/// The area that the wind seen from the storm sweeps in the hodograph, doubled; of the last layer in part.
real storm_relative_helicity(const SeenAir &air, int i, int j, real depth) {
    if (!reaches(air, i, j, 5500)) return missing;
    const Vector storm = storm_motion(air, i, j);
    real swept = 0;
    for (int k = 0; k < air.grid.nz - 1; ++k) {
        const real low = air.height_above_ground(i, k, j), high = air.height_above_ground(i, k + 1, j);
        const real part = std::clamp((depth - low) / (high - low), real(0), real(1));
        const real x = air.wind_x(i, k, j) - storm.x, y = air.wind_y(i, k, j) - storm.y;
        const real dx = air.wind_x(i, k + 1, j) - storm.x - x, dy = air.wind_y(i, k + 1, j) - storm.y - y;
        swept += part * (dx * y - dy * x);
    }
    return swept;
}

DerivedField to_depth(const char *name, const char *what, int depth, const char *units,
                      std::string standard_name, const std::string &source,
                      real (*f)(const SeenAir &, int, int, real)) {
    return {
        fmt::format("{}_{}km", name, depth),
        fmt::format("{} to {} km", what, depth),
        units,
        std::move(standard_name),
        source,
        {},
        {},
        on_columns([f, depth](const SeenAir &air, int i, int j) { return f(air, i, j, real(1000 * depth)); }),
        {},
        0,
        true};
}

} // namespace

real updraft_helicity(const SeenAir &air, int i, int j) {
    real sum = 0;
    for (int k = 0; k < air.grid.nz; ++k) {
        const real part = thickness_between(air, i, k, j, 2000, 5000);
        if (part > 0)
            sum += relative_vorticity(air, i, k, j) * std::max(air.wind_up(i, k, j), real(0)) * part;
    }
    return sum;
}

std::vector<DerivedField> storm_fields() {
    const std::string helicity = "Davies-Jones, Burgess and Foster (1990), with the right-moving storm "
                                 "motion of Bunkers et al. (2000), left-moving where F is negative";
    const auto shear = [](int depth) {
        return to_depth("bulk_shear", "wind shear", depth, "m s-1", "",
                        fmt::format("wind {} km above the ground minus that of the lowest layer", depth),
                        bulk_shear);
    };
    const auto sweep = [&](int depth) {
        return to_depth("helicity", "storm-relative helicity", depth, "m2 s-2", "", helicity,
                        storm_relative_helicity);
    };
    return {
        to_depth("lapse_rate", "lapse rate", 3, "K km-1", "air_temperature_lapse_rate",
                 "temperature of the lowest layer minus that 3 km above the ground, divided by the height "
                 "between them",
                 lapse_rate_to),
        {"lapse_rate_700_500",
         "lapse rate between 700 and 500 hPa",
         "K km-1",
         "air_temperature_lapse_rate",
         "temperature at 700 hPa minus that at 500 hPa, divided by the height between them",
         {},
         {},
         on_columns(lapse_rate_700_500),
         {},
         0,
         true},
        {"UH",
         "updraught helicity, 2 to 5 km above the ground",
         "m2 s-2",
         "",
         "vertical integral of vorticity times w where w is positive, Kain et al. (2008), equation 1",
         {},
         {},
         on_columns(updraft_helicity)},
        shear(1),
        shear(6),
        sweep(1),
        sweep(3),
    };
}

} // namespace squall
