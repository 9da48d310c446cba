// The stratocumulus of the first research flight of DYCOMS-II: Stevens, B. et al. (2005): Evaluation of
// large-eddy simulations via observations of nocturnal marine stratocumulus. Mon. Wea. Rev. 133, 1443-1462;
// as a single column: Zhu, P. et al. (2005): Intercomparison and interpretation of single-column model
// simulations of a nocturnal stratocumulus-topped marine boundary layer. Ibid., 2741-2758.

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "initial/cases/wide_flow.hpp"

namespace squall {
namespace {

constexpr double surface_pressure = 101780, inversion = 840, jump = 0.01; // [Pa], [m], its thickness [m]
constexpr double latent_heat = 2.5e6, c_p = constants::c_p, kappa = constants::kappa, p0 = constants::p0;

/// What is conserved: liquid water potential temperature [K] and water of all kinds per mass of air.
struct Conserved {
    double theta_l, water;
};

Conserved conserved_at(double z) {
    if (z <= inversion) return {289, 9e-3};
    return {297.5 + std::cbrt(z - inversion), 1.5e-3};
}

/// Splits water into vapour and cloud at a pressure [Pa]: at most saturated, by bisection.
SoundingLevel saturated(double z, double p) {
    const Conserved air = conserved_at(z);
    const double exner = std::pow(p / p0, kappa), all = air.water / (1 - air.water);
    const auto theta = [&](double cloud) { return air.theta_l + latent_heat / (c_p * exner) * cloud; };
    double least = 0, most = all;
    for (int n = 0; n < 60; ++n) {
        const double cloud = 0.5 * (least + most);
        const bool too_little = all - cloud > saturation_mixing_ratio(theta(cloud) * exner, p);
        (too_little ? least : most) = cloud;
    }
    const double cloud = most < 1e-9 ? 0 : most;
    return {z, theta(cloud), all - cloud, cloud};
}

/// The vapour needs the pressure, which the vapour changes a little.
MoistSounding sounding_of(const Config &config) {
    const GeostrophicWind wind(config);
    std::vector<double> heights;
    for (double z = 0; z < std::max(config.vertical.top, inversion) + 20; z += 10) {
        heights.push_back(z);
        if (z == inversion) heights.push_back(z + jump);
    }
    std::vector<SoundingLevel> levels;
    for (const double z : heights) levels.push_back({z, conserved_at(z).theta_l, conserved_at(z).water});
    for (int n = 0; n < 10; ++n) {
        const MoistSounding before(surface_pressure, levels);
        for (SoundingLevel &level : levels) {
            level = saturated(level.z, before.pressure(level.z));
            level.u = wind.u(level.z);
            level.v = wind.v(level.z);
        }
    }
    return MoistSounding(surface_pressure, std::move(levels));
}

InitialState make(const Config &config, const Patch &patch) {
    return under_wide_flow(config, patch, sounding_of(config));
}

} // namespace

Case stratocumulus() {
    return {"stratocumulus",
            "The stratocumulus of DYCOMS-II's first research flight, Stevens et al. (2005), also as a single "
            "column",
            with_wide_flow({}, {.geostrophic_u = 7,
                                .geostrophic_v = -5.5,
                                .divergence = 3.75e-6,
                                .sensible_heat = 15,
                                .latent_heat = 115,
                                .friction_velocity = 0.25}),
            make};
}

} // namespace squall
