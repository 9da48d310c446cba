// Tropical air that radiates and convects over a sea of one temperature, at rest on a sphere that does not
// turn: Wing, A. A. et al. (2018): Radiative-convective equilibrium model intercomparison project. Geosci.
// Model Dev. 11, 793-813, section 3 and appendix.

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "initial/cases/wide_flow.hpp"

namespace squall {
namespace {

constexpr double surface_pressure = 101480, tropopause = 15000, lapse = 0.0067; // [Pa], [m], [K m-1]
constexpr double decay_of_vapour = 4000, square_decay = 7500;                   // [m]
constexpr double of_stratosphere = 1e-14;                                       // vapour [kg kg-1]
constexpr double g = constants::g, r_d = constants::r_d, kappa = constants::kappa, p0 = constants::p0;

/// Virtual temperature falls to the tropopause and stays, vapour (per mass of air) falls faster and faster.
SoundingLevel level(double z, double sea, double vapour_there) {
    const double at_sea = sea * (1 + 0.608 * vapour_there), below = std::min(z, tropopause);
    const double virtual_t = at_sea - lapse * below;
    const double to_there = surface_pressure * std::pow(virtual_t / at_sea, g / (r_d * lapse));
    const double p = to_there * std::exp(-g * (z - below) / (r_d * virtual_t));
    const double square = z / square_decay;
    const double q =
        z > tropopause ? of_stratosphere : vapour_there * std::exp(-z / decay_of_vapour - square * square);
    return {z, virtual_t / (1 + 0.608 * q) * std::pow(p0 / p, kappa), q / (1 - q)};
}

MoistSounding sounding_of(const Config &config) {
    const double sea = config.physics.surface_temperature, vapour = parameter(config, "vapour");
    std::vector<SoundingLevel> levels;
    for (double z = 0; z < config.vertical.top + 200; z += 100) levels.push_back(level(z, sea, vapour));
    return MoistSounding(surface_pressure, std::move(levels));
}

InitialState make(const Config &config, const Patch &patch) {
    if (!(config.physics.surface_temperature > 0))
        throw ConfigError(config.file + ": initial.case = \"radiative-convective\" needs "
                                        "physics.surface_temperature, that of the sea, such as \"300 K\"");
    if (!(parameter(config, "vapour") > 0 && parameter(config, "vapour") < 0.05))
        throw ConfigError(config.file + ": initial.vapour is a mass fraction between 0 and 0.05");
    return under_wide_flow(config, patch, sounding_of(config));
}

} // namespace

Case radiative_convective() {
    return {"radiative-convective",
            "Tropical air at rest over a sea of one temperature, Wing et al. (2018), also a single column",
            with_wide_flow({{"vapour", "", 0.01865,
                             "specific humidity at the sea surface: 0.012 over 295 K, 0.01865 over 300 K, "
                             "0.024 over 305 K [kg/kg]"}},
                           {}),
            make};
}

} // namespace squall
