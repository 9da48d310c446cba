// What part of a flux of water and heat lifts: with eddies in which some of the water is cloud.
#include <algorithm>
#include <cmath>

#include "core/loop.hpp"
#include "physics/mynn/closure.hpp"
#include "physics/mynn/profiles.hpp"
#include "physics/saturation.hpp"

namespace squall::mynn {

void set_clear(const Profiles &p, int k) {
    for_each_i(0, p.c.n,
               [by_heat = p.of_theta_l.row(k), by_water = p.of_water.row(k), theta = p.c.theta.row(k),
                water = p.water.row(k)](int i) {
                   by_heat[i] = 1 + constants::virtual_factor * water[i];
                   by_water[i] = constants::virtual_factor * theta[i];
               });
}

/// Partial condensation of a Gaussian distribution (Sommeria and Deardorff 1977, J. Atmos. Sci. 34, 344-355;
/// Nakanishi and Niino 2004). The variances are those of level 2.5, B2 L K / q times
/// products of the gradients, in which only the combination that makes cloud is needed.
void set_cloudy(const Profiles &p, int k) {
    constexpr real per_root_2pi = real(0.39894228), per_root_2 = real(0.70710678);
    constexpr real least = real(1e-5); // amplitude [kg kg-1]
    const int above = std::min(k + 1, p.c.nz - 1), below = std::max(k, 1);
    for (int i = 0; i < p.c.n; ++i) {
        const real pi = p.c.exner(i, k), cold = p.theta_l(i, k) * pi;
        const real saturated = saturation_over_water(cold, p.c.pressure(i, k));
        const real slope = latent_heat * saturated / (constants::r_v * cold * cold);
        const real a = 1 / (1 + latent_heat / constants::c_p * slope), b = pi * slope;
        const auto variance = [&](int at) {
            const real gradient = p.water_z(i, at) - b * p.theta_l_z(i, at);
            return b2 * p.length(i, at) * p.heat(i, at) / p.q(i, at) * gradient * gradient;
        };
        const real amplitude = std::max(std::sqrt(real(0.5) * (variance(below) + variance(above))), least);
        const real excess = std::min(std::max((p.water(i, k) - saturated) / amplitude, real(-8)), real(1e4));
        const real density = per_root_2pi * std::exp(real(-0.5) * excess * excess);
        const real cover = real(0.5) * (1 + std::erf(excess * per_root_2));
        const real liquid = std::max(cover * excess + density, real(0));
        const real cloud = a * amplitude * liquid;
        const real theta = p.theta_l(i, k) + latent_heat / (constants::c_p * pi) * cloud;
        const real heavy =
            1 + constants::virtual_factor * p.water(i, k) - (1 + constants::virtual_factor) * cloud;
        const real moves = cover - liquid * density; // share of the flux that changes phase
        const real lift =
            moves * a *
            (latent_heat / (constants::c_p * pi) * heavy - (1 + constants::virtual_factor) * theta);
        p.of_theta_l(i, k) = heavy - lift * b;
        p.of_water(i, k) = constants::virtual_factor * theta + lift;
    }
}

} // namespace squall::mynn
