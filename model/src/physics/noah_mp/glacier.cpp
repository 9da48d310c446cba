// Ice of the land: layers that conduct heat, melt and freeze, and keep their mass.
#include <algorithm>
#include <cmath>

#include "physics/noah_mp/energy.hpp"
#include "physics/noah_mp/ground_heat.hpp"
#include "physics/noah_mp/land.hpp"
#include "physics/noah_mp/snow.hpp"

namespace squall::noah_mp {
namespace {

constexpr real emissivity = real(0.98);
constexpr real warmest_below = real(263.15); // of the deep ice [K]

Setting setting(const Air &a, const GroundLayers &g, const Column &c) {
    Setting s{};
    s.snow_cover = 1;
    s.z0 = s.z0_ground = snow_roughness;
    s.displacement = s.displacement_ground = c.snow.depth;
    s.height = c.snow.depth + a.height;
    s.ground_emissivity = emissivity;
    s.resistance = s.relative_humidity = 1;
    s.frozen_ground = s.glacier = true;
    s.conductance = 2 * g.conductivity[0] / g.thickness[0];
    s.below = g.temperature[0];
    s.hold = freezing_point;
    return s;
}

/// Taken up and reflected [W m-2].
struct Light {
    real taken = 0, reflected = 0;
};

/// Snow hides the ice.
Light light(const Air &a, Column &c) {
    Light l;
    if (a.cosine <= 0) return l;
    c.snow_albedo = aged_snow_albedo(c.snow_albedo, c.snowfall, a.dt);
    for (const real of_ice : {real(0.80), real(0.55)}) { // visible, near infrared
        const real albedo = c.snow.water > 0 ? c.snow_albedo : of_ice;
        l.taken += a.sunlight / 2 * (1 - albedo);
        l.reflected += a.sunlight / 2 * albedo;
    }
    return l;
}

/// Moves snow for a step. What leaves it; the ice below keeps its mass, so that what sublimates of it is
/// replaced from below (negative) [kg m-2 s-1].
SnowWater move_snow(const SnowStep &step, const Air &a, bool as_wrf, Column &c) {
    SnowRules rules = rules_of_glacier;
    rules.as_wrf = as_wrf;
    const real former = 1 - c.liquid[0];
    real ice = former, liquid = c.liquid[0];
    SnowWater w = advance_snow(rules, step, a, c.snow, ice, liquid);
    w.flow += (ice + liquid - 1) * noah::thickness[0] * water_density / a.dt;
    return w;
}

} // namespace

Fluxes advance_glacier(const Site &site, const Air &a, bool as_wrf, Column &c) {
    Fluxes f{};
    SnowStep step{};
    for (std::size_t k = 0; k < c.snow.count; ++k)
        step.ice_before[k] = c.snow.layer[k].ice / c.snow.layer[k].mass();
    GroundLayers g = layers_of_glacier(c);
    const Setting s = setting(a, g, c);
    const Light sun = light(a, c);
    const GroundFluxes b = bare_ground(s, a, sun.taken, 0, c.ground);
    c.ground = b.temperature;
    f.bottom = conduct(g, b.ground, c.snow.depth, std::min(site.deep_temperature, warmest_below), a.dt);
    const PhaseChange phase = change_phase_of_glacier(g, a.dt, c);

    f.vapour = b.latent / sublimation;
    step.sublimation = std::max(f.vapour, real(0));
    step.frost = std::max(-f.vapour, real(0));
    step.snow = c.snowfall = a.snow;
    step.rain = a.rain;
    step.depth_rate = a.snow / a.snow_density;
    step.melted = phase.melted;
    const SnowWater melt = move_snow(step, a, as_wrf, c);
    if (c.snow.depth <= real(1e-6) || c.snow.water <= real(1e-3)) c.snow.depth = c.snow.water = 0;

    f.sensible = b.sensible, f.latent = b.latent, f.ground = b.ground;
    f.longwave = b.radiation, f.sunlight = sun.taken;
    f.emissivity = emissivity;
    f.radiative_temperature = radiative_temperature(a, b.radiation, emissivity);
    f.albedo = a.sunlight > 0 ? sun.reflected / a.sunlight : real(-1);
    f.roughness = snow_roughness;
    f.snow_cover = 1;
    f.surface_humidity = b.humidity;
    f.temperature_2m = b.temperature_2m, f.humidity_2m = b.humidity_2m;
    f.runoff = phase.ponding / a.dt + melt.out + (c.snow.count == 0 ? a.rain : real(0));
    f.drainage = melt.flow;
    return f;
}

} // namespace squall::noah_mp
