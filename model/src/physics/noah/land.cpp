#include "physics/noah/land.hpp"

#include <algorithm>

#include "core/constants.hpp"
#include "physics/noah/snow.hpp"
#include "physics/noah/soil_heat.hpp"
#include "physics/noah/soil_water.hpp"

namespace squall::noah {
namespace {

/// Without snow: the skin has no heat capacity, so that its temperature follows from that of the soil.
Fluxes step_bare(const Site &site, Column &c, const Air &a, const Potential &p, real transpiring) {
    Fluxes f{};
    Evaporation lost;
    const real dew = std::max(-p.evaporation, real(0));
    if (p.evaporation > 0) lost = evaporate(site, c, p.evaporation, transpiring, a.dt);
    const real rain = a.falling == Falling::rain ? a.precipitation : real(0);
    const Runoff off = move_water(site, c, rain + dew, lost, a.dt);
    f.vapour = p.evaporation > 0 ? lost.sum() : p.evaporation;
    f.latent = vaporisation * f.vapour;
    const real of_potential = p.evaporation > 0   ? f.vapour / p.evaporation
                              : p.evaporation < 0 ? real(1)
                                                  : real(0);
    const real conductivity = top_conductivity(site, c);
    const real above =
        a.temperature + (p.net / p.heat + a.theta - a.temperature - of_potential * p.cooling) / p.radiative;
    const real resistance = conductivity / (thickness[0] / 2 * p.heat * p.radiative) + 1;
    conduct(site, c, {above, resistance, conductivity}, a.dt);
    c.skin = (above + (resistance - 1) * c.temperature[0]) / resistance;
    f.ground = conductivity * (c.skin - c.temperature[0]) / (thickness[0] / 2);
    f.runoff = off.surface;
    f.drainage = off.base;
    return f;
}

/// Less frost and dew than the air could give where it is stable: WRF's bound.
real bounded_frost(real potential, const Air &a, real cover) {
    constexpr real full = real(0.98);
    if (a.richardson < real(0.1) || a.absorbed <= 150) return potential;
    return (std::min(potential * (1 - a.richardson), real(0)) * cover / full + potential * (full - cover)) /
           full;
}

Fluxes step_with_snow(const Site &site, Column &c, const Air &a, const Potential &p, real transpiring,
                      real conductivity) {
    Fluxes f{};
    Evaporation lost;
    const real cover = c.snow.cover;
    const real latent = (1 - cover) * vaporisation + cover * sublimation;
    real of_snow = 0;
    if (p.evaporation <= 0) {
        of_snow = bounded_frost(p.evaporation, a, cover);
        f.vapour = of_snow;
        f.latent = of_snow * latent;
    } else {
        if (cover < 1) {
            lost = evaporate(site, c, p.evaporation, transpiring, a.dt);
            lost.soil *= 1 - cover;
            lost.canopy *= 1 - cover;
            for (real &r : lost.roots) r *= 1 - cover;
        }
        of_snow = p.evaporation * cover;
        f.vapour = of_snow + lost.sum();
        f.latent = of_snow * sublimation + lost.sum() * vaporisation;
    }
    const real density = c.snow.water / c.snow.depth;
    const real distance = c.snow.depth + thickness[0] / 2;
    const SnowSurface s = balance(c.snow, a, p, {c.temperature[0], distance, conductivity, distance},
                                  c.emissivity, c.skin, of_snow, f.latent);
    const real rain = a.falling == Falling::rain ? a.precipitation : real(0);
    const Runoff off = move_water(site, c, rain + s.melt, lost, a.dt);
    const real base = c.temperature[0] + s.ground * (thickness[0] / 2) / conductivity;
    conduct(site, c, {base, 1, conductivity}, a.dt);
    c.skin = s.skin;
    if (c.snow.water > 0)
        settle(c.snow, density, c.skin, base, a.dt);
    else
        c.snow.depth = c.snow.cover = 0;
    f.ground = s.ground;
    f.runoff = off.surface;
    f.drainage = off.base;
    return f;
}

/// Through snow, where there is some, and the upper half of the first layer, weighted by the snow's cover.
real conductivity_of_ground(const Site &site, const Column &c) {
    const bool deep = c.snow.cover > real(0.97);
    const bool some = c.snow.water > 0;
    const real of_soil = deep ? snow_conductivity(c.snow) : top_conductivity(site, c);
    if (!some) return of_soil;
    const real half = thickness[0] / 2, distance = c.snow.depth + half;
    const real mean = (c.snow.depth * snow_conductivity(c.snow) + half * of_soil) / distance;
    return mean * c.snow.cover + of_soil * (1 - c.snow.cover);
}

} // namespace

void finish(Fluxes &f, const Air &a, real heat_per_kelvin, real skin) {
    constexpr real gas_constant = real(287.04);
    const real virtual_temperature = a.temperature * (1 + real(0.61) * a.humidity);
    f.humidity = a.humidity + f.vapour * constants::c_p / heat_per_kelvin;
    f.sensible =
        a.conductance * constants::c_p * a.pressure / (gas_constant * virtual_temperature) * (skin - a.theta);
}

Fluxes advance_land(const Site &site, Column &c, const Air &a) {
    if (c.snow.water <= real(1e-7)) c.snow.water = c.snow.depth = 0;
    if (a.falling == Falling::snow || a.falling == Falling::freezing_rain) fall(c.snow, a);
    const bool snow = c.snow.water > 0;
    c.snow.cover = snow ? snow_cover(c.snow, site.vegetation.snow) : real(0);
    c.albedo = snow ? snow_albedo(c.snow, a, site.snow_albedo, site.albedo) : site.albedo;
    constexpr real of_snow = real(0.95);
    c.emissivity = site.emissivity + c.snow.cover * (of_snow - site.emissivity);
    c.roughness = snow ? snow_roughness(c.snow, site.roughness) : site.roughness;
    const real conductivity = conductivity_of_ground(site, c);
    const real distance = c.snow.depth + thickness[0] / 2;
    const Potential p = potential_evaporation(a, c.emissivity, c.snow.cover,
                                              conductivity * (c.skin - c.temperature[0]) / distance);
    const bool green = site.green > 0 && site.leaf_area > 0;
    const real transpiring = green ? transpiring_share(a, site, c) : real(0);
    Fluxes f = snow ? step_with_snow(site, c, a, p, transpiring, conductivity)
                    : step_bare(site, c, a, p, transpiring);
    finish(f, a, p.heat, c.skin);
    return f;
}

} // namespace squall::noah
