/// A point of moist air, its saturation, and what the exchange of heat and vapour depends on there.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "physics/lin/constants.hpp"
#include "physics/wsm6/row.hpp"

namespace squall::lin {

/// Vapour pressure of saturation [Pa] (Bolton 1980; Murray 1967).
inline real pressure_over_water(real t) {
    return real(611.2) * exponential(real(17.67) * (t - t0) / (t - real(29.65)));
}
/// `melting`: WRF's saturation adjustment has t0 there.
inline real pressure_over_ice(real t, real melting = real(273.16)) {
    return real(611.2) * exponential(real(21.8745584) * (t - melting) / (t - real(7.66)));
}

/// Mixing ratio of air with the vapour pressure e, bounded where water boils, high up and warm.
inline real mixing_ratio(real e, real pressure) {
    const real bounded = std::min(e, real(0.99) * pressure);
    return constants::r_d / constants::r_v * bounded / (pressure - bounded);
}

/// Saturation mixing ratios [kg kg-1].
struct Saturation {
    real water; ///< below -40 degrees that over ice
    real ice;   ///< above 0 degrees that over water
};

inline Saturation saturation(real t, real pressure) {
    const real water = mixing_ratio(pressure_over_water(t), pressure);
    const real over_ice = mixing_ratio(pressure_over_ice(t), pressure), ice = t < t0 ? over_ice : water;
    return {t < t0 - 40 ? ice : water, ice};
}

/// Heats are the same in all air.
struct Point : wsm6::Point {
    void set_heats() { heat_capacity = constants::c_p, l_v = lin::l_v; }
    static real least_saturation(real temperature, real pressure) {
        return saturation(temperature, pressure).ice;
    }

    real celsius() const { return temperature - t0; }
    real thinness() const { return std::sqrt(rho0 / density); }
};

/// How air carries vapour and heat to particles.
struct Transfer {
    real viscosity;    ///< kinematic [m2 s-1]
    real conductivity; ///< of heat [W m-1 K-1]
    real diffusivity;  ///< of vapour [m2 s-1]
    real schmidt;      ///< Schmidt's number to the power of 1/3
};

inline Transfer transfer_of(const Point &x) {
    const real t = x.temperature, dynamic = real(1.49628e-6) * t * std::sqrt(t) / (t + 120);
    const real viscosity = dynamic / x.density;
    const real diffusivity = real(8.7602e-5) * power(t, real(1.81)) / x.pressure;
    return {viscosity, real(1.4132e3) * dynamic, diffusivity, power(viscosity / diffusivity, real(1.0 / 3))};
}

/// Particles that fall, and the slope of their distribution.
struct Falling {
    real a;     ///< of the fall speed, in air of this density
    real l, lb; ///< 1 / lambda [m], and to the power b of the fall speed
    real speed; ///< mass-weighted [m s-1]
};

inline real length_of(const Kind &kind, real q, real density) {
    const real mass = density * q / (pi * kind.density * kind.n0);
    return q > q_least ? std::sqrt(std::sqrt(mass)) : real(0);
}

inline Falling rain_of(real q, real density) {
    const real l = length_of(rain, q, density), lb = power(l, real(0.8));
    const real a = rain_a * std::sqrt(rho0 / density);
    return {a, l, lb, a * rain.gamma_4 / 6 * lb};
}

inline Falling snow_of(real q, real density) {
    const real l = length_of(snow, q, density), lb = std::sqrt(std::sqrt(l));
    const real a = snow_a * std::sqrt(rho0 / density);
    return {a, l, lb, a * snow.gamma_4 / 6 * lb};
}

/// Hailstones (LFO83, equation 9).
inline Falling graupel_of(real q, real density) {
    const real l = length_of(graupel, q, density), lb = std::sqrt(l);
    const real a = std::sqrt(4 * constants::g * graupel.density / (3 * graupel_drag * density));
    return {a, l, lb, a * graupel.gamma_4 / 6 * lb};
}

/// Cloud ice (Heymsfield and Donner 1990) [m s-1].
inline real ice_speed(real q, real density) {
    return q > q_least ? real(3.29) * power(density * q, real(0.16)) : real(0);
}

/// What particles sweep of what floats in a second, as a share of it (LFO83, equations 24, 40 and 51).
inline real swept(const Kind &kind, const Falling &by) {
    return pi / 4 * kind.n0 * by.a * kind.gamma_3 * by.l * by.l * by.l * by.lb;
}

/// Particles collected by others in a second [s-1] (LFO83, equations 27 to 29 and 42).
inline real collided(const Kind &of, const Falling &these, const Kind &by, const Falling &those,
                     real density) {
    const real a = these.l * these.l, b = those.l * those.l, c = these.l * those.l;
    return pi * pi * of.n0 * by.n0 * std::abs(these.speed - those.speed) * (of.density / density) * a * a *
           those.l * (5 * a + 2 * c + real(0.5) * b);
}

/// Number of particles in a volume times their diameter and ventilation [m-2].
inline real ventilated(const Kind &kind, const Falling &p, const Transfer &air) {
    const real l2 = p.l * p.l;
    const real moved = std::sqrt(p.a * l2 * l2 * p.l * p.lb / air.viscosity);
    return kind.n0 * (drop_at_rest * l2 + drop_in_motion * air.schmidt * kind.gamma_5 * moved);
}

/// What multiplies that and supersaturation to what a particle gains in a second, by conduction of
/// `latent_heat` and by diffusion (LFO83, equations 31, 46 and 52) [m2 s-1].
inline real growth_rate(const Point &x, const Transfer &air, real latent_heat, real saturated) {
    const real by_heat = constants::r_v * air.conductivity * x.temperature * x.temperature;
    const real by_vapour = latent_heat * latent_heat * x.density * saturated * air.diffusivity;
    return 2 * pi * by_heat * saturated * air.diffusivity / (by_heat + by_vapour);
}

} // namespace squall::lin
