#include "physics/noah/soil_heat.hpp"

#include <algorithm>
#include <cmath>

namespace squall::noah {
namespace {

constexpr real deep = 8;                  // where the temperature of the year's mean is [m]
constexpr real least_liquid = real(0.02); // that never freezes [m3 m-3]
constexpr real urban_conductivity = real(3.24);
constexpr real volume_heat_of_water = real(4.2e6); // [J m-3 K-1]
constexpr real volume_heat_of_ice = real(2.106e6);
constexpr real volume_heat_of_air = 1004;
constexpr real volume_heat_of_soil = real(2e6), volume_heat_of_city = real(3e6);

real heat_capacity(const Site &site, real moisture, real liquid) {
    const real porosity = site.soil.porosity;
    return liquid * volume_heat_of_water +
           (1 - porosity) * (site.urban ? volume_heat_of_city : volume_heat_of_soil) +
           (porosity - moisture) * volume_heat_of_air + (moisture - liquid) * volume_heat_of_ice;
}

/// The share of the way from one end to the other at which a line between these temperatures freezes.
real crossing(real from, real to) { return (freezing_point - from) / (to - from); }

/// The mean of min(T, freezing point) over a layer where it freezes, T being straight from its edges to its
/// middle: Koren et al. (1999), their mean for freezing. Where nothing or all of it freezes, of T.
real mean_for_freezing(real top, real middle, real base) {
    const bool a = top < freezing_point, b = middle < freezing_point, c = base < freezing_point;
    if (a == b && b == c) return (top + 2 * middle + base) / 4;
    // The mean over the half between two temperatures, at most the freezing point.
    const auto half = [](real from, real to) {
        const bool cold_from = from < freezing_point, cold_to = to < freezing_point;
        if (cold_from && cold_to) return (from + to) / 2;
        if (!cold_from && !cold_to) return freezing_point;
        const real at = crossing(from, to), cold = cold_from ? at : 1 - at;
        return freezing_point + cold * ((cold_from ? from : to) - freezing_point) / 2;
    };
    return (half(top, middle) + half(middle, base)) / 2;
}

/// Between layer k and what is below it.
real at_base(const Site &site, const Column &c, std::size_t k) {
    const real above = k == 0 ? real(0) : bottom[k - 1];
    const bool last = k + 1 == layers;
    const real below = last ? 2 * deep - bottom[k] : bottom[k + 1];
    const real next = last ? site.deep_temperature : c.temperature[k + 1];
    return c.temperature[k] + (next - c.temperature[k]) * (bottom[k] - above) / (below - above);
}

/// Lets water of a layer freeze or thaw towards what stays liquid at `mean`, as far as the heat that comes in
/// (`gain` [W m-2]) allows; the latent heat that this sets free [W m-2].
real freeze(const Site &site, Column &c, std::size_t k, real mean, real gain, real dt) {
    const real now = c.liquid[k];
    const real free = supercooled(site.soil, mean, c.moisture[k], now);
    const real per_water = water_density * fusion * thickness[k];
    real after = now + gain * dt / per_water;
    if (after < now && after < free) after = free > now ? now : free;
    if (after > now && after > free) after = free < now ? now : free;
    after = std::clamp(after, real(0), c.moisture[k]);
    c.liquid[k] = after;
    return -per_water * (after - now) / dt;
}

} // namespace

real thermal_conductivity(const Site &site, real moisture, real liquid) {
    if (site.urban) return urban_conductivity;
    constexpr real ice = real(2.2), water = real(0.57);
    const Soil &s = site.soil;
    const real saturation = moisture / s.porosity;
    const real unfrozen = liquid / moisture * s.porosity;
    const real saturated = s.mineral * std::pow(ice, s.porosity - unfrozen) * std::pow(water, unfrozen);
    const real density = (1 - s.porosity) * 2700;
    const real dry = (real(0.135) * density + real(64.7)) / (2700 - real(0.947) * density);
    const real kersten = saturation > real(0.1) ? std::log10(saturation) + 1 : real(0);
    const real share = ((moisture - liquid) * saturation + liquid * kersten) / moisture;
    return share * (saturated - dry) + dry;
}

real top_conductivity(const Site &site, const Column &c) {
    return thermal_conductivity(site, c.moisture[0], c.liquid[0]) * std::exp(-2 * site.green);
}

real supercooled(const Soil &soil, real temperature, real moisture, real liquid) {
    constexpr real per_ice = 8, gravity = real(9.81), enough = real(0.005);
    constexpr int most = 10;
    if (temperature > freezing_point - real(1e-3)) return moisture;
    const real exponent = std::min(soil.exponent, real(5.5));
    const real most_ice = std::max(moisture - least_liquid, real(0));
    const real depression = (freezing_point - temperature) / temperature;
    const real log_depression = std::log(depression);
    real ice = std::clamp(moisture - liquid, real(0), most_ice);
    for (int n = 0; n < most; ++n) { // Newton, on the logarithm
        const real swollen = 1 + per_ice * ice;
        const real error = std::log(soil.suction * gravity / fusion * (swollen * swollen) *
                                    std::pow(soil.porosity / (moisture - ice), exponent)) -
                           log_depression;
        const real slope = 2 * per_ice / swollen + exponent / (moisture - ice);
        const real next = std::clamp(ice - error / slope, real(0), most_ice);
        const bool done = std::abs(next - ice) <= enough;
        ice = next;
        if (done) return moisture - ice;
    }
    // The same equation without the swelling by ice: Flerchinger and Saxton.
    const real explicit_liquid =
        std::pow(fusion / (gravity * soil.suction) * depression, -1 / exponent) * soil.porosity;
    return std::min(std::max(explicit_liquid, least_liquid), moisture);
}

void conduct(const Site &site, Column &c, const Above &above, real dt) {
    const Layers &t = c.temperature;
    Layers below{}, middle{}, beyond{}, change{};
    const real to_above = above.conductivity / (thickness[0] / 2 * above.resistance);
    real conductivity = above.conductivity;
    real inflow = to_above * (above.temperature - t[0]), exchange = to_above;
    real top = (above.temperature + (above.resistance - 1) * t[0]) / above.resistance;
    for (std::size_t k = 0; k < layers; ++k) {
        const bool last = k + 1 == layers;
        if (k > 0) conductivity = thermal_conductivity(site, c.moisture[k], c.liquid[k]);
        const real capacity = heat_capacity(site, c.moisture[k], c.liquid[k]) * thickness[k] / dt;
        const real distance = last ? deep - (bottom[k - 1] + bottom[k]) / 2 : to_next(k);
        const real next = last ? site.deep_temperature : t[k + 1];
        const real outflow = conductivity / distance * (t[k] - next);
        const real gain = inflow - outflow, base = at_base(site, c, k);
        real freed = 0;
        if (c.moisture[k] > c.liquid[k] || t[k] < freezing_point || top < freezing_point ||
            base < freezing_point)
            freed = freeze(site, c, k, mean_for_freezing(top, t[k], base), gain, dt);
        const real implicit = last ? real(0) : conductivity / distance; // the deep ground's is explicit
        below[k] = k == 0 ? real(0) : -exchange / capacity;
        beyond[k] = -implicit / capacity;
        middle[k] = 1 + (exchange + implicit) / capacity;
        change[k] = (gain + freed) / capacity;
        inflow = outflow;
        exchange = implicit;
        top = base;
    }
    solve(below, middle, beyond, change);
    for (std::size_t k = 0; k < layers; ++k) c.temperature[k] += change[k];
}

} // namespace squall::noah
