#include "physics/noah_mp/ground_heat.hpp"

#include <cmath>

namespace squall::noah_mp {
namespace {

constexpr real conductivity_of_ice = real(2.2);
constexpr real conductivity_of_thin_snow = real(0.35); // too shallow for a layer
constexpr real zero_depth = 8;                         // where the temperature is that of the deep ground [m]

/// Johansen (1975), Peters-Lidard et al. (1998, J. Atmos. Sci. 55, 1209), [W m-1 K-1].
real soil_conductivity(const Site &site, real moisture, real liquid) {
    if (site.urban) return real(3.24);
    constexpr real water = real(0.57), other = 2, quartz = real(7.7);
    const noah::Soil &s = site.soil;
    const real saturation = moisture / s.porosity;
    const real solid = std::pow(quartz, s.quartz) * std::pow(other, 1 - s.quartz);
    const real unfrozen = (moisture > 0 ? liquid / moisture : real(1)) * s.porosity;
    const real saturated = std::pow(solid, 1 - s.porosity) *
                           std::pow(conductivity_of_ice, s.porosity - unfrozen) * std::pow(water, unfrozen);
    const real density = (1 - s.porosity) * 2700;
    const real dry = (real(0.135) * density + real(64.7)) / (2700 - real(0.947) * density);
    const bool frozen = liquid + real(0.0005) < moisture;
    const real kersten = frozen ? saturation : saturation > real(0.1) ? std::log10(saturation) + 1 : real(0);
    return kersten * (saturated - dry) + dry;
}

/// The layers of snow; Yen (1965) for their conductivity.
GroundLayers with_snow(const Column &c) {
    GroundLayers g{c.snow.count + soil_layers, c.snow.count, {}, {}, {}, {}};
    for (std::size_t k = 0; k < g.snow; ++k) {
        const SnowLayer &s = c.snow.layer[k];
        const real ice = std::min(real(1), s.ice / (s.thickness * ice_density));
        const real liquid = std::min(1 - ice, s.liquid / (s.thickness * water_density));
        const real density = s.mass() / s.thickness;
        g.thickness[k] = s.thickness;
        g.capacity[k] = volume_heat_of_ice * ice + volume_heat_of_water * liquid;
        g.conductivity[k] = real(3.2217e-6) * density * density;
        g.temperature[k] = s.temperature;
    }
    for (std::size_t k = 0; k < soil_layers; ++k) {
        g.thickness[g.snow + k] = noah::thickness[k];
        g.temperature[g.snow + k] = c.temperature[k];
    }
    return g;
}

/// The uppermost layer of soil conducts with the snow on it.
void join(const Column &c, GroundLayers &g) {
    const std::size_t top = g.snow;
    const real depth = top == 0 ? c.snow.depth : g.thickness[top - 1];
    const real of_snow = top == 0 ? conductivity_of_thin_snow : g.conductivity[top - 1];
    g.conductivity[top] =
        (g.conductivity[top] * g.thickness[top] + of_snow * depth) / (depth + g.thickness[top]);
}

} // namespace

GroundLayers layers_of(const Site &site, const Column &c) {
    constexpr real of_soil = real(2e6), of_city = real(3e6); // heat capacities of the solid [J m-3 K-1]
    GroundLayers g = with_snow(c);
    const real porosity = site.soil.porosity;
    for (std::size_t k = 0; k < soil_layers; ++k) {
        const real moisture = c.moisture[k], liquid = c.liquid[k];
        g.capacity[g.snow + k] =
            liquid * volume_heat_of_water + (1 - porosity) * (site.urban ? of_city : of_soil) +
            (porosity - moisture) * heat_of_air + (moisture - liquid) * volume_heat_of_ice;
        g.conductivity[g.snow + k] = soil_conductivity(site, moisture, liquid);
    }
    join(c, g);
    return g;
}

GroundLayers layers_of_glacier(const Column &c) {
    GroundLayers g = with_snow(c);
    for (std::size_t k = 0; k < soil_layers; ++k) {
        const real middle = noah::bottom[k] - noah::thickness[k] / 2; // firn gets denser downwards
        g.capacity[g.snow + k] = real(1e6) * (real(0.8194) + real(0.1309) * middle);
        g.conductivity[g.snow + k] = real(0.32333) + real(0.10073) * middle;
    }
    join(c, g);
    return g;
}

real conduct(GroundLayers &g, real flux, real snow_depth, real deep_temperature, real dt) {
    Stack below{}, middle{}, above{}, change{};
    real depth = 0; // of the top of layer k
    real inflow = flux, exchange = 0, bottom = 0;
    for (std::size_t k = 0; k < g.count; ++k) {
        const bool last = k + 1 == g.count;
        const real capacity = g.capacity[k] * g.thickness[k] / dt;
        real outflow = 0, to_next = 0;
        if (last) {
            const real distance = zero_depth + snow_depth - (depth + g.thickness[k] / 2);
            outflow = g.conductivity[k] * (g.temperature[k] - deep_temperature) / distance;
            bottom = -outflow;
        } else {
            to_next = 2 * g.conductivity[k] / (g.thickness[k] + g.thickness[k + 1]);
            outflow = to_next * (g.temperature[k] - g.temperature[k + 1]);
        }
        below[k] = -exchange / capacity;
        above[k] = -to_next / capacity;
        middle[k] = 1 + (exchange + to_next) / capacity;
        change[k] = (inflow - outflow) / capacity;
        inflow = outflow;
        exchange = to_next;
        depth += g.thickness[k];
    }
    noah::solve(below, middle, above, change, g.count);
    for (std::size_t k = 0; k < g.count; ++k) g.temperature[k] += change[k];
    return bottom;
}

} // namespace squall::noah_mp
