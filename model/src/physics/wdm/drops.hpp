/// A point of moist air whose droplets and drops are counted, and how they are distributed by size. LH10: Lim
/// and Hong (2010, MWR 138, 1587-1612); CP00: Cohard and Pinty (2000, QJRMS 126, 1815-1842).
#pragma once

#include "physics/wsm6/particles.hpp"

namespace squall::wdm {

struct Point : wsm6::Point {
    real droplets, drops, nuclei; ///< of cloud, of rain, and what droplets may form on [m-3]
};

inline constexpr real few_droplets = 10, few_drops = real(1e-2); ///< no more than that are none [m-3]
/// Gamma functions of 0.8, the exponent of a drop's fall speed, as WRF has them (wsm6/constants.hpp).
inline constexpr real gamma_2_8 = real(1.6758285), gamma_5_8 = real(85.477402), gamma_7_8 = real(3366.6641),
                      gamma_3_9 = real(5.2952871);
/// Bounds of slopes of the distributions [m-1].
inline constexpr real cloud_steepest = real(5e5), cloud_flattest = real(2e4);
inline constexpr real rain_steepest = real(5e4), rain_flattest = real(2e3);

inline real cube(real x) { return x * x * x; }
inline real cube_root(real x) { return power(x, real(1.0 / 3)); }

/// Droplets: n(D) = 3 N lambda^3 D^2 exp(-(lambda D)^3) (LH10, equation 2).
struct Droplets {
    real length; ///< 1 / lambda, their mean-volume diameter [m]
    real l3;     ///< to the power of 3
};

/// `number` in a volume [m-3].
inline Droplets droplets_of(real q, real density, real number) {
    const bool some = (q > wsm6::q_trace) & (number > few_droplets);
    const real lambda = cube_root(wsm6::pi * wsm6::rho_water / 6 * (some ? number : real(1)) /
                                  ((some ? q : real(1)) * density));
    const real l = some ? 1 / lambda : 1 / cloud_steepest;
    return {l, cube(l)};
}

/// Drops: n(D) = N lambda^2 D exp(-lambda D) (LH10, equation 1).
struct Drops : wsm6::Particles {
    real number_speed;                                     ///< number-weighted fall speed [m s-1]
    real diameter() const { return real(2.8844991) * l1; } ///< mean-volume, 24^(1/3) / lambda [m]
};

inline Drops drops_of(real q, real density, real number, real thinness) {
    constexpr real longest = real(1e-3);
    const bool some = (q > wsm6::q_least) & (number > few_drops);
    const real lambda = cube_root(4 * wsm6::pi * wsm6::rho_water * (some ? number : real(1)) /
                                  ((some ? q : real(1)) * density));
    Drops d;
    d.l1 = some ? std::min(1 / lambda, longest) : 1 / rain_steepest;
    d.l2 = d.l1 * d.l1;
    d.l3 = d.l2 * d.l1;
    d.lb = power(d.l1, wsm6::rain_b);
    d.speed = q > 0 ? wsm6::rain_a * gamma_5_8 / 24 * d.lb * thinness : real(0);
    d.number_speed = number > 0 ? wsm6::rain_a * gamma_2_8 * d.lb * thinness : real(0);
    return d;
}

/// As many as have slopes within bounds.
inline void bound_numbers(Point &x) {
    const auto bounded = [&](real number, real q, real mass, real flattest, real steepest) {
        const real lambda = cube_root(mass * number / (x.density * q));
        const real least = x.density * q * cube(flattest) / mass,
                   most = x.density * q * cube(steepest) / mass;
        return lambda <= flattest ? least : lambda >= steepest ? most : number;
    };
    const bool rain = (x.rain >= wsm6::q_least) & (x.drops >= few_drops);
    const bool cloud = (x.cloud >= wsm6::q_trace) & (x.droplets >= few_droplets);
    const real drops = bounded(rain ? x.drops : real(1), rain ? x.rain : real(1),
                               4 * wsm6::pi * wsm6::rho_water, rain_flattest, rain_steepest);
    const real droplets = bounded(cloud ? x.droplets : real(1), cloud ? x.cloud : real(1),
                                  wsm6::pi * wsm6::rho_water / 6, cloud_flattest, cloud_steepest);
    x.drops = rain ? drops : x.drops;
    x.droplets = cloud ? droplets : x.droplets;
}

} // namespace squall::wdm
