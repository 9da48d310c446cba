#include "physics/noah_mp/groundwater.hpp"

#include <algorithm>
#include <cmath>

namespace squall::noah_mp {
namespace {

using noah::bottom;
using noah::thickness;

constexpr real topographic_index = real(10.5); // the mean of the globe's
constexpr real most_saturated = real(0.38);    // of the ground, with the water table at the surface
constexpr real specific_yield = real(0.2);     // of the aquifer
constexpr real aquifer_depth = 25;             // below the soil [m]
constexpr real aquifer_holds = 5000;           // at most [kg m-2]
constexpr real micropores = real(0.8);         // share of them, which alone draw water up
constexpr real lateral = 1000;                 // discharge of saturated soil over its conductivity, times e^3
constexpr real highest_table = real(1.5);      // [m]: within the last_layer layer of soil

constexpr std::size_t last_layer = soil_layers - 1;
static_assert(bottom[last_layer - 1] < highest_table && highest_table < bottom[last_layer]);

/// Decay of runoff with the depth of the water table [m-1].
real runoff_decay(const noah::Soil &soil) { return soil.exponent / 3; }

real middle_of(std::size_t k) { return bottom[k] - thickness[k] / 2; }

/// From the layer above the water table to it [kg m-2 s-1], between -10 and 10 kg m-2 in a step: Darcy's law
/// with the harmonic mean of the conductivities of the layer and of saturated soil.
real recharge(const noah::Soil &soil, std::size_t above, real conductivity, real ice, real dt,
              const Column &c) {
    const real wetness = std::clamp((c.liquid[above] + ice) / soil.porosity, real(0.01), real(1));
    const real suction = std::min(micropores * soil.suction * std::pow(wetness, -soil.exponent), real(120));
    const real mean = 2 * conductivity * soil.conductivity / (conductivity + soil.conductivity);
    const real depth = c.below.depth - middle_of(above);
    const real rate = water_density * mean * (depth - suction) / depth;
    return std::clamp(rate, -10 / dt, 10 / dt);
}

/// Of water [kg m-2] that saturates soil and aquifer, the depth of its table.
real table_of(real water, real pores) {
    const real full = specific_yield * aquifer_depth * water_density;
    return bottom[last_layer] - (water - full) / (pores * water_density);
}

/// Takes water [kg m-2] out of the layers as they conduct it.
void take_from_soil(real water, const Layers &conductivity, Column &c) {
    real all = 0;
    for (std::size_t k = 0; k < soil_layers; ++k) all += conductivity[k] * thickness[k];
    if (all <= 0) return;
    for (std::size_t k = 0; k < soil_layers; ++k)
        c.liquid[k] -= water * conductivity[k] / all / water_density;
}

} // namespace

real saturated_share(const noah::Soil &soil, const Groundwater &below) {
    return most_saturated * std::exp(real(-0.5) * runoff_decay(soil) * below.depth);
}

real discharge(const noah::Soil &soil, const Layers &conductivity, real shut, const Layers &ice, real dt,
               Column &c) {
    Groundwater &w = c.below;
    const bool in_soil = w.depth <= bottom[last_layer];
    const std::size_t above = in_soil ? last_layer - 1 : last_layer;
    const real greatest = water_density * lateral * conductivity[above] * std::exp(3 - topographic_index);
    const real out = (1 - shut) * greatest * std::exp(-runoff_decay(soil) * w.depth);
    const real in = recharge(soil, above, conductivity[above], ice[above], dt, c);
    w.all += (in - out) * dt;
    if (in_soil) {
        w.depth = table_of(w.all, std::max(real(0.01), soil.porosity - ice[last_layer]));
        take_from_soil(out * dt, conductivity, c);
    } else {
        w.aquifer += (in - out) * dt;
        w.all = w.aquifer;
        w.depth = bottom[last_layer] + aquifer_depth - w.aquifer / water_density / specific_yield;
        const real over = std::max(w.aquifer - aquifer_holds, real(0));
        c.liquid[last_layer] += (over - in * dt) / (thickness[last_layer] * water_density);
        w.aquifer -= over;
    }
    w.depth = std::max(highest_table, w.depth);
    return out;
}

} // namespace squall::noah_mp
