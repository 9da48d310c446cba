#include "physics/noah_mp/soil_water.hpp"

#include <algorithm>
#include <cmath>

namespace squall::noah_mp {
namespace {

using noah::bottom;
using noah::thickness;

real pores(const Site &site, real ice) { return std::max(real(1e-4), site.soil.porosity - ice); }

/// Share of frozen soil that lets no water through: Niu and Yang (2006), equation 17.
Layers sealed(const Site &site, const Layers &ice) {
    constexpr real a = 4;
    const real least = std::exp(-a);
    Layers share{};
    for (std::size_t k = 0; k < soil_layers; ++k) {
        const real frozen = std::min(real(1), ice[k] / site.soil.porosity);
        share[k] = std::max(std::exp(-a * (1 - frozen)) - least, real(0)) / (1 - least);
    }
    if (site.urban) share[0] = real(0.95);
    return share;
}

/// What ice leaves of infiltration: Koren et al. (1999), the gamma distribution of frozen ground.
real through_ice(const Site &site, const Layers &ice) {
    real depth = 0;
    for (std::size_t k = 0; k < soil_layers; ++k) depth += thickness[k] * ice[k];
    if (depth <= real(1e-2)) return 1;
    const real resistance = real(0.15 * 0.412 / 0.468) * site.soil.porosity / site.soil.reference;
    const real x = 3 * resistance / depth;
    return 1 - std::exp(-x) * (1 + x * x / 2 + x);
}

/// Of what arrives [m s-1], at most this comes in.
real infiltration(const Site &site, real arriving, const Layers &ice, real dt, const Column &c) {
    const noah::Soil &soil = site.soil;
    const real range = soil.porosity - soil.wilting;
    real room = 0;
    for (std::size_t k = 0; k < soil_layers; ++k)
        room += thickness[k] * range * (1 - (c.liquid[k] + ice[k] - soil.wilting) / range);
    const real a_day = 3 * soil.conductivity / real(2e-6);
    const real takes = room * (1 - std::exp(-a_day * dt / 86400)), rain = std::max(arriving * dt, real(0));
    const real most = rain * takes / (rain + takes) / dt * through_ice(site, ice);
    const real wetness = std::max(real(0.01), c.liquid[0] / soil.porosity);
    const real by_gravity = soil.conductivity * std::pow(wetness, 2 * soil.exponent + 3);
    return std::min(std::max(most, by_gravity), rain / dt);
}

/// Change of a step [m3 m-3] and what drains at the base [m s-1].
struct Movement {
    Layers change;
    real drainage;
};

/// Implicit in time. Clapp and Hornberger's laws, of all water in frozen soil.
Movement movement(const Site &site, const SoilFluxes &f, real entering, const Layers &shut, real dt,
                  const Column &c) {
    constexpr real slope = real(0.1); // of free drainage
    const noah::Soil &soil = site.soil;
    Layers below{}, middle{}, above{};
    Movement m{};
    real inflow = entering - f.evaporation, exchange = 0;
    for (std::size_t k = 0; k < soil_layers; ++k) {
        const bool last = k + 1 == soil_layers;
        const real wetness = std::max(real(0.01), c.moisture[k] / soil.porosity), open = 1 - shut[k];
        const real conductivity = soil.conductivity * std::pow(wetness, 2 * soil.exponent + 3) * open;
        const real diffusivity = soil.diffusivity * std::pow(wetness, soil.exponent + 2) * open;
        const real to_next = last ? real(0) : diffusivity / noah::to_next(k);
        const real outflow =
            last ? slope * conductivity : to_next * (c.moisture[k] - c.moisture[k + 1]) + conductivity;
        const real per = dt / thickness[k];
        below[k] = -exchange * per;
        above[k] = -to_next * per;
        middle[k] = 1 + (exchange + to_next) * per;
        m.change[k] = (inflow - outflow - f.roots[k]) * per;
        inflow = outflow;
        exchange = to_next;
        if (last) m.drainage = outflow;
    }
    noah::solve(below, middle, above, m.change);
    return m;
}

/// What does not fit goes to the layer above, from the first one down again; what never fits [m].
real overflow(const Site &site, const Layers &ice, Column &c) {
    const auto spill = [&](std::size_t k) {
        const real most = pores(site, ice[k]), over = std::max(c.liquid[k] - most, real(0)) * thickness[k];
        c.liquid[k] = std::min(most, c.liquid[k]);
        return over;
    };
    for (std::size_t k = soil_layers - 1; k > 0; --k) c.liquid[k - 1] += spill(k) / thickness[k - 1];
    real over = spill(0);
    for (std::size_t k = 1; over > 0 && k < soil_layers; ++k) {
        c.liquid[k] += over / thickness[k];
        over = spill(k);
    }
    return over;
}

/// A layer that lost more than it had takes it from the one below, the last one from what drained; what that
/// gave [kg m-2].
real refill(Column &c) {
    constexpr real least = real(0.01); // [kg m-2]
    real lack = 0;
    for (std::size_t k = 0; k < soil_layers; ++k) {
        const real mass = thickness[k] * water_density, has = c.liquid[k] * mass - lack;
        const bool last = k + 1 == soil_layers;
        lack = has < (last ? least : real(0)) ? least - has : real(0);
        c.liquid[k] = (has + lack) / mass;
    }
    return lack;
}

} // namespace

Runoff move_water(const Site &site, const SoilFluxes &f, const Layers &ice, real dt, Column &c) {
    real over = 0; // [m]
    for (std::size_t k = 0; k < soil_layers; ++k) {
        const real most = pores(site, ice[k]);
        over += std::max(c.liquid[k] - most, real(0)) * thickness[k];
        c.liquid[k] = std::min(most, c.liquid[k]);
    }
    const Layers shut = sealed(site, ice);
    const bool wet = f.arriving > 0;
    const real first = wet ? infiltration(site, f.arriving, ice, dt, c) : real(0);
    const int steps = first * dt > thickness[0] * site.soil.porosity ? 6 : 3;
    const real part = dt / real(steps);
    real drained = 0, ran = 0;
    for (int n = 0; n < steps; ++n) {
        const real entering = wet ? infiltration(site, f.arriving, ice, part, c) : real(0);
        const Movement m = movement(site, f, entering, shut, part, c);
        for (std::size_t k = 0; k < soil_layers; ++k) c.liquid[k] += m.change[k];
        over += overflow(site, ice, c);
        for (std::size_t k = 0; k < soil_layers; ++k) c.moisture[k] = c.liquid[k] + ice[k];
        drained += m.drainage / real(steps);
        ran += std::max(f.arriving - entering, real(0)) / real(steps);
    }
    const real taken = refill(c);
    for (std::size_t k = 0; k < soil_layers; ++k) c.moisture[k] = c.liquid[k] + ice[k];
    if (!wet) ran = 0;
    return {(ran + over / dt) * water_density, drained * water_density - taken / dt};
}

} // namespace squall::noah_mp
