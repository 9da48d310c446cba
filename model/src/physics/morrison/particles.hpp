/// Size distributions, fall speeds, and what particles meet.
#pragma once

#include "physics/morrison/air.hpp"

namespace squall::morrison {

struct Particles {
    real l;                   ///< 1 / lambda [m]
    real n0;                  ///< intercept per mass of air [kg-1 m-1]
    real lb;                  ///< l to the power b
    real a;                   ///< of the fall speed, in air of this density
    real speed, number_speed; ///< weighted by mass and by number [m s-1]
};

/// 1 / lambda from content and number, within the kind's bounds; the number that goes with it.
inline real length_of(const Kind &kind, real q, real &number) {
    const real c = pi * kind.density, some = std::max(number, real(1e-6));
    const real l = std::max(std::min(power(q / (c * some), real(1.0 / 3)), kind.largest), kind.smallest);
    number = q < q_least ? real(0) : q / (c * l * l * l);
    return l;
}

/// How much faster than at rho0 particles fall (Heymsfield 2007); ice by IS91.
inline real thinness_for(const Kind &kind, real density) {
    return power(rho0 / density, kind.moving > 0 ? real(0.54) : real(0.35));
}

inline Particles particles(const Kind &kind, real q, real &number, real thinness) {
    Particles p;
    p.l = length_of(kind, q, number);
    p.n0 = number / p.l;
    p.lb = kind.b == 1 ? p.l : kind.b == real(0.5) ? std::sqrt(p.l) : power(p.l, kind.b);
    p.a = kind.a * thinness;
    p.speed = std::min(p.a * kind.gamma_4 * p.lb, kind.fastest * thinness);
    p.number_speed = std::min(p.a * kind.gamma_1 * p.lb, kind.fastest * thinness);
    return p;
}

/// What particles sweep of what floats in a second, as a share of it, all of which sticks.
inline real swept(const Kind &kind, const Particles &by, real density) {
    return pi / 4 * kind.gamma_3 * by.a * density * by.n0 * by.l * by.l * by.l * by.lb;
}

/// 2 pi n0 times diameter and ventilation [kg-1].
inline real ventilated(const Kind &kind, const Particles &p, const Transfer &air, real density) {
    const real l2 = p.l * p.l;
    const real moved = std::sqrt(p.a * density / air.viscosity * l2 * l2 * p.l * p.lb);
    return 2 * pi * p.n0 * (kind.resting * l2 + kind.moving * air.schmidt * kind.gamma_5 * moved);
}

/// Mass of particles collected by others in a second (IS91) [s-1]. `apart`: of_approach().
inline real collided(const Kind &of, const Particles &these, const Particles &by, real apart, real density) {
    const real a = these.l, b = by.l;
    return pi * pi * of.density * apart * density * these.n0 * by.n0 * a * a * a *
           (5 * a * a * a * b + 2 * a * a * b * b + real(0.5) * a * b * b * b);
}

/// How fast rain and other particles approach each other, by mass (IS91) [m s-1].
inline real of_approach(const Particles &drops, const Particles &others) {
    const real off = real(1.2) * drops.speed - real(0.95) * others.speed;
    return std::sqrt(off * off + real(0.08) * drops.speed * others.speed);
}

/// Number of drops that meet others in a second [kg-1 s-1].
inline real meetings(const Particles &drops, const Particles &others, real density) {
    const real off = drops.number_speed - others.number_speed, a = drops.l, b = others.l;
    const real apart =
        std::sqrt(real(1.7) * off * off + real(0.3) * drops.number_speed * others.number_speed);
    return pi / 2 * density * apart * drops.n0 * others.n0 * (a * a * a * b + a * a * b * b + a * b * b * b);
}

/// 1 / lambda of droplets [m], within bounds; their number.
inline real droplet_length(const Point &x, real &number) {
    constexpr real of_drop = pi / 6 * rho_water * droplet_4 / droplet_1;
    const real l = power(x.cloud / (of_drop * number), real(1.0 / 3));
    const real bounded = std::max(std::min(l, real(60e-6) / (shape + 1)), real(1e-6) / (shape + 1));
    number = x.cloud / (of_drop * bounded * bounded * bounded);
    return bounded;
}

} // namespace squall::morrison
