#include "physics/noah_mp/soil_water.hpp"

#include <algorithm>
#include <cmath>

#include "physics/noah_mp/groundwater.hpp"

namespace squall::noah_mp {
namespace {

using noah::bottom;
using noah::thickness;

real pores(const Site &site, real ice) { return std::max(real(1e-4), site.soil.porosity - ice); }

/// Share of frozen soil that lets no water through: Niu and Yang (2006), equation 17.
Layers sealed(const noah::Soil &soil, const Layers &ice) {
    constexpr real a = 4;
    const real least = std::exp(-a);
    Layers share{};
    for (std::size_t k = 0; k < soil_layers; ++k) {
        const real frozen = std::min(real(1), ice[k] / soil.porosity);
        share[k] = std::max(std::exp(-a * (1 - frozen)) - least, real(0)) / (1 - least);
    }
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

/// How water moves within a layer.
struct Flow {
    real conductivity, diffusivity; ///< [m s-1], [m2 s-1]
    real content;                   ///< whose gradient drives it [m3 m-3]
};

/// Clapp and Hornberger's laws: of all water, in soil that ice seals in part, or of the liquid alone, with a
/// diffusivity that falls to that of dry soil by the most ice of all layers (Koren et al. 1999).
Flow flow(const Site &site, const Column &c, std::size_t k, real shut, real most_ice) {
    const noah::Soil &soil = site.soil;
    const bool koren = site.options.koren;
    const real content = koren ? c.liquid[k] : c.moisture[k];
    const real wetness = std::max(real(0.01), content / soil.porosity);
    Flow f{soil.conductivity * std::pow(wetness, 2 * soil.exponent + 3),
           soil.diffusivity * std::pow(wetness, soil.exponent + 2), content};
    if (!koren) {
        f.conductivity *= 1 - shut;
        f.diffusivity *= 1 - shut;
    } else if (most_ice > 0) {
        const real open = 1 / (1 + std::pow(500 * most_ice, real(3)));
        const real dry = std::min(real(0.05) / soil.porosity, wetness);
        f.diffusivity =
            open * f.diffusivity + (1 - open) * soil.diffusivity * std::pow(dry, soil.exponent + 2);
    }
    return f;
}

/// Change of a step [m3 m-3], what drains at the base [m s-1], and conductivities [m s-1].
struct Movement {
    Layers change, conductivity;
    real drainage;
};

/// Implicit in time. Groundwater draws what it wants afterwards.
Movement movement(const Site &site, const SoilFluxes &f, real entering, const Layers &shut, real most_ice,
                  real dt, const Column &c) {
    const real slope = site.options.groundwater ? real(0) : real(0.1); // of free drainage
    Layers below{}, middle{}, above{};
    Movement m{};
    real inflow = entering - f.evaporation, exchange = 0;
    Flow here = flow(site, c, 0, shut[0], most_ice);
    for (std::size_t k = 0; k < soil_layers; ++k) {
        const bool last = k + 1 == soil_layers;
        const Flow next = last ? here : flow(site, c, k + 1, shut[k + 1], most_ice);
        const real to_next = last ? real(0) : here.diffusivity / noah::to_next(k);
        const real outflow =
            last ? slope * here.conductivity : to_next * (here.content - next.content) + here.conductivity;
        const real per = dt / thickness[k];
        below[k] = -exchange * per;
        above[k] = -to_next * per;
        middle[k] = 1 + (exchange + to_next) * per;
        m.change[k] = (inflow - outflow - f.roots[k]) * per;
        m.conductivity[k] = here.conductivity;
        inflow = outflow;
        exchange = to_next;
        here = next;
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
    const bool aquifer = site.options.groundwater;
    Layers shut = sealed(site.soil, ice);
    const real most_shut = *std::max_element(shut.begin(), shut.end());
    if (site.urban) shut[0] = real(0.95);
    const real most_ice = *std::max_element(ice.begin(), ice.end());
    const bool wet = f.arriving > 0;
    const auto takes = [&](real over_time) {
        if (!wet) return real(0);
        return aquifer ? f.arriving * (1 - shut[0]) * (1 - saturated_share(site.soil, c.below))
                       : infiltration(site, f.arriving, ice, over_time, c);
    };
    const int steps = takes(dt) * dt > thickness[0] * site.soil.porosity ? 6 : 3;
    const real part = dt / real(steps);
    real drained = 0, ran = 0;
    Movement m{};
    for (int n = 0; n < steps; ++n) {
        const real entering = takes(part);
        m = movement(site, f, entering, shut, most_ice, part, c);
        for (std::size_t k = 0; k < soil_layers; ++k) c.liquid[k] += m.change[k];
        over += overflow(site, ice, c);
        for (std::size_t k = 0; k < soil_layers; ++k) c.moisture[k] = c.liquid[k] + ice[k];
        drained += m.drainage / real(steps);
        ran += std::max(f.arriving - entering, real(0)) / real(steps);
    }
    if (!wet) ran = 0;
    Runoff off{(ran + over / dt) * water_density, drained * water_density};
    if (aquifer) off.base = discharge(site.soil, m.conductivity, most_shut, ice, dt, c);
    const real taken = refill(c);
    if (aquifer)
        c.below.aquifer -= taken, c.below.all -= taken;
    else
        off.base -= taken / dt;
    for (std::size_t k = 0; k < soil_layers; ++k) c.moisture[k] = c.liquid[k] + ice[k];
    return off;
}

} // namespace squall::noah_mp
