#include "physics/fire/fuel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace squall::fire {
namespace {

constexpr bool is_chaparral = true;

/// Loads and depths are Anderson's in SI units; the weights of mass loss are fits to D. Latham's measurements
/// (Clark et al. 2004, Int. J. Wildland Fire 13, 49-63).
constexpr std::array<Fuel, no_fuel> fuels{{
    {0.166, 0.305, 3500, 0.12, 7, false, {0.74, 0, 0, 0, 0}},               // short grass
    {0.896, 0.305, 2784, 0.15, 7, false, {2, 1, 0.5, 0, 0.5}},              // timber with grass
    {0.674, 0.762, 1500, 0.25, 7, false, {3.01, 0, 0, 0, 0}},               // tall grass
    {3.591, 1.829, 1739, 0.2, 180, is_chaparral, {5.01, 4.01, 2, 0, 5.01}}, // chaparral
    {0.784, 0.61, 1683, 0.2, 100, false, {1, 0.5, 0, 0, 2}},                // brush
    {1.344, 0.762, 1564, 0.25, 100, false, {1.5, 2.5, 2, 0, 0}},            // dormant brush, hardwood slash
    {1.091, 0.762, 1562, 0.4, 100, false, {1.13, 1.87, 1.5, 0, 0.37}},      // southern rough
    {1.12, 0.061, 1889, 0.3, 900, false, {1.5, 1, 2.5, 0, 0}},              // closed timber litter
    {0.78, 0.061, 2484, 0.25, 900, false, {2.92, 0.41, 0.15, 0, 0}},        // hardwood litter
    {2.692, 0.305, 1764, 0.25, 900, false, {3.01, 2, 5.01, 0, 2}},          // timber litter and understory
    {2.582, 0.305, 1182, 0.15, 900, false, {1.5, 4.51, 5.51, 0, 0}},        // light logging slash
    {7.749, 0.701, 1145, 0.2, 900, false, {4.01, 14.03, 16.53, 0, 0}},      // medium logging slash
    {13.024, 0.914, 1159, 0.25, 900, false, {7.01, 23.04, 28.05, 0, 0}},    // heavy logging slash
    {0, 0.305, 3500, 0.12, 7, false, {0, 0, 0, 0, 0}},                      // none
}};

constexpr double particle_density = 32;     ///< oven-dry [lb ft-3]
constexpr double minerals = 0.0555;         ///< share of the mass
constexpr double effective_minerals = 0.01; ///< without silica
constexpr double foot = 0.3048;             ///< [m]
constexpr double pounds = 2.205;            ///< in a kilogram
constexpr double btu_per_pound = 4.3e-4;    ///< in a joule per kilogram

/// Optimum reaction velocity [min-1]: Rothermel's equations 36 and 38, with Albini's exponent.
double reaction_velocity(double surface, double packing) {
    const double s = std::pow(surface, 1.5), fastest = s / (495 + 0.0594 * s);
    const double a = 1 / (4.774 * std::pow(surface, 0.1) - 7.27);
    return fastest * std::pow(packing, a) * std::exp(a * (1 - packing));
}

/// Of a moisture over that of extinction: Rothermel's equation 29.
double moisture_damping(double ratio) {
    return 1 - 2.59 * ratio + 5.11 * ratio * ratio - 3.52 * ratio * ratio * ratio;
}

} // namespace

double Fuel::share(int of_class) const {
    const double all = std::accumulate(classes.begin(), classes.end(), 0.0);
    return all > 0 ? classes[static_cast<std::size_t>(of_class)] / all : 0;
}

const Fuel &fuel(int category) {
    if (category < 1 || category > no_fuel)
        throw std::out_of_range(fmt::format("{} is no category of fuel: 1 to {} are", category, no_fuel));
    return fuels[static_cast<std::size_t>(category - 1)];
}

Spread spread_of(int category, double moisture) {
    const Fuel &f = fuel(category);
    if (f.load == 0) return {0, 0, 1, 0, 0, 0};
    const double surface = f.surface_to_volume;
    const double dry = f.load / (1 + moisture) * foot * foot * pounds, depth = f.depth / foot;
    const double packing = dry / (depth * particle_density);
    const double relative = packing / (3.348 * std::pow(surface, -0.8189)); // over the optimum, equation 37
    const double damped = std::max(moisture_damping(moisture / f.extinction), 0.0) * 0.174 *
                          std::pow(effective_minerals, -0.19);
    // Equation 27: [BTU ft-2 min-1].
    const double intensity = reaction_velocity(surface, relative) * dry / (1 + minerals) *
                             heat_of_combustion * btu_per_pound * damped;
    // For as long as a particle burns, 12.6 minutes over its surface (Anderson 1969): [kJ m-2].
    const double heat = intensity * 1055 / (foot * foot) * 1e-3 * 12.6 / surface;
    if (f.chaparral) return {0, 0, 1, 0, 1, real(heat)};
    const double propagating = std::exp((0.792 + 0.681 * std::sqrt(surface)) * (packing + 0.1)) /
                               (192 + 0.2595 * surface); // equation 42
    // What it takes to ignite a cubic foot: equations 12, 14 and 40.
    const double to_ignite = dry / depth * std::exp(-138 / surface) * (250 + 1116 * moisture);
    const double c = 7.47 * std::exp(-0.133 * std::pow(surface, 0.55)), // equations 48 to 50
        e = 0.715 * std::exp(-3.59e-4 * surface);
    return {real(intensity * propagating / to_ignite * 0.00508),
            real(c * std::pow(relative, -e)),
            real(0.02526 * std::pow(surface, 0.54)),
            real(5.275 * std::pow(packing, -0.3)),
            0,
            real(heat)};
}

} // namespace squall::fire
