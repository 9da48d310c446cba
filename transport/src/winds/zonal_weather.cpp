#include "winds/zonal_weather.hpp"

#include <algorithm>
#include <cmath>

#include "winds/saturation.hpp"

namespace squall::transport {
namespace {

constexpr double lapse = 6.5e-3, coldest = 210, freezing = 273.15;        ///< [K m-1], [K]
constexpr double humid = 0.85, humidity_scale = 6000;                     ///< 1, [m]
constexpr double night_height = 300, day_height = 1500, sea_height = 600; ///< [m]
constexpr double sun_heat = 200, sun_evaporation = 250, sea_heat = 10, sea_evaporation = 120; ///< [W m-2]
constexpr double land_friction = 0.35, sea_friction = 0.25;                                   ///< [m s-1]
constexpr double most_rain = 2e-4; ///< [kg m-2 s-1]
constexpr double rainy = 20 * pi / 180;

double ground_temperature(double lat) { return 300 - 45 * std::sin(lat) * std::sin(lat); }

void set_air_of(const PatchOfGlobe &where, int i, int j, Weather &w) {
    const double warm = ground_temperature(where.lat(j));
    for (int k = 0; k < w.shape.nz; ++k) {
        const double surface = where.surface(i, j);
        const double p =
            0.5 * (where.levels().pressure(k, surface) + where.levels().pressure(k + 1, surface));
        // p = p_s (T / T_s)^(g / (R lapse)) below, hydrostatic
        const double t = warm * std::pow(p / surface, test_gas_constant * lapse / gravity);
        const double height = (warm - t) / lapse;
        w.temperature[w.cell(i, k, j)] = std::max(t, coldest);
        w.humidity[w.cell(i, k, j)] =
            t > coldest ? humid * std::exp(-height / humidity_scale) * saturation(t, p) : 2e-6;
    }
}

void set_ground(const PatchOfGlobe &where, int i, int j, double time, Weather &w) {
    const double lat = where.lat(j), hour = where.lon(i) + 2 * pi * time / 86400;
    const double sun = std::max(std::cos(lat) * std::cos(hour), 0.0);
    const bool land = where.lon(i) < pi;
    const auto c = w.column(i, j);
    w.land[c] = land;
    w.frozen[c] = ground_temperature(lat) < freezing;
    w.boundary_layer[c] = land ? night_height + day_height * sun : sea_height;
    w.friction_velocity[c] = land ? land_friction : sea_friction;
    w.sensible_heat[c] = land ? sun_heat * sun - 10 : sea_heat;
    w.latent_heat[c] = land ? sun_evaporation * sun : sea_evaporation * std::cos(lat);
    w.rain[c] = std::abs(lat) < rainy ? most_rain * std::cos(0.5 * pi * lat / rainy) : 0;
    w.convective_rain[c] = 0.5 * w.rain[c];
}

} // namespace

void set_zonal_weather(const PatchOfGlobe &where, double time, Weather &weather) {
    const Shape &s = weather.shape;
    for (int j = 0; j < s.ny; ++j)
        for (int i = 0; i < s.nx; ++i) {
            set_air_of(where, i, j, weather);
            set_ground(where, i, j, time, weather);
        }
}

} // namespace squall::transport
