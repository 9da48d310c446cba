/// A point of moist air, and what the growth of particles depends on there.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "physics/wsm6/constants.hpp"

namespace squall::wsm6 {

struct Point {
    real temperature;                             ///< [K]
    real pressure;                                ///< [Pa]
    real density;                                 ///< of dry air [kg m-3]
    real vapour, cloud, rain, ice, snow, graupel; ///< [kg kg-1]
    real heat_capacity;                           ///< of the air, the same throughout a step [J kg-1 K-1]
    real l_v; ///< heat of vaporisation, the same throughout a step [J kg-1]

    real cold() const { return t0 - temperature; }
    real l_f() const { return l_s - l_v; }
    real thinness() const { return std::sqrt(rho0 / density); }
    void warm_by(real heat) { temperature += heat / heat_capacity; } ///< [J kg-1]

    void set_heats(); ///< heat_capacity and l_v, of the air as it is
    static real least_saturation(real temperature, real pressure); ///< over water or ice [kg kg-1]
};

inline real heat_capacity_of(real vapour) {
    return constants::c_p * (1 - std::max(vapour, q_trace)) + c_vapour * std::max(vapour, q_trace);
}

/// Heat of vaporisation (Kirchhoff's equation with constant heat capacities).
inline real vaporisation(real temperature) { return l_v0 - (c_liquid - c_vapour) * (temperature - t0); }

inline void Point::set_heats() {
    heat_capacity = heat_capacity_of(vapour);
    l_v = vaporisation(temperature);
}

/// Mixing ratio of air with the vapour pressure e, bounded where water boils, high up and warm.
inline real mixing_ratio(real e, real pressure) {
    const real bounded = std::min(e, real(0.99) * pressure);
    return std::max(constants::r_d / constants::r_v * bounded / (pressure - bounded), q_trace);
}

/// Saturation mixing ratios.
struct Saturation {
    real water, ice; ///< over ice where it is colder than the triple point, else over water
};

/// Clausius and Clapeyron's equation, integrated with heat capacities that are constant (Emanuel 1994,
/// Atmospheric Convection, equations 4.4.11 and 4.4.15).
inline Saturation saturation(real temperature, real pressure) {
    constexpr real water_power = (c_liquid - c_vapour) / constants::r_v;
    constexpr real water_rate = water_power + l_v0 / (constants::r_v * triple);
    constexpr real ice_power = (c_solid - c_vapour) / constants::r_v;
    constexpr real ice_rate = ice_power + l_s / (constants::r_v * triple);
    const real ratio = triple / temperature, log_ratio = logarithm(ratio);
    const real water = e_triple * exponential(water_power * log_ratio + water_rate * (1 - ratio));
    const real ice = e_triple * exponential(ice_power * log_ratio + ice_rate * (1 - ratio));
    return {mixing_ratio(water, pressure), mixing_ratio(temperature < triple ? ice : water, pressure)};
}

inline real Point::least_saturation(real temperature, real pressure) {
    const Saturation qs = saturation(temperature, pressure);
    return std::min(qs.water, qs.ice);
}

/// Less than Point::least_saturation() and mostly more than two thirds of it, at little cost: of vapour
/// pressure, which is a convex function of temperature, over ice as over water, tangents at some
/// temperatures.
inline real below_saturation(real temperature, real pressure) {
    struct {
        real temperature, pressure, slope; // [K], [Pa], [Pa K-1]
    } constexpr tangents[] = {{205, real(0.3237), real(0.04785)}, {220, real(2.552), real(0.3271)},
                              {235, real(15.42), real(1.73)},     {250, real(74.93), real(7.418)},
                              {265, real(303.8), real(26.73)},    {280, real(987.9), real(67.8)},
                              {298, real(3124), real(186.1)}};
    real e = 0;
    for (const auto &at : tangents) e = std::max(e, at.pressure + at.slope * (temperature - at.temperature));
    return constants::r_d / constants::r_v * std::min(e / pressure, real(0.99));
}

/// How air carries vapour and heat to particles.
struct Transfer {
    real conductivity; ///< of heat [W m-1 K-1]
    real diffusivity;  ///< of vapour [m2 s-1]
    real ventilation;  ///< Sc^(1/3) nu^(-1/2) (rho0 / density)^(1/4), LFO83 equation 32
};

inline real viscosity(real temperature, real density) {
    return real(1.496e-6) * (temperature * std::sqrt(temperature)) / (temperature + 120) / density;
}

inline real conductivity(real temperature, real density) {
    return real(1.414e3) * viscosity(temperature, density) * density;
}

inline Transfer transfer_of(const Point &x) {
    const real nu = viscosity(x.temperature, x.density);
    const real diffusivity = real(8.794e-5) * power(x.temperature, real(1.81)) / x.pressure;
    return {conductivity(x.temperature, x.density), diffusivity,
            power(nu / diffusivity, real(1.0 / 3)) / std::sqrt(nu) * std::sqrt(std::sqrt(rho0 / x.density))};
}

/// density (A + B) of Dudhia (1989, JAS 46, equations B5 and B6): what conduction and diffusion put
/// against the growth of a particle [s m-2].
inline real resistance(const Point &x, const Transfer &air, real latent_heat, real saturated) {
    const real by_heat = x.density * latent_heat * latent_heat /
                         (air.conductivity * constants::r_v * x.temperature * x.temperature);
    return by_heat + 1 / (saturated * air.diffusivity);
}

} // namespace squall::wsm6
