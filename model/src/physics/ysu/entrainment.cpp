// What the top of a mixed layer takes in from above.
#include <algorithm>
#include <cmath>

#include "physics/ysu/profiles.hpp"

namespace squall::ysu {
namespace {

constexpr real two_thirds = real(0.6666667);

/// Downward velocity of air that enters with a buoyancy flux over a jump of theta_v, not faster than `speed`.
real velocity(real flux, real jump, real speed) { return std::max(flux / jump, -speed); }

/// Equation 9 and A11: a share of the stirring by heat and wind.
real by_the_ground(const Profiles &p, int i, real stirring, const Layer &a) {
    const int k = a.top - 1;
    const real flux = real(-0.15) * p.theta_v(i, 0) / constants::g * stirring / a.height;
    const real jump = std::max(p.theta_v(i, k + 1) - p.theta_v(i, k), real(0.01));
    return velocity(flux, jump, std::pow(stirring, third));
}

/// Radiative cooling in the boundary layer [W m-2].
real cooling(const Profiles &p, int i, int top) {
    if (!p.c.radiative_heating.origin) return 0;
    real sum = 0;
    for (int k = 0; k < top; ++k) {
        const real flux = p.c.radiative_heating(i, k) * p.c.exner(i, k) * constants::c_p / constants::g *
                          (p.c.weight(i, k) - p.c.weight(i, k + 1));
        sum += std::max(-flux, real(0));
    }
    return sum;
}

/// How much evaporation of cloud into what enters strengthens entrainment (Wilson and Fovell 2018): 0.2 in
/// air without cloud at its top.
real efficiency(const Profiles &p, int i, int k) {
    const TurbulentColumns &c = p.c;
    constexpr real epsilon = constants::r_d / constants::r_v;
    const real pressure = c.weight(i, k + 1);
    const real total = c.vapour(i, k) + p.cloud_water(i, k);
    const real first = p.theta_l(i, k) * std::pow(pressure / constants::p0, constants::kappa);
    const auto saturated = [=](real t) {
        return real(611.2) * std::exp(real(17.67) * (t - real(273.15)) / (t - real(29.65))) * epsilon /
               pressure;
    };
    const real at_first = saturated(first);
    const real t =
        first + (total - at_first) / (constants::c_p / latent_heat +
                                      epsilon * latent_heat * at_first / (constants::r_d * first * first));
    const real liquid = std::max(total - saturated(t), real(0));
    const int above = std::min(k + 2, c.nz - 1);
    const auto theta_vl = [&](int l) {
        return p.theta_l(i, l) +
               c.theta(i, l) * constants::virtual_factor * (c.vapour(i, l) + p.cloud_water(i, l));
    };
    const real jump = std::max(theta_vl(above) - theta_vl(k), real(0.1));
    return real(0.2) * 8 * latent_heat / constants::c_p * liquid / (c.exner(i, k) * jump) + real(0.2);
}

/// A cloud at the top that cools stirs the layer too.
real by_the_cloud(const Profiles &p, int i, Layer &a) {
    const SurfaceColumns &s = p.s;
    const int k = a.top - 1;
    const real density = p.middle(i, k) / (constants::r_d * p.temperature(i, k) *
                                           (1 + constants::virtual_factor * p.c.vapour(i, k)));
    const real sum = cooling(p, i, a.top), flux = sum / (density * constants::c_p);
    a.cloudy = true;
    a.cloud_wstar3 = constants::g / p.theta_v(i, k) * flux * a.height;
    const real jump = std::max(p.theta_v(i, k + 1) - p.theta_v(i, k), real(0.1));
    a.velocity = std::clamp(std::pow(a.ust3 + 8 * karman * (a.wstar3 + a.cloud_wstar3) / 2, third), a.ust / 5,
                            a.ust * 16);
    const real per_flux = countergradient / a.velocity;
    const real ground = std::min(per_flux / a.density * s.sensible_heat[i] / constants::c_p, most_excess);
    a.heat = std::max(ground, real(0)) + std::min(per_flux / density * sum / constants::c_p, most_excess);
    const real momentum = real(-15.9) * a.ust * a.ust / s.wind_speed[i] * (a.wstar3 + a.cloud_wstar3) /
                          (a.velocity * a.velocity * a.velocity * a.velocity);
    a.u = momentum * p.c.u(i, 0);
    a.v = momentum * p.c.v(i, 0);
    return velocity(-efficiency(p, i, k) * flux, jump, std::pow(a.cloud_wstar3, third));
}

/// Of momentum, not more than the surface's.
real momentum_flux(real velocity, real jump, real most) {
    if (std::abs(jump) <= real(0.01)) return 0;
    return std::clamp(velocity * jump, -most, most);
}

} // namespace

void entrain(const Profiles &p, int i, Layer &a) {
    const TurbulentColumns &c = p.c;
    const int k = a.top - 1;
    real stirring = a.wstar3 + 5 * a.ust3;
    a.entrainment = by_the_ground(p, i, stirring, a);
    real speed_squared = std::pow(stirring, two_thirds);
    if (p.condensate(i, k) > much_cloud) {
        stirring = constants::g / c.theta(i, 0) * std::max(a.buoyancy, real(0)) * a.height + 5 * a.ust3;
        a.entrainment = by_the_ground(p, i, stirring, a) + by_the_cloud(p, i, a);
        speed_squared = std::pow(stirring, two_thirds) + std::pow(a.cloud_wstar3, two_thirds);
    }
    a.theta_flux = a.entrainment * std::max(c.theta(i, k + 1) - c.theta(i, k), real(0.01));
    a.vapour_flux = a.entrainment * std::min(c.vapour(i, k + 1) - c.vapour(i, k), real(0));
    a.u_flux = momentum_flux(a.entrainment, c.u(i, k + 1) - c.u(i, k), a.ust * a.ust);
    a.v_flux = momentum_flux(a.entrainment, c.v(i, k + 1) - c.v(i, k), a.ust * a.ust);
    const real stiffness = constants::g / c.theta(i, 0) * real(0.001) * a.height;
    a.depth = std::min(real(0.02) * a.height + real(0.05) * speed_squared / stiffness, real(100));
}

} // namespace squall::ysu
