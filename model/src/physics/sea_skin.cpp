#include "physics/sea_skin.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace squall {
namespace {

constexpr real density = 1025, heat_capacity = 4190; // of sea water [kg m-3], [J kg-1 K-1]
constexpr real capacity = density * heat_capacity;
constexpr real viscosity = real(1e-6), conductivity = real(0.6); // [m2 s-1], [W m-1 K-1]
constexpr real karman = real(0.4), stefan_boltzmann = real(5.67051e-8), latent_heat = real(2.5e6);
constexpr real depth = 3, shape = real(0.3); // of the warm layer: d [m], nu
constexpr real least_velocity = real(2e-4);  // of the water, about that under a wind of 0.2 m/s [m s-1]

/// What happens at the surface of one column [W m-2], downward, and how the water moves and expands.
struct Forcing {
    real sun, other;
    real velocity, expansion;
};

Forcing forcing(const SurfaceColumns &c, int i) {
    const real t = c.skin_temperature[i];
    const real air = c.surface_pressure[i] / (constants::r_d * c.temperature[i]);
    const real thermal = c.emissivity[i] * (c.longwave_down[i] - stefan_boltzmann * t * t * t * t);
    return {c.shortwave_net[i], thermal - c.sensible_heat[i] - latent_heat * c.vapour_flux[i],
            std::max(c.friction_velocity[i] * std::sqrt(air / density), least_velocity),
            real(1e-5) * std::max(t - real(273.15), real(1))};
}

/// Share of sunlight that goes deeper than the warm layer, Soloviev (1982) in three bands.
real share_below() {
    return real(0.28) * std::exp(-real(71.5) * depth) + real(0.27) * std::exp(-real(2.8) * depth) +
           real(0.45) * std::exp(-real(0.07) * depth);
}

real warm_layer(const Forcing &f, real warming, real dt) {
    const real heating = f.other + f.sun * (1 - share_below()), u = f.velocity;
    const bool remains = warming > 0 && heating < 0;
    const real flux =
        remains ? std::sqrt(shape * constants::g * f.expansion / (5 * depth) * warming) * capacity * u * u
                : constants::g * f.expansion * heating;
    const real stability = depth * karman * flux / (capacity * u * u * u); // d / L
    const real phi = stability >= 0 ? 1 + 5 * stability : 1 / std::sqrt(1 - 16 * stability);
    const real gain = heating * (shape + 1) / (shape * depth * capacity);
    const real loss = (shape + 1) * karman * u / (depth * phi);
    return std::max((warming + dt * gain) / (1 + dt * loss), real(0));
}

/// By how much the skin is colder than the water right below it [K].
real cool_skin(const Forcing &f) {
    const real u = f.velocity, v = viscosity;
    const real factor = 16 * constants::g * f.expansion * capacity * v * v * v /
                        (u * u * u * u * conductivity * conductivity);
    real d = real(1e-3), cooling = 0;
    for (int pass = 0; pass < 3; ++pass) { // depth and what it absorbs depend on one another
        const real absorbed = real(0.065) + 11 * d - real(6.6e-5) / d * (1 - std::exp(-d / real(8e-4)));
        cooling = -(f.other + f.sun * absorbed);
        if (cooling <= 0) return 0;
        d = 6 * v / u / std::cbrt(1 + std::pow(factor * cooling, real(0.75)));
    }
    return d * cooling / conductivity;
}

} // namespace

void advance_sea_skin(const SurfaceColumns &c) {
    for (int i = 0; i < c.n; ++i) {
        if (c.land[i] > real(0.5)) continue;
        const Forcing f = forcing(c, i);
        c.sea_warming[i] = warm_layer(f, c.sea_warming[i], c.dt);
        c.skin_temperature[i] = c.sea_temperature[i] + c.sea_warming[i] - cool_skin(f);
    }
}

} // namespace squall
