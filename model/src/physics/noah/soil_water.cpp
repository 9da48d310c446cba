#include "physics/noah/soil_water.hpp"

#include <algorithm>
#include <cmath>

namespace squall::noah {
namespace {

constexpr real least_moisture = real(0.02); // [m3 m-3]
constexpr real slope = real(0.1);           // of drainage at the base over free fall

/// Hydraulic diffusivity [m2 s-1] and conductivity [m s-1]: Cosby et al. (1984), with less of the former
/// where ice is in the way.
struct Hydraulics {
    real diffusivity, conductivity;
};

Hydraulics hydraulics(const Soil &s, real liquid, real most_ice) {
    const real share = liquid / s.porosity;
    const real by_share = std::pow(share, s.exponent + 2);
    real diffusivity = s.diffusivity * by_share;
    if (most_ice > 0) {
        const real ice = 500 * most_ice, open = 1 / (1 + ice * ice * ice);
        const real dry = share < residual_moisture / s.porosity ? by_share : s.residual;
        diffusivity = open * diffusivity + (1 - open) * s.diffusivity * dry;
    }
    return {diffusivity, s.conductivity * std::pow(share, 2 * s.exponent + 3)};
}

/// Probability that water finds its way through `ice` [m] of frozen soil.
real unfrozen_share(const Site &site, real ice) {
    if (ice <= real(1e-2)) return 1;
    const real ratio = 3 * site.frozen_resistance / ice;
    return 1 - std::exp(-ratio) * (1 + ratio + ratio * ratio / 2);
}

/// What of `rain` gets into the soil [m s-1].
real infiltration(const Site &site, const Layers &liquid, const Layers &ice, real conductivity, real rain,
                  real dt) {
    if (rain == 0) return 0;
    const Soil &s = site.soil;
    real room = 0, frozen = 0;
    for (std::size_t k = 0; k < layers; ++k) {
        room += thickness[k] * (s.porosity - liquid[k] - ice[k]);
        frozen += thickness[k] * ice[k];
    }
    constexpr real reference = real(3 / 2e-6); // of a day's uptake over the soil's conductivity
    const real uptake = std::max(room, real(0)) * (1 - std::exp(-reference * s.conductivity * dt / day));
    const real depth = std::max(rain * dt, real(0));
    const real share = depth > 0 ? uptake / (depth + uptake) : real(0);
    const real most = depth * share / dt * unfrozen_share(site, frozen);
    return std::min(rain, std::min(std::max(most, conductivity), depth / dt));
}

/// What changes in a step, with hydraulics as of `at`, and what leaves.
struct Step {
    Layers change;
    real infiltration, base; ///< [m s-1]
};

Step step(const Site &site, const Layers &liquid, const Layers &at, const Layers &ice, real rain,
          const Evaporation &lost, real dt) {
    const real most_ice = std::max({real(0), ice[0], ice[1], ice[2], ice[3]});
    Layers below{}, middle{}, beyond{};
    Step out{};
    Hydraulics h = hydraulics(site.soil, at[0], most_ice);
    out.infiltration = infiltration(site, at, ice, h.conductivity, rain, dt);
    real inflow = out.infiltration - lost.soil / water_density, exchange = 0;
    for (std::size_t k = 0; k < layers; ++k) {
        const bool last = k + 1 == layers;
        if (k > 0) h = hydraulics(site.soil, at[k], most_ice);
        const real per_step = dt / thickness[k];
        const real implicit = last ? real(0) : h.diffusivity / to_next(k);
        const real outflow =
            last ? slope * h.conductivity : implicit * (liquid[k] - liquid[k + 1]) + h.conductivity;
        below[k] = -exchange * per_step;
        beyond[k] = -implicit * per_step;
        middle[k] = 1 + (exchange + implicit) * per_step;
        out.change[k] = (inflow - outflow - lost.roots[k] / water_density) * per_step;
        inflow = outflow;
        exchange = implicit;
    }
    out.base = inflow;
    solve(below, middle, beyond, out.change);
    return out;
}

/// Adds a change, what a layer cannot hold going to the next; what the last cannot hold [m].
real add(const Site &site, Column &c, const Layers &liquid, const Layers &ice, const Layers &change) {
    real excess = 0; // [m]
    for (std::size_t k = 0; k < layers; ++k) {
        const real total = liquid[k] + change[k] + excess / thickness[k] + ice[k];
        excess = std::max(total - site.soil.porosity, real(0)) * thickness[k];
        c.moisture[k] = std::max(std::min(total, site.soil.porosity), least_moisture);
        c.liquid[k] = std::max(c.moisture[k] - ice[k], real(0));
    }
    return excess;
}

/// Water that the leaves let through of what falls, `rain` being all of it [m s-1].
real wet_leaves(const Site &site, Column &c, real rain, real evaporation, real dt) {
    const real after = c.canopy + dt * (site.green * rain - evaporation);
    const real drip = std::max(after - canopy_holds, real(0));
    c.canopy = after < real(1e-20) ? real(0) : std::min(after, canopy_holds);
    return (1 - site.green) * rain + drip / dt;
}

} // namespace

Runoff move_water(const Site &site, Column &c, real rain, const Evaporation &lost, real dt) {
    const real through = wet_leaves(site, c, rain / water_density, lost.canopy / water_density, dt);
    Layers ice{};
    real fullest = 0;
    for (std::size_t k = 0; k < layers; ++k) {
        ice[k] = c.moisture[k] - c.liquid[k];
        fullest = std::max(fullest, c.liquid[k] / site.soil.porosity);
    }
    const Layers before = c.liquid;
    Step s = step(site, before, before, ice, through, lost, dt);
    // Much water, or soil nearly full: again with the hydraulics half way (Kalnay and Kanamitsu 1988).
    if (through * dt > real(0.1) * thickness[0] * site.soil.porosity || fullest > site.soil.limit) {
        add(site, c, before, ice, s.change);
        Layers half{};
        for (std::size_t k = 0; k < layers; ++k) half[k] = (before[k] + c.liquid[k]) / 2;
        s = step(site, before, half, ice, through, lost, dt);
    }
    const real excess = add(site, c, before, ice, s.change);
    return {(through - s.infiltration) * water_density, (s.base + excess / dt) * water_density};
}

} // namespace squall::noah
