// Ice of the land and of the sea, always under snow: layers that conduct heat and hold no water.
#include <algorithm>

#include "core/constants.hpp"
#include "physics/noah/land.hpp"
#include "physics/noah/snow.hpp"

namespace squall::noah {
namespace {

/// What the layers are like: their number is the soil's.
struct Sheet {
    Layers thickness;              ///< [m]
    Layers conductivity;           ///< below the first, whose is the snow's too [W m-1 K-1]
    Layers capacity;               ///< [J m-3 K-1]
    real depth, temperature;       ///< where it is as warm as below [m], and that [K]
    real least_water, least_depth; ///< of the snow on it [m]
    bool shallow;                  ///< heat does not go further than the first layer's thickness
};

/// Firn that gets denser downwards.
Sheet glacier(real deep_temperature) {
    Sheet s{thickness, {}, {}, 25, deep_temperature, real(0.1), real(0.5), true};
    for (std::size_t k = 0; k < layers; ++k) {
        const real middle = bottom[k] - thickness[k] / 2;
        s.capacity[k] = real(1e6) * (real(0.8194) + real(0.1309) * middle);
        s.conductivity[k] = real(0.32333) + real(0.10073) * middle;
    }
    return s;
}

Sheet sea_ice() {
    constexpr real depth = 3, sea = real(271.36);
    Sheet s{{}, {}, {}, depth, sea, real(0.01), real(0.05), false};
    s.thickness.fill(depth / layers);
    s.conductivity.fill(real(2.2));
    s.capacity.fill(real(1.72396e6));
    return s;
}

void keep_snow(Snow &snow, const Sheet &s) {
    if (snow.water >= s.least_water) return;
    snow.water = s.least_water;
    snow.depth = s.least_depth;
}

/// Heat through the layers, from `base` [K] of the snow; implicit in time.
void conduct(const Sheet &s, Layers &t, real base, real first_conductivity, real dt) {
    Layers below{}, middle{}, beyond{}, change{};
    real inflow = first_conductivity / (s.thickness[0] / 2) * (base - t[0]);
    real exchange = first_conductivity / (s.thickness[0] / 2), top = 0;
    for (std::size_t k = 0; k < layers; ++k) {
        const bool last = k + 1 == layers;
        const real conductivity = k == 0 ? first_conductivity : s.conductivity[k];
        const real distance =
            last ? s.depth - (top + s.thickness[k] / 2) : (s.thickness[k] + s.thickness[k + 1]) / 2;
        const real outflow = conductivity / distance * (t[k] - (last ? s.temperature : t[k + 1]));
        const real implicit = last ? real(0) : conductivity / distance;
        const real capacity = s.capacity[k] * s.thickness[k] / dt;
        below[k] = k == 0 ? real(0) : -exchange / capacity;
        beyond[k] = -implicit / capacity;
        middle[k] = 1 + (exchange + implicit) / capacity;
        change[k] = (inflow - outflow) / capacity;
        inflow = outflow;
        exchange = implicit;
        top += s.thickness[k];
    }
    solve(below, middle, beyond, change);
    for (std::size_t k = 0; k < layers; ++k) t[k] += change[k];
}

} // namespace

Fluxes advance_ice(Ice ice, const Site &site, Column &c, const Air &a) {
    const bool sea = ice == Ice::sea;
    const Sheet sheet = sea ? sea_ice() : glacier(site.deep_temperature);
    keep_snow(c.snow, sheet);
    if (a.falling == Falling::snow || a.falling == Falling::freezing_rain) fall(c.snow, a);
    c.snow.cover = 1;
    c.albedo = sea ? real(0.65) : snow_albedo(c.snow, a, site.snow_albedo, site.albedo);
    c.emissivity = sea ? real(0.98) : real(0.95);
    c.roughness = snow_roughness(c.snow, ice_roughness);
    const real half = sheet.thickness[0] / 2, full = c.snow.depth + half;
    const real near = sheet.shallow ? std::min(full, 2 * half) : full;
    const real of_snow = snow_conductivity(c.snow);
    const real conductivity =
        (c.snow.depth * of_snow + half * (sea ? sheet.conductivity[0] : of_snow)) / full;
    const real frozen = c.skin > freezing_point ? real(0) : real(1);
    Potential p =
        potential_evaporation(a, c.emissivity, frozen, conductivity * (c.skin - c.temperature[0]) / near);
    real vapour = p.evaporation;
    if (vapour <= 0 && a.richardson >= real(0.1) &&
        a.absorbed > 150) // WRF's bound on frost where it is stable
        vapour =
            (std::min(vapour * (1 - a.richardson), real(0)) / real(0.98) - real(0.02) * vapour) / real(0.98);
    Fluxes f{};
    f.vapour = vapour;
    f.latent = vapour * sublimation;
    const real density = c.snow.water / c.snow.depth;
    const SnowSurface s = balance(c.snow, a, p, {c.temperature[0], full, conductivity, near}, c.emissivity,
                                  c.skin, vapour, f.latent);
    const real base = c.temperature[0] + s.ground * half / conductivity;
    conduct(sheet, c.temperature, base, conductivity, a.dt);
    c.skin = s.skin;
    if (c.snow.water >= sheet.least_water)
        settle(c.snow, density, c.skin, base, a.dt);
    else
        keep_snow(c.snow, sheet);
    f.ground = s.ground;
    f.runoff = s.melt;
    finish(f, a, p.heat, c.skin);
    return f;
}

} // namespace squall::noah
