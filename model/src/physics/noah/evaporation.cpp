#include "physics/noah/evaporation.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace squall::noah {
namespace {

constexpr real gas_constant = real(287.04);      // of dry air, Noah's [J kg-1 K-1]
constexpr real air_heat_capacity = real(1004.6); // at constant pressure, Penman's [J kg-1 K-1]
constexpr real best_temperature = 298;           // for plants [K]
constexpr real most_resistance = 5000;           // of a canopy [s m-1]

real fourth(real t) { return t * t * t * t; }

/// Of a layer's liquid, what plants can draw: 0 to 1.
real available(const Soil &soil, real liquid) {
    return std::clamp((liquid - soil.wilting) / (soil.reference - soil.wilting), real(0), real(1));
}

/// Share of the leaves that is wet.
real wet(real canopy) { return std::sqrt(canopy / canopy_holds); }

} // namespace

Potential potential_evaporation(const Air &a, real emissivity, real cover, real ground_heat) {
    constexpr real per_humidity = real(2.4888e3); // latent heat over heat capacity [K]
    const real latent = (1 - cover) * vaporisation + cover * sublimation;
    const real to_temperature = per_humidity * ((1 - cover) + cover * (sublimation / vaporisation));
    const real delta = to_temperature * a.saturation_slope;
    const real density = a.pressure / (gas_constant * a.temperature * (1 + real(0.61) * a.humidity));
    Potential p{};
    p.heat = density * air_heat_capacity * a.conductance;
    p.radiative = emissivity * fourth(a.temperature) * real(6.48e-8) / (a.pressure * a.conductance) + 1;
    if (a.falling != Falling::nothing)
        p.radiative += (a.falling == Falling::snow ? heat_of_ice : heat_of_water) * a.precipitation / p.heat;
    if (a.falling == Falling::freezing_rain) p.freezing = -fusion * a.precipitation;
    p.net = a.absorbed - emissivity * stefan_boltzmann * fourth(a.temperature);
    const real warming = (p.net - ground_heat - p.freezing) / p.heat + a.theta - a.temperature;
    const real deficit = to_temperature * (a.saturation - a.humidity);
    p.cooling = (deficit * p.radiative + warming * delta) / (delta + p.radiative);
    p.evaporation = p.cooling * p.heat / latent;
    return p;
}

real transpiring_share(const Air &a, const Site &site, const Column &c) {
    const Vegetation &v = site.vegetation;
    const real light = real(1.1) * a.sunlight / (v.light * site.leaf_area);
    const real by_light = std::max((light + v.resistance / most_resistance) / (1 + light), real(1e-4));
    const real off = best_temperature - a.temperature;
    const real by_temperature = std::max(1 - real(0.0016) * off * off, real(1e-4));
    const real by_deficit = std::max(1 / (1 + v.deficit * (a.saturation - a.humidity)), real(0.01));
    real by_soil = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(v.roots); ++k)
        by_soil += thickness[k] * available(site.soil, c.liquid[k]);
    by_soil = v.roots > 0 ? std::max(by_soil / bottom[static_cast<std::size_t>(v.roots - 1)], real(1e-4))
                          : real(1e-4);
    const real resistance =
        v.resistance / (site.leaf_area * by_light * by_temperature * by_deficit * by_soil);
    const real radiative = 4 * c.emissivity * stefan_boltzmann * gas_constant / constants::c_p *
                               fourth(a.temperature) / (a.pressure * a.conductance) +
                           1;
    const real delta = vaporisation / constants::c_p * a.saturation_slope;
    return (radiative + delta) / (radiative * (1 + resistance * a.conductance) + delta);
}

Evaporation evaporate(const Site &site, const Column &c, real potential, real transpiring, real dt) {
    Evaporation e;
    if (potential <= 0) return e;
    const Soil &s = site.soil;
    const real wetness = std::clamp((c.moisture[0] - s.dry) / (s.porosity - s.dry), real(0), real(1));
    if (site.green < 1) e.soil = wetness * wetness * (1 - site.green) * potential;
    if (site.green <= 0) return e;
    const real wet_leaves = c.canopy > 0 ? wet(c.canopy) : real(0);
    e.canopy = std::min(site.green * wet_leaves * potential, c.canopy * water_density / dt);
    const real transpiration = site.green * transpiring * potential * (1 - wet_leaves);
    const auto roots = static_cast<std::size_t>(site.vegetation.roots);
    if (roots == 0) return e;
    real mean = 0, sum = 0;
    for (std::size_t k = 0; k < roots; ++k) mean += available(s, c.liquid[k]);
    mean /= static_cast<real>(roots);
    Layers draw{};
    for (std::size_t k = 0; k < roots; ++k) { // more from where there is more than elsewhere
        const real share = available(s, c.liquid[k]);
        draw[k] = share * std::max(thickness[k] / bottom[roots - 1] + share - mean, real(0));
        sum += draw[k];
    }
    for (std::size_t k = 0; k < roots; ++k) e.roots[k] = sum > 0 ? transpiration * draw[k] / sum : real(0);
    return e;
}

} // namespace squall::noah
