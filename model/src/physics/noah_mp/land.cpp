#include "physics/noah_mp/land.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/noah_mp/energy.hpp"
#include "physics/noah_mp/ground_heat.hpp"
#include "physics/noah_mp/snow.hpp"
#include "physics/noah_mp/soil_water.hpp"

namespace squall::noah_mp {
namespace {

constexpr real vapour_constant = real(461.269); // [J kg-1 K-1]
constexpr real snow_emissivity = real(0.95), soil_emissivity = real(0.97);
constexpr real bare_roughness = real(0.002); // of soil, under leaves too [m]

/// Niu and Yang (2007, J. Geophys. Res. 112, D21101), equation 4.
real snow_cover(const Vegetation &v, const Snow &s) {
    if (s.depth <= 0) return 0;
    const real melted = std::pow(s.water / s.depth / 100, v.melt_exponent);
    return std::tanh(s.depth / (v.cover_depth * melted));
}

void set_roughness(const Site &site, const Air &a, real depth, bool leafy, Setting &s) {
    const Vegetation &v = site.vegetation;
    s.z0_ground = bare_roughness * (1 - s.snow_cover) + s.snow_cover * snow_roughness;
    s.displacement_ground = depth;
    if (site.urban) {
        s.z0_ground = v.roughness;
        s.displacement_ground = real(0.65) * v.top;
    }
    const real of_leaves = real(0.65) * v.top;
    s.z0 = leafy ? v.roughness : s.z0_ground;
    s.displacement = !leafy ? s.displacement_ground : depth > of_leaves ? depth : of_leaves;
    s.height = std::max(s.displacement, v.top) + a.height;
    if (s.displacement_ground >= s.height) s.height = s.displacement_ground + a.height;
}

/// Share of water that plants want, and of what they draw from each layer.
void set_roots(const Site &site, const Column &c, Setting &s) {
    const noah::Soil &soil = site.soil;
    const auto reach = static_cast<std::size_t>(site.vegetation.roots);
    s.roots = {};
    real sum = 0;
    for (std::size_t k = 0; k < reach; ++k) {
        const real wet = met_by_soil(site.options.stress, soil, c.liquid[k]);
        s.roots[k] = std::max(tiny, noah::thickness[k] / noah::bottom[reach - 1] * wet);
        sum += s.roots[k];
    }
    s.moist = std::max(tiny, sum);
    for (real &share : s.roots) share /= s.moist;
}

/// To vapour from the soil: Sakaguchi and Zeng (2009, J. Geophys. Res. 114, D01107), equations 1 to 3.
void set_resistance(const Site &site, const Column &c, Setting &s) {
    const noah::Soil &soil = site.soil;
    const real wet = c.liquid[0] / soil.porosity, dry = 1 - std::min(real(1), wet);
    const real depth = noah::thickness[0] * (std::exp(std::pow(dry, real(5))) - 1) / (real(2.71828) - 1);
    const real diffusivity = real(2.2e-5) * soil.porosity * soil.porosity *
                             std::pow(1 - soil.wilting / soil.porosity, 2 + 3 / soil.exponent);
    const bool none = (c.liquid[0] < real(0.01) && c.snow.depth == 0) || (site.urban && c.snow.depth == 0);
    s.resistance = none ? real(1e6) : depth / diffusivity;
    const real suction =
        -soil.suction * std::pow(std::max(real(0.01), c.liquid[0]) / soil.porosity, -soil.exponent);
    s.relative_humidity =
        s.snow_cover + (1 - s.snow_cover) * std::exp(suction * gravity / (vapour_constant * c.ground));
}

Setting setting(const Site &site, const Leaves &leaves, const Air &a, const GroundLayers &g,
                const Column &c) {
    Setting s{};
    s.snow_cover = snow_cover(site.vegetation, c.snow);
    set_roughness(site, a, c.snow.depth, leaves.area() > 0, s);
    s.leaf_emissivity = 1 - std::exp(-leaves.area());
    s.ground_emissivity = soil_emissivity * (1 - s.snow_cover) + snow_emissivity * s.snow_cover;
    set_roots(site, c, s);
    set_resistance(site, c, s);
    s.frozen_leaves = c.leaf <= freezing_point;
    s.frozen_ground = c.ground <= freezing_point;
    s.conductance = 2 * g.conductivity[0] / g.thickness[0];
    s.below = g.temperature[0];
    s.hold = c.snow.depth > real(0.05) ? freezing_point : std::numeric_limits<real>::max();
    return s;
}

/// What leaves gave off and what came from the ground.
struct Turbulence {
    real evaporation, transpiration, ground; ///< as heat [W m-2]
    real conductance;                        ///< from bare ground to the air [m s-1]
};

/// Solves the balances of the ground with and without leaves; sets what they give to the air and the ground.
Turbulence exchange(const Setting &s, const Site &site, const Leaves &leaves, const Air &a,
                    const Sunlight &light, const Precipitation &fell, Column &c, Fluxes &f) {
    const real before = c.ground, cover = leaves.any() ? leaves.cover : real(0), open = 1 - cover;
    LeafFluxes l{};
    if (leaves.any()) l = leafy_ground(s, site, leaves, a, light, fell, c);
    const GroundFluxes b = bare_ground(s, a, light.ground, fell.to_bare, before);
    const auto mean = [&](real GroundFluxes::*m) { return cover * (l.under.*m) + open * (b.*m); };
    f.longwave = mean(&GroundFluxes::radiation) + l.radiation;
    f.sensible = mean(&GroundFluxes::sensible) + l.sensible;
    f.ground = mean(&GroundFluxes::ground);
    f.storage = l.storage;
    f.rain_heat = cover * fell.under + open * fell.to_bare + (cover > 0 ? fell.to_leaves : real(0));
    f.temperature_2m = mean(&GroundFluxes::temperature_2m);
    f.humidity_2m = mean(&GroundFluxes::humidity_2m);
    f.surface_humidity = b.humidity;
    f.roughness = leaves.any() ? s.z0 : s.z0_ground;
    c.ground = mean(&GroundFluxes::temperature);
    const real e = s.leaf_emissivity, g = s.ground_emissivity;
    f.emissivity = cover * (g * (1 - e) + e + e * (1 - e) * (1 - g)) + open * g;
    f.radiative_temperature = radiative_temperature(a, f.longwave, f.emissivity);
    return {l.evaporation, l.transpiration, mean(&GroundFluxes::latent), b.conductance};
}

/// Frost and evaporation of ground that is frozen is of ice.
void take_from_ice(real gain, Layers &ice, Column &c) {
    ice[0] += gain / (noah::thickness[0] * water_density);
    if (ice[0] < 0) {
        c.liquid[0] += ice[0];
        ice[0] = 0;
    }
    c.moisture[0] = c.liquid[0] + ice[0];
}

std::array<real, snow_layers> shares_of_ice(const Snow &s) {
    std::array<real, snow_layers> share{};
    for (std::size_t k = 0; k < s.count; ++k) share[k] = s.layer[k].ice / s.layer[k].mass();
    return share;
}

} // namespace

real met_by_soil(LandOptions::Stress stress, const noah::Soil &soil, real liquid) {
    using Stress = LandOptions::Stress;
    constexpr real wilting = -150; // [m]
    const real wetness = std::max(real(0.01), liquid) / soil.porosity;
    const real potential = std::max(wilting, -soil.suction * std::pow(wetness, -soil.exponent));
    const real met = stress == Stress::moisture ? (liquid - soil.wilting) / (soil.reference - soil.wilting)
                     : stress == Stress::ssib   ? 1 - std::pow(potential / wilting, real(5.8))
                                                : (1 - potential / wilting) / (1 + soil.suction / wilting);
    return std::clamp(met, real(0), real(1));
}

Fluxes advance_land(const Site &site, const Air &a, bool as_wrf, Column &c) {
    Fluxes f{};
    SnowStep step{};
    step.ice_before = shares_of_ice(c.snow);
    const Leaves leaves = leaves_of(site, c.snow.depth, c.leaf);
    const Precipitation fell = intercept(leaves, a, c);
    GroundLayers g = layers_of(site, c);
    Setting s = setting(site, leaves, a, g, c);
    s.as_wrf = as_wrf;
    const Sunlight light = sunlight(leaves, site, a, s.snow_cover, fell.snow, fell.wet, c);
    const Turbulence lost = exchange(s, site, leaves, a, light, fell, c, f);
    f.bottom = conduct(g, f.ground, c.snow.depth, site.deep_temperature, a.dt);
    const PhaseChange phase = change_phase(site, g, a.dt, c);

    const LeafVapour of_leaves =
        dry_leaves(leaves, a, s.frozen_leaves, lost.evaporation, lost.transpiration, c);
    const real of_ground = lost.ground / (s.frozen_ground ? sublimation : vaporisation);
    const real up = std::max(of_ground, real(0)), down = std::max(-of_ground, real(0));
    step.sublimation = c.snow.water > 0 ? std::min(up, c.snow.water / a.dt) : real(0);
    step.frost = c.snow.water > 0 ? down : real(0);
    step.snow = fell.snow, step.rain = fell.rain, step.depth_rate = fell.depth_rate;
    step.melted = phase.melted;
    Layers ice{};
    for (std::size_t k = 0; k < soil_layers; ++k) ice[k] = std::max(real(0), c.moisture[k] - c.liquid[k]);
    SnowRules rules = rules_of_land;
    rules.as_wrf = as_wrf;
    const SnowWater melt = advance_snow(rules, step, a, c.snow, ice[0], c.liquid[0]);

    real evaporation = up - step.sublimation, dew = down - step.frost;
    if (s.frozen_ground) {
        take_from_ice((dew - evaporation) * a.dt, ice, c);
        evaporation = dew = 0;
    }
    const real rain = c.snow.count == 0 ? fell.rain : real(0);
    SoilFluxes flows{
        (phase.ponding / a.dt + melt.out + dew + rain) / water_density, evaporation / water_density, {}};
    for (std::size_t k = 0; k < soil_layers; ++k)
        flows.roots[k] = of_leaves.transpiration * s.roots[k] / water_density;
    const Runoff off = move_water(site, flows, ice, a.dt, c);

    if (c.snow.depth <= real(1e-6) || c.snow.water <= real(1e-6)) c.snow.depth = c.snow.water = 0;
    f.snow_cover = s.snow_cover;
    f.sunlight = light.leaves + light.ground;
    f.albedo = a.sunlight > 0 ? light.reflected / a.sunlight : real(-1);
    f.latent = lost.evaporation + lost.transpiration + lost.ground;
    f.vapour = of_leaves.evaporation + of_leaves.transpiration + of_ground;
    if (site.urban)
        f.humidity_2m = f.surface_humidity = a.humidity + f.vapour / (a.density * lost.conductance);
    f.runoff = off.surface;
    f.drainage = off.base + melt.flow;
    return f;
}

} // namespace squall::noah_mp
