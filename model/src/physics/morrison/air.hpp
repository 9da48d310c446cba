/// A point of moist air with what is counted in it, and its saturation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/elementary.hpp"
#include "physics/morrison/constants.hpp"

namespace squall::morrison {

struct Point {
    real temperature, pressure;                   ///< [K], [Pa]
    real density;                                 ///< of the air at the step's beginning [kg m-3]
    real vapour, cloud, rain, ice, snow, graupel; ///< [kg kg-1]
    real rain_number, ice_number, snow_number, graupel_number; ///< [kg-1]
    real l_v,
        heat_capacity; ///< of vaporisation, of the air, as they were at the beginning [J kg-1, J kg-1 K-1]

    real l_s() const { return l_v + l_f; }
    real cold() const { return t0 - temperature; }
    void warm_by(real heat) { temperature += heat / heat_capacity; } ///< [J kg-1]
    bool empty() const {
        return (cloud < q_least) & (rain < q_least) & (ice < q_least) & (snow < q_least) &
               (graupel < q_least);
    }
};

inline real vaporisation(real temperature) { return real(3.1484e6) - 2370 * temperature; }
inline real heat_capacity_of(real vapour) { return constants::c_p * (1 + real(0.887) * vapour); }

/// c0 + c1 x + ..., in double precision: in single, a thousandth of a vapour pressure at -70 degrees is
/// rounding.
template <std::size_t n> inline real polynomial_of(double x, const double (&c)[n]) {
    double sum = c[n - 1];
    for (std::size_t k = n - 1; k > 0; --k) sum = sum * x + c[k - 1];
    return real(sum);
}

/// Vapour pressures of saturation [Pa] (Flatau, Walko and Cotton 1992, J. Appl. Meteor. 31, table 4); in air
/// that is colder than they fit by Clausius and Clapeyron's equation.
inline real pressure_over_water(real temperature) {
    constexpr double c[] = {611.239921,    44.3987641,    1.42986287,      2.64847430e-2,  3.02950461e-4,
                            2.06739458e-6, 6.40689451e-9, -9.52447341e-12, -9.76195544e-14};
    constexpr real coldest = 202;
    const real t = std::max(temperature, coldest);
    return polynomial_of(double(t) - double(t0), c) *
           exponential(5794 * (1 / t - 1 / std::min(temperature, t)));
}
inline real pressure_over_ice(real temperature) {
    constexpr double c[] = {611.147274,    50.3160820,    1.88439774,     4.20895665e-2, 6.15021634e-4,
                            6.02588177e-6, 3.85852041e-8, 1.46898966e-10, 2.52751365e-13};
    constexpr real coldest = real(195.8);
    const real t = std::max(temperature, coldest);
    return polynomial_of(double(t) - double(t0), c) *
           exponential(6140 * (1 / t - 1 / std::min(temperature, t)));
}

/// Mixing ratio of air with the vapour pressure e, bounded where water boils.
inline real mixing_ratio(real e, real pressure) {
    const real bounded = std::min(e, real(0.99) * pressure);
    return constants::r_d / constants::r_v * bounded / (pressure - bounded);
}

struct Saturation {
    real water, ice; ///< mixing ratios [kg kg-1]
};

inline Saturation saturation(real temperature, real pressure) {
    const real water = pressure_over_water(temperature);
    return {mixing_ratio(water, pressure),
            mixing_ratio(std::min(pressure_over_ice(temperature), water), pressure)};
}

/// Whether nothing can happen: no water but vapour, and too little of it.
inline bool at_rest(const Point &x) {
    const Saturation qs = saturation(x.temperature, x.pressure);
    return x.empty() & (x.vapour < real(0.999) * (x.temperature < t0 ? qs.ice : qs.water));
}

/// Traces become vapour; those in dry air may be larger. What there is none of has no particles.
inline void clear_traces(Point &x) {
    const Saturation qs = saturation(x.temperature, x.pressure);
    const real in_water = x.vapour < real(0.9) * qs.water ? q_few : q_least;
    const real in_ice = x.vapour < real(0.9) * qs.ice ? q_few : q_least;
    const auto clear = [&x](real &q, real least, real heat) {
        const real trace = q < least ? q : real(0);
        q -= trace;
        x.vapour += trace;
        x.warm_by(-heat * trace);
    };
    clear(x.rain, in_water, x.l_v);
    clear(x.cloud, in_water, x.l_v);
    clear(x.ice, in_ice, x.l_s());
    clear(x.snow, in_ice, x.l_s());
    clear(x.graupel, in_ice, x.l_s());
    x.vapour = std::max(x.vapour, real(0));
}

/// How air carries vapour and heat to particles, and what it takes to saturate it.
struct Transfer {
    real viscosity;    ///< dynamic [kg m-1 s-1]
    real conductivity; ///< of heat [W m-1 K-1]
    real diffusivity;  ///< of vapour [m2 s-1]
    real schmidt;      ///< Schmidt's number to the power of 1/3
    real water, ice;   ///< 1 + L / c_p dq_s / dT
    Saturation saturation;
};

inline real viscosity_at(real t) { return real(1.496e-6) * t * std::sqrt(t) / (t + 120); }

inline Transfer transfer_of(const Point &x, Saturation qs) {
    const real t = x.temperature, viscosity = viscosity_at(t);
    const real diffusivity = real(8.794e-5) * power(t, real(1.81)) / x.pressure;
    const real per = 1 / (constants::r_v * t * t * x.heat_capacity);
    return {viscosity,
            real(1.414e3) * viscosity,
            diffusivity,
            power(viscosity / (x.density * diffusivity), real(1.0 / 3)),
            1 + x.l_v * x.l_v * qs.water * per,
            1 + x.l_s() * x.l_s() * qs.ice * per,
            qs};
}

} // namespace squall::morrison
