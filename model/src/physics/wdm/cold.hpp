/// How drops meet ice, snow and graupel, and what numbers of both liquids that takes (LH10, appendix).
#pragma once

#include "physics/wdm/warm.hpp"
#include "physics/wsm6/exchange.hpp"

namespace squall::wdm {

/// Amount of drops that `by`, a distribution of intercept n0, collects at a relative speed (LFO83, equations
/// 28 and 42, for drops of LH10's distribution), and their number.
struct Met {
    real amount, number;
};

inline Met drops_met(const Counted &c, const Particles &by, real n0, real speed, real dt) {
    const Drops &r = c.rain;
    const real volume = 30 * r.l3 * r.l2 * by.l1 + 10 * r.l2 * r.l2 * by.l2 + 2 * r.l3 * by.l3;
    const real area = real(1.5) * r.l2 * by.l1 + r.l1 * by.l2 + real(0.5) * by.l3;
    const real rate = c.x.drops * n0 * std::abs(speed) * dt;
    return {pi * pi * rate * (rho_water / c.x.density) * volume, pi * rate * area};
}

/// [praci, piacr, niacr] Drops and crystals meet in freezing air. HL06 equations A15 and A19, LH10 equation
/// A25.
inline void meet_ice(const Counted &c, Growth &g, Numbers &n, real dt) {
    const Point &x = c.x;
    const Drops &r = c.rain;
    const Crystals &crystals = c.others.ice;
    const real d = crystals.diameter, sparse = scarcity(x.ice, x.rain);
    const bool ice = (x.cold() > 0) & (x.ice > q_trace), rain = x.rain > q_least;
    const real area = 6 * r.l2 + 4 * d * r.l1 + d * d;
    const real praci =
        pi / 4 * x.ice * x.drops * std::abs(r.speed - crystals.speed) * area * scarcity(x.rain, x.ice) * dt;
    g.praci = ice & rain ? std::min(praci, x.ice) : real(0);
    const real met = pi * rain_a * x.drops * crystals.number * x.thinness() * r.l2 * r.lb * sparse * dt;
    const real piacr = met * pi * gamma_7_8 * r.l3 * rho_water / 24 / x.density;
    g.piacr = ice & rain ? std::min(piacr, x.rain) : real(0);
    n.iced += ice & (x.drops > few_drops) ? std::min(met * gamma_4_8 / 4, x.drops) : real(0);
}

/// [pracs, psacr, nsacr, pgacr, ngacr] Drops meet snow and graupel, which fall with one speed. HL06 equations
/// A10 to A12, LH10 equations A23 and A24.
inline void meet_frozen(const Counted &c, Growth &g, Numbers &n, real falling, real dt) {
    const Point &x = c.x;
    const Drops &r = c.rain;
    const Particles &s = c.others.snow;
    const bool freezing = x.cold() > 0, counted = x.drops > few_drops;
    const bool rain = x.rain > q_least, snow = x.snow > q_least, graupel = x.graupel > q_least;
    const real n0 = snow_n0 * c.others.colder, apart = r.speed - falling;
    const real shape = 5 * s.l3 * s.l3 + 4 * s.l3 * s.l2 * r.l1 + real(1.5) * s.l2 * s.l2 * r.l2;
    const real pracs = pi * pi * x.drops * n0 * std::abs(apart) * (snow_density / x.density) * shape *
                       scarcity(x.rain, x.snow) * dt;
    g.pracs = freezing & rain & snow ? std::min(pracs, x.snow) : real(0);

    const Met by_snow = drops_met(c, s, n0, apart, dt),
              by_graupel = drops_met(c, c.others.graupel, graupel_n0, apart, dt);
    const real sparse = scarcity(x.snow, x.rain), sparse_graupel = scarcity(x.graupel, x.rain);
    g.psacr = rain & snow ? std::min(by_snow.amount * sparse, x.rain) : real(0);
    g.pgacr = rain & graupel ? std::min(by_graupel.amount * sparse_graupel, x.rain) : real(0);
    n.iced += freezing & snow & counted ? std::min(by_snow.number * sparse, x.drops) : real(0);
    n.iced += freezing & graupel & counted ? std::min(by_graupel.number * sparse_graupel, x.drops) : real(0);
}

/// Drops that `melted` [kg kg-1] of q, a distribution of intercept n0, makes: its share of all particles
/// (LH10, equations A27 to A30).
inline real drops_of_molten(const Particles &p, real n0, real q, real melted) {
    return q > q_least ? p.l1 * n0 / q * melted : real(0);
}

/// Bounds what becomes of both numbers by what there is of them, and carries it out.
inline void exchange_numbers(Point &x, Numbers n) {
    cut(share(n.nraut + n.nccol + n.nracw + n.nsacw, x.droplets), n.nraut, n.nccol, n.nracw, n.nsacw);
    cut(share(n.nrcol + n.iced - n.nraut - n.molten, x.drops), n.nraut, n.nrcol, n.iced, n.molten);
    x.droplets = left(x.droplets, -(n.nraut + n.nccol + n.nracw + n.nsacw));
    x.drops = left(x.drops, n.nraut + n.molten - n.nrcol - n.iced);
}

} // namespace squall::wdm
