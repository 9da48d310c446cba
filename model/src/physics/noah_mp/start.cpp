#include "physics/noah_mp/start.hpp"

#include <algorithm>
#include <cmath>

#include "physics/noah_mp/snow.hpp"

namespace squall::noah_mp {
namespace {

void limit_snow(bool glacier, Snow &s) {
    constexpr real most = 2000; // [kg m-2]
    if (s.water > 0 && s.depth <= 0) s.depth = s.water / 200;
    if (s.water > most) {
        s.depth *= most / s.water;
        s.water = most;
    }
    if (!glacier) return;
    s.water = std::max(s.water, real(10));
    s.depth = s.water / 100;
}

/// Water that stays liquid, by the potential of ice: explicit, as where Noah-MP begins.
real liquid_part(const noah::Soil &soil, real t, real moisture) {
    constexpr real zero = real(273.15), g = real(9.81), heat = real(3.335e5), least = real(0.02);
    if (t >= real(273.149)) return moisture;
    const real potential = heat / (g * soil.suction) * (zero - t) / t;
    return std::min(std::max(soil.porosity * std::pow(potential, -1 / soil.exponent), least), moisture);
}

} // namespace

void begin(const noah::Soil &soil, bool glacier, real surface, Column &c) {
    limit_snow(glacier, c.snow);
    const real skin = c.snow.water > 0 ? std::min(surface, real(273.15)) : surface;
    for (std::size_t k = 0; k < soil_layers; ++k) {
        c.moisture[k] = glacier ? real(1) : std::min(c.moisture[k], soil.porosity);
        c.liquid[k] = glacier ? real(0) : liquid_part(soil, c.temperature[k], c.moisture[k]);
        if (glacier) c.temperature[k] = std::min(c.temperature[k], real(263.15));
    }
    c.snow = layered_snow(c.snow.water, c.snow.depth, skin);
    c.leaf = c.ground = skin;
    c.vapour_pressure = 2000;
    c.canopy_liquid = c.canopy_ice = c.snowfall = 0;
    c.snow_albedo = real(0.65);
    c.below = {real(2.5), 4900, 4900};
}

void get(const CanopyColumns &w, int i, Column &c) {
    c.snow.count = static_cast<std::size_t>(real(0.5) - w.snow_count[i]);
    const int first = static_cast<int>(snow_layers - c.snow.count);
    for (int k = first; k < static_cast<int>(snow_layers); ++k)
        c.snow.layer[static_cast<std::size_t>(k - first)] = {w.snow_thickness(i, k), w.snow_ice(i, k),
                                                             w.snow_liquid(i, k), w.snow_temperature(i, k)};
    c.leaf = w.leaf_temperature[i];
    c.ground = w.ground_temperature[i];
    c.vapour_pressure = w.vapour_pressure[i];
    c.canopy_liquid = w.liquid[i];
    c.canopy_ice = w.ice[i];
    c.snow_albedo = w.snow_albedo[i];
    c.snowfall = w.snowfall[i];
    if (w.water_table) c.below = {w.water_table[i], w.aquifer[i], w.groundwater[i]};
}

void put(const CanopyColumns &w, int i, const Column &c) {
    w.snow_count[i] = -real(c.snow.count);
    const int first = static_cast<int>(snow_layers - c.snow.count);
    for (int k = 0; k < static_cast<int>(snow_layers); ++k) {
        const SnowLayer l = k < first ? SnowLayer{} : c.snow.layer[static_cast<std::size_t>(k - first)];
        w.snow_thickness(i, k) = l.thickness;
        w.snow_ice(i, k) = l.ice;
        w.snow_liquid(i, k) = l.liquid;
        w.snow_temperature(i, k) = l.temperature;
    }
    w.leaf_temperature[i] = c.leaf;
    w.ground_temperature[i] = c.ground;
    w.vapour_pressure[i] = c.vapour_pressure;
    w.liquid[i] = c.canopy_liquid;
    w.ice[i] = c.canopy_ice;
    w.snow_albedo[i] = c.snow_albedo;
    w.snowfall[i] = c.snowfall;
    if (!w.water_table) return;
    w.water_table[i] = c.below.depth;
    w.aquifer[i] = c.below.aquifer;
    w.groundwater[i] = c.below.all;
}

} // namespace squall::noah_mp
