#include "physics/noah_mp/snow.hpp"

#include <algorithm>
#include <cmath>

#include "physics/noah_mp/snow_layers.hpp"

namespace squall::noah_mp {
namespace {

constexpr real top_soil_mass =
    noah::thickness[0] * water_density; // of the uppermost soil, were it water [kg m-2]
constexpr real most_water = 5000;       // of snow, before it flows away [kg m-2]

/// What the soil lacks of ice it gives of its liquid.
void settle_soil(real &ice, real &liquid) {
    if (ice >= 0) return;
    liquid += ice;
    ice = 0;
}

void fall(const SnowRules &rules, const SnowStep &step, const Air &a, Snow &s) {
    if (s.count == 0 && step.snow > 0) {
        s.depth += step.depth_rate * a.dt;
        s.water += step.snow * a.dt;
    }
    const bool enough = s.depth >= rules.least_depth && (!rules.glacier || step.snow > 0);
    if (s.count == 0 && enough) {
        s.count = 1;
        s.layer[0] = {s.depth, s.water, 0, std::min(freezing_point, a.temperature)};
        return;
    }
    if (s.count == 0 || step.snow <= 0) return;
    s.layer[0].ice += step.snow * a.dt;
    s.layer[0].thickness += step.depth_rate * a.dt;
}

/// Anderson (1976): snow gets denser as its grains change, under its weight, and as it melts.
void settle(const SnowRules &rules, const SnowStep &step, real dt, Snow &s) {
    real burden = 0;
    for (std::size_t k = 0; k < s.count; ++k) {
        SnowLayer &l = s.layer[k];
        const real mass = l.mass(), before = step.ice_before[k];
        const real room = 1 - (l.ice / ice_density + l.liquid / water_density) / l.thickness;
        if (room > real(0.001) && l.ice > real(0.1)) {
            const real density = l.ice / l.thickness,
                       cold = std::max(freezing_point - l.temperature, real(0));
            real by_grains = real(-2.5e-6) * std::exp(real(-0.04) * cold);
            if (density > 100) by_grains *= std::exp(real(-46e-3) * (density - 100));
            if (l.liquid > real(0.01) * l.thickness) by_grains *= 2;
            const real by_weight = -(burden + mass / 2) *
                                   std::exp(real(-0.08) * cold - real(21e-3) * density) /
                                   (rules.glacier ? real(0.8e6) : real(1.33e6));
            const real by_melting =
                step.melted[k] ? -std::max((before - l.ice / mass) / std::max(before, real(1e-6)), real(0))
                               : real(0);
            l.thickness *= 1 + std::max((by_grains + by_weight) * dt + by_melting, real(-0.5));
            if (!rules.glacier) {
                l.thickness = std::max(l.thickness, l.ice / ice_density + l.liquid / water_density);
                l.thickness = std::clamp(l.thickness, l.mass() / 500, l.mass() / 50); // no denser, no lighter
            }
        }
        burden += mass;
    }
}

/// Frost and sublimation of snow without a layer.
void sublimate_thin(const SnowStep &step, real dt, Snow &s, real &soil_ice, real &soil_liquid) {
    const real gain = (step.frost - step.sublimation) * dt;
    if (s.water == 0) {
        soil_ice += gain / top_soil_mass;
    } else if (s.count == 0) {
        const real former = s.water;
        s.water = former + gain;
        s.depth = std::max(s.water / former * s.depth, real(0));
        s.depth = std::min(std::max(s.depth, s.water / 500), s.water / 50);
        if (s.water < 0) {
            soil_ice += s.water / top_soil_mass;
            s.water = s.depth = 0;
        }
    }
    settle_soil(soil_ice, soil_liquid);
    if (s.depth <= real(1e-8) || s.water <= real(1e-6)) s.depth = s.water = 0;
}

/// Water runs down through the pores that it does not fill; what leaves the lowest layer [kg m-2].
real drain(real dt, Snow &s) {
    constexpr real held = real(0.03), release = real(5e-5); // share of pores; of the rest, each second
    constexpr real wettest = real(0.4);                     // share of a layer's mass
    real flow = 0;
    for (std::size_t k = 0; k < s.count; ++k) {
        SnowLayer &l = s.layer[k];
        const real pores = 1 - std::min(real(1), l.ice / (l.thickness * ice_density));
        l.liquid += flow;
        const real volume = l.liquid / (l.thickness * water_density);
        real out = std::max((volume - held * pores) * l.thickness, real(0));
        if (k + 1 == s.count) out = std::max((volume - pores) * l.thickness, release * dt * out);
        flow = out * water_density;
        l.liquid -= flow;
        const real most = wettest / (1 - wettest) * l.ice;
        if (l.liquid > wettest * l.mass()) {
            flow += l.liquid - most;
            l.liquid = most;
        }
    }
    return flow;
}

/// On a glacier water stays where the layer below is full.
real drain_glacier(Snow &s) {
    constexpr real held = real(0.03), tight = real(0.05); // share of pores; pores that let nothing through
    std::array<real, snow_layers + 1> pores{}, volume{};
    for (std::size_t k = 0; k < s.count; ++k) {
        const SnowLayer &l = s.layer[k];
        pores[k] = 1 - std::min(real(1), l.ice / (l.thickness * ice_density));
        volume[k] = std::min(pores[k], l.liquid / (l.thickness * water_density));
    }
    real flow = 0;
    for (std::size_t k = 0; k < s.count; ++k) {
        SnowLayer &l = s.layer[k];
        l.liquid += flow;
        real out = std::max((volume[k] - held * pores[k]) * l.thickness, real(0));
        if (k + 1 < s.count) {
            const bool shut = pores[k] < tight || pores[k + 1] < tight;
            const real room = (pores[k + 1] - volume[k + 1]) * s.layer[k + 1].thickness;
            out = shut ? real(0) : std::min(out, room);
        }
        flow = out * water_density;
        l.liquid -= flow;
    }
    return flow;
}

} // namespace

SnowWater advance_snow(const SnowRules &rules, const SnowStep &step, const Air &a, Snow &s, real &soil_ice,
                       real &soil_liquid) {
    SnowWater w;
    fall(rules, step, a, s);
    real ponding = 0;
    if (s.count > 0) {
        settle(rules, step, a.dt, s);
        ponding += join_layers(rules, s, soil_ice);
        settle_soil(soil_ice, soil_liquid);
        if (s.count > 0) part_layers(rules, s);
    }
    sublimate_thin(step, a.dt, s, soil_ice, soil_liquid);
    if (s.count > 0) {
        s.layer[0].ice += (step.frost - step.sublimation) * a.dt;
        if (s.layer[0].ice < real(1e-6)) ponding += join_layers(rules, s, soil_ice);
        settle_soil(soil_ice, soil_liquid);
        if (s.count > 0) s.layer[0].liquid = std::max(s.layer[0].liquid + step.rain * a.dt, real(0));
    }
    const real out = rules.glacier ? drain_glacier(s) : drain(a.dt, s);
    for (std::size_t k = 0; !rules.glacier && k < s.count; ++k) {
        SnowLayer &l = s.layer[k];
        l.thickness = std::max(l.thickness, l.liquid / water_density + l.ice / ice_density);
    }
    w.out = (ponding + out) / a.dt;
    if (s.water > most_water && s.count > 0) {
        SnowLayer &l = s.layer[s.count - 1];
        const real flow = s.water - most_water;
        l.thickness -= flow * l.thickness / l.ice;
        l.ice -= flow;
        w.flow = flow / a.dt;
    }
    if (s.count > 0) sum_layers(s);
    return w;
}

Snow layered_snow(real water, real depth, real temperature) {
    Snow s;
    s.water = water;
    s.depth = depth;
    if (depth < real(0.025)) return s;
    s.count = depth <= real(0.05) ? 1 : depth <= real(0.25) ? 2 : 3;
    std::array<real, snow_layers> thickness{depth};
    if (s.count == 2) thickness[0] = std::min(depth / 2, real(0.05));
    if (s.count == 3) {
        thickness[0] = real(0.05);
        thickness[1] = std::min((depth - thickness[0]) / 2, real(0.2));
    }
    if (s.count > 1) thickness[s.count - 1] = depth - thickness[0] - (s.count == 3 ? thickness[1] : real(0));
    for (std::size_t k = 0; k < s.count; ++k)
        s.layer[k] = {thickness[k], thickness[k] * water / depth, 0, temperature};
    return s;
}

} // namespace squall::noah_mp
