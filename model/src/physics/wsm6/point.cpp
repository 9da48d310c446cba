#include "physics/wsm6/point.hpp"

#include <algorithm>
#include <cmath>

namespace squall::wsm6 {
namespace {

/// 1 / lambda of particles of this density.
real slope(real q, real air_density, real particle_density, real n0) {
    return std::sqrt(std::sqrt(air_density * q / (pi * particle_density * n0)));
}

Particles particles(real q, real air_density, real particle_density, real n0, real a, real b, real gamma_4_b,
                    real least) {
    if (q <= q_least) return {};
    Particles p;
    p.n0 = n0;
    p.l1 = std::max(slope(q, air_density, particle_density, n0), least);
    p.l2 = p.l1 * p.l1;
    p.l3 = p.l2 * p.l1;
    p.lb = std::pow(p.l1, b);
    p.speed = a * gamma_4_b / 6 * p.lb * std::sqrt(rho0 / air_density);
    return p;
}

/// density (A + B): what conduction and diffusion put against the growth of a particle.
real resistance(const Point &x, real latent_heat, real qs, real conductivity, real diffusivity) {
    const real by_heat = x.density * latent_heat * latent_heat /
                         (conductivity * constants::r_v * x.temperature * x.temperature);
    return by_heat + 1 / (qs * diffusivity);
}

/// `moving` holds the constants of the part that the fall speed adds: c sqrt(a) Gamma((b + 5) / 2).
real ventilated(const Particles &p, const Air &air, real resting, real moving) {
    return 2 * pi * p.n0 * p.l2 * (resting + moving * air.ventilation * std::sqrt(p.l1 * p.lb));
}

} // namespace

real adjustable(real vapour, real qs, real latent_heat, real temperature) {
    return (vapour - qs) / (1 + latent_heat * latent_heat * qs /
                                    (heat_capacity * constants::r_v * temperature * temperature));
}

Particles rain_of(real q, real density) {
    return particles(q, density, rho_water, rain_n0, rain_a, rain_b, gamma_4_8, real(1 / 8e4));
}

Particles snow_of(real q, real density, real temperature) {
    const real colder = std::exp(snow_n0_rate * std::max(t0 - temperature, real(0)));
    const real n0 = std::min(snow_n0 * colder, snow_n0_most);
    return particles(q, density, snow_density, n0, snow_a, snow_b, gamma_4_41, real(1e-5));
}

Particles graupel_of(real q, real density) {
    return particles(q, density, graupel_density, graupel_n0, graupel_a, graupel_b, gamma_4_8, real(1 / 6e4));
}

Crystals ice_of(real q, real density) {
    if (q <= 0) return {};
    const real mass = density * q;
    Crystals c;
    c.number = std::clamp(real(5.38e7) * std::pow(mass, real(0.75)), real(1e3), real(1e6));
    c.diameter = std::min(ice_diameter * std::sqrt(mass / c.number), ice_diameter_most);
    c.speed = real(1.49e4) * std::pow(c.diameter, real(1.31));
    return c;
}

Air air_of(const Point &x) {
    const real t = x.temperature;
    Air air;
    air.cold = t0 - t;
    air.thinness = std::sqrt(rho0 / x.density);
    const real viscosity = real(1.496e-6) * (t * std::sqrt(t)) / (t + 120) / x.density;
    const real diffusivity = real(8.794e-5) * std::pow(t, real(1.81)) / x.pressure;
    air.conductivity = real(1.414e3) * viscosity * x.density;
    air.ventilation = std::cbrt(viscosity / diffusivity) / std::sqrt(viscosity) * std::sqrt(air.thinness);
    air.qs_water = saturation_over_water(t, x.pressure);
    air.qs_ice = t < t0 ? saturation_over_ice(t, x.pressure) : air.qs_water;
    air.resistance_water = resistance(x, l_v, air.qs_water, air.conductivity, diffusivity);
    air.resistance_ice = resistance(x, l_s, air.qs_ice, air.conductivity, diffusivity);
    return air;
}

real ventilated_rain(const Particles &p, const Air &air) {
    return ventilated(p, air, real(0.78), real(0.31) * std::sqrt(rain_a) * gamma_2_9);
}

real ventilated_snow(const Particles &p, const Air &air) {
    return ventilated(p, air, real(0.65), real(0.44) * std::sqrt(snow_a) * gamma_2_705);
}

real ventilated_graupel(const Particles &p, const Air &air) {
    return ventilated(p, air, real(0.78), real(0.31) * std::sqrt(graupel_a) * gamma_2_9);
}

} // namespace squall::wsm6
