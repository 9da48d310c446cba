/// Size distributions, fall speeds and the surface that vapour and heat pass through.
#pragma once

#include "physics/wsm6/air.hpp"

namespace squall::wsm6 {

/// An exponential size distribution of precipitation.
struct Particles {
    real l1, l2, l3; ///< powers 1 to 3 of 1 / lambda [m]
    real lb;         ///< 1 / lambda to the power b of the fall speed
    real speed;      ///< mass-weighted fall speed [m s-1]
};

/// `mass`: of all particles in a volume [kg m-3]. Below q_least they are as small as particles may be, as if
/// not `collecting`.
template <bool collecting = true>
inline Particles particles(real q, real mass, real weight, real least, real a, real b, real gamma_4_b,
                           real thinness) {
    Particles p;
    p.l1 = collecting && q > q_least ? std::sqrt(std::sqrt(mass / weight)) : least;
    p.l2 = p.l1 * p.l1;
    p.l3 = p.l2 * p.l1;
    p.lb = power(p.l1, b);
    p.speed = q > 0 ? a * gamma_4_b / 6 * p.lb * thinness : real(0);
    return p;
}

template <bool collecting = true> inline Particles rain_of(real q, real density, real thinness) {
    constexpr real weight = pi * rho_water * rain_n0;
    return particles<collecting>(q, density * q, weight, rain_least, rain_a, rain_b, gamma_4_8, thinness);
}

template <bool collecting = true> inline Particles graupel_of(real q, real density, real thinness) {
    constexpr real weight = pi * graupel_density * graupel_n0;
    return particles<collecting>(q, density * q, weight, graupel_least, graupel_a, graupel_b, gamma_4_8,
                                 thinness);
}

/// What multiplies the intercept of snow's distribution, in colder air more (HDC04, equation 6).
inline real colder_snow(real temperature) {
    const real growth = exponential(snow_n0_rate * (t0 - temperature));
    return std::max(std::min(growth, snow_n0_most / snow_n0), real(1));
}

template <bool collecting = true> inline Particles snow_of(real q, real density, real thinness, real colder) {
    constexpr real weight = pi * snow_density * snow_n0;
    return particles<collecting>(q, density * q, weight * colder, snow_least, snow_a, snow_b, gamma_4_41,
                                 thinness);
}

/// Snow and graupel fall with one speed, weighted by their masses (DHL08, equation 1).
inline real frozen_speed(real snow, real snow_speed, real graupel, real graupel_speed) {
    const real both = std::max(snow + graupel, q_trace);
    return both > q_trace ? (snow_speed * snow + graupel_speed * graupel) / both : real(0);
}

/// Cloud ice, all crystals of a size (HDC04, equations 5a-5c).
struct Crystals {
    real number;   ///< [m-3]
    real diameter; ///< [m]
    real speed;    ///< [m s-1]
};

/// `most`: the diameter of the largest.
inline Crystals ice_of(real q, real density, real most = ice_diameter_most) {
    const real least = density * std::max(q, q_trace);
    Crystals c;
    c.number =
        std::max(std::min(real(5.38e7) * std::sqrt(std::sqrt(least * least * least)), real(1e6)), real(1e3));
    c.diameter = std::min(ice_diameter * std::sqrt(density * std::max(q, real(0)) / c.number), most);
    c.speed = real(1.49e4) * power(c.diameter, real(1.31));
    return c;
}

/// Diameter times ventilation of all particles in a volume, times 2 pi [m-2]: the brackets of LFO83,
/// equations 31, 32, 46, 47 and 52. `moving` holds the constants of what the fall speed adds.
inline real ventilated(const Particles &p, real n0, real resting, real moving, real ventilation) {
    return 2 * pi * n0 * p.l2 * (resting + moving * ventilation * std::sqrt(p.l1 * p.lb));
}

inline real ventilated_rain(const Particles &p, real ventilation) {
    const real moving = real(0.31) * std::sqrt(rain_a) * gamma_2_9;
    return ventilated(p, rain_n0, real(0.78), moving, ventilation);
}

/// Of plates, whose capacity is 2 / pi of a sphere's, for deposition (HDC04, equation 14).
inline real ventilated_snow(const Particles &p, real colder, real ventilation) {
    const real moving = real(0.44) * std::sqrt(snow_a) * gamma_2_705;
    return 2 / pi * ventilated(p, snow_n0 * colder, real(0.65), moving, ventilation);
}

inline real ventilated_graupel(const Particles &p, real ventilation) {
    const real moving = real(0.31) * std::sqrt(graupel_a) * gamma_2_9;
    return ventilated(p, graupel_n0, real(0.78), moving, ventilation);
}

} // namespace squall::wsm6
