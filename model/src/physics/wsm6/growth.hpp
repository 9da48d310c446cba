/// How species grow at each other's expense in a step: the processes of HL06, figure 1, by their names
/// there. Amounts [kg kg-1], not yet bounded by what there is of a species for all of them together.
#pragma once

#include "physics/wsm6/particles.hpp"

namespace squall::wsm6 {

/// A point and the particles in it.
struct Cloudy {
    const Point &x;
    Saturation saturation; ///< before anything melted or froze
    Particles rain, snow, graupel;
    Crystals ice;
    real colder; ///< colder_snow
};

struct Growth {
    real praut_pracw = 0; ///< cloud to rain
    real prevp = 0;       ///< vapour to rain; evaporation is negative
    real pidep_pigen = 0; ///< vapour to ice
    real psdep = 0;       ///< vapour to snow
    real pgdep = 0;       ///< vapour to graupel
    real psaut = 0;       ///< ice to snow
    real pgaut = 0;       ///< snow to graupel
    real praci = 0;       ///< ice that rain meets, to snow or graupel
    real piacr = 0;       ///< rain that ice meets, to snow or graupel
    real psaci = 0;       ///< ice to snow
    real pgaci = 0;       ///< ice to graupel
    real paacw = 0;       ///< cloud to snow, as much to graupel; both to rain where they melt
    real pracs = 0;       ///< snow that rain meets, to graupel
    real psacr = 0;       ///< rain that snow meets, to snow or graupel
    real pgacr = 0;       ///< rain to graupel
    real pseml = 0;       ///< snow to rain
    real pgeml = 0;       ///< graupel to rain
    real psevp = 0;       ///< melting snow to vapour
    real pgevp = 0;       ///< melting graupel to vapour
};

/// What reduces collection by a species of which there is less than of what it collects.
inline real scarcity(real collector, real collected) {
    const real ratio = std::max(std::min(collector / collected, real(1)), real(0));
    return ratio * ratio;
}

/// [praut] HDC04 equation 16: droplets of more than 8 micrometres coalesce.
inline real autoconversion(real q, real dt) {
    constexpr double radius = 0.8e-5, efficiency = 0.55, air_viscosity = 1.718e-5;
    constexpr real threshold =
        real(4.0 / 3 * 3.14159265358979 * 1000 * radius * radius * radius * 3e8 / 1.28);
    constexpr double root_of_mass = 6694.3295008216952,
                     rho0_to_4_3 = 1.3897818196965920; // (3e11)^(1/3), 1.28^(4/3)
    constexpr real rate = real(0.104 * 9.8 * efficiency / root_of_mass / air_viscosity * rho0_to_4_3);
    return q > threshold ? std::min(rate * power(q, real(7.0 / 3)) * dt, q) : real(0);
}

/// What falling particles sweep up of `there`, mass or number of cloud droplets (LFO83, equations 24, 40 and
/// 51); `gamma_3_b` is Gamma(3 + b), `a` that of the fall speed.
inline real swept(const Point &x, const Particles &by, real n0, real a, real gamma_3_b, real there, real dt) {
    return pi / 4 * n0 * a * gamma_3_b * by.l3 * by.lb * x.thinness() * there * dt;
}

/// Ice swept up by falling particles (HDC04, equation 10; LFO83, equation 25).
inline real swept_ice(const Cloudy &c, const Particles &by, real n0, real speed, real dt) {
    const real d = c.ice.diameter;
    const real area = 2 * by.l3 + 2 * d * by.l2 + d * d * by.l1;
    return pi / 4 * n0 * std::abs(speed - c.ice.speed) * area * c.x.ice * dt;
}

/// Particles of a density collected by others (LFO83, equations 27, 28 and 42); `n0` is the product of
/// both intercepts.
inline real collided(const Point &x, const Particles &of, real density, const Particles &by, real n0,
                     real speed, real dt) {
    const real shape =
        5 * of.l3 * of.l3 * by.l1 + 2 * of.l3 * of.l2 * by.l2 + real(0.5) * of.l2 * of.l2 * by.l3;
    return pi * pi * n0 * std::abs(speed) * (density / x.density) * shape * dt;
}

/// [praut, pracw] Cloud that becomes rain.
inline real cloud_to_rain(const Point &x, const Particles &rain, real dt) {
    const real pracw = std::min(swept(x, rain, rain_n0, rain_a, gamma_3_8, x.cloud, dt), x.cloud);
    return autoconversion(x.cloud, dt) + ((x.rain > q_least) & (x.cloud > q_trace) ? pracw : real(0));
}

/// [psaut] HDC04 equation 12: crystals of more than 500 micrometres are snow.
inline real ice_to_snow(const Point &x) {
    constexpr double d2 = 500e-6 * 500e-6;
    constexpr real most_ice = real(2.08e22 * d2 * d2 * d2 * d2);
    return x.cold() > 0 ? std::max(x.ice - most_ice / x.density, real(0)) : real(0);
}

/// The speed that snow and graupel have together.
inline real frozen_speed(const Cloudy &c) {
    return frozen_speed(c.x.snow, c.snow.speed, c.x.graupel, c.graupel.speed);
}

/// [psaci, pgaci] Snow and graupel collect ice in freezing air.
inline void collect_ice(const Cloudy &c, Growth &g, real falling, real dt) {
    const Point &x = c.x;
    const bool ice = (x.cold() > 0) & (x.ice > q_trace);
    const real sticky = exponential(real(-0.07) * x.cold());
    const real psaci = std::min(sticky * swept_ice(c, c.snow, snow_n0 * c.colder, falling, dt), x.ice);
    g.psaci = ice & (x.snow > q_least) ? psaci : real(0);
    const real pgaci = std::min(sticky * swept_ice(c, c.graupel, graupel_n0, falling, dt), x.ice);
    g.pgaci = ice & (x.graupel > q_least) ? pgaci : real(0);
}

/// What snow, and as much graupel, collect of `there`, mass or number of cloud droplets, if that is more than
/// `least`: the mean of what each would (DHL08).
inline real swept_by_frozen(const Cloudy &c, real there, real least, real dt) {
    const Point &x = c.x;
    const bool cloud = there > least;
    const real by_snow = std::min(swept(x, c.snow, snow_n0 * c.colder, snow_a, gamma_3_41, there, dt) *
                                      scarcity(x.snow, x.cloud),
                                  there);
    const real by_graupel = std::min(swept(x, c.graupel, graupel_n0, graupel_a, gamma_3_8, there, dt) *
                                         scarcity(x.graupel, x.cloud),
                                     there);
    const real both = std::max(x.snow + x.graupel, q_trace);
    return (x.snow * ((x.snow > q_least) & cloud ? by_snow : real(0)) +
            x.graupel * ((x.graupel > q_least) & cloud ? by_graupel : real(0))) /
           both;
}

/// [praci, piacr, pracs, psacr, pgacr] Rain meets ice, snow and graupel.
inline void collide_with_rain(const Cloudy &c, Growth &g, real falling, real dt) {
    const Point &x = c.x;
    const bool freezing = x.cold() > 0;
    const bool rain = x.rain > q_least, snow = x.snow > q_least, graupel = x.graupel > q_least;
    const bool ice = freezing & (x.ice > q_trace);
    const real snow_number = snow_n0 * c.colder;
    const real praci =
        std::min(swept_ice(c, c.rain, rain_n0, c.rain.speed, dt) * scarcity(x.rain, x.ice), x.ice);
    g.praci = ice & rain ? praci : real(0);
    const real on_crystals = pi * pi / 24 * rain_a * gamma_6_8 * rho_water / x.density * c.ice.number *
                             rain_n0 * c.rain.l3 * c.rain.l3 * c.rain.lb * x.thinness() * dt;
    g.piacr = ice & rain ? std::min(on_crystals * scarcity(x.ice, x.rain), x.rain) : real(0);

    const real apart = c.rain.speed - falling;
    const real pracs = collided(x, c.snow, snow_density, c.rain, rain_n0 * snow_number, apart, dt) *
                       scarcity(x.rain, x.snow);
    g.pracs = freezing & rain & snow ? std::min(pracs, x.snow) : real(0);
    const real psacr =
        collided(x, c.rain, rho_water, c.snow, rain_n0 * snow_number, apart, dt) * scarcity(x.snow, x.rain);
    g.psacr = rain & snow ? std::min(psacr, x.rain) : real(0);
    const real pgacr = collided(x, c.rain, rho_water, c.graupel, rain_n0 * graupel_n0, apart, dt) *
                       scarcity(x.graupel, x.rain);
    g.pgacr = rain & graupel ? std::min(pgacr, x.rain) : real(0);
}

/// What falls collects what it meets. Snow and graupel do so with the one speed they have together.
inline void collect(const Cloudy &c, Growth &g, real dt) {
    const real falling = frozen_speed(c);
    g.praut_pracw = cloud_to_rain(c.x, c.rain, dt);
    collect_ice(c, g, falling, dt);
    g.paacw = swept_by_frozen(c, c.x.cloud, q_trace, dt);
    collide_with_rain(c, g, falling, dt);
}

/// [psaut] As ice_to_snow(). [pgaut] LFO83 equation 37.
inline void convert(const Cloudy &c, Growth &g, real dt) {
    constexpr real least_snow = real(6e-4);
    const Point &x = c.x;
    const bool freezing = x.cold() > 0;
    g.psaut = ice_to_snow(x);
    const real rimed = real(1e-3) * exponential(real(-0.09) * x.cold()) * (x.snow - least_snow) * dt;
    g.pgaut = freezing ? std::min(std::max(rimed, real(0)), x.snow) : real(0);
}

/// Vapour that may pass to (positive) or from (negative) species one after the other: each takes at most
/// half of the excess over saturation there was, and all together no more than it.
class Excess {
  public:
    Excess(real all, real taken) : all_(all), taken_(taken), spent_(false) {}

    bool spent() const { return spent_; }
    real left() const { return all_ - taken_; }

    real take(real wanted, real there) {
        const real shrinking =
            std::max(std::max(std::max(wanted, -there), all_ / 2), std::max(left(), -there));
        const real growing = std::min(std::min(wanted, all_ / 2), left());
        const real amount = (there > 0) & !spent_ ? (wanted < 0 ? shrinking : growing) : real(0);
        taken_ += amount;
        spent_ = spent_ | ((there > 0) & (std::abs(taken_) >= std::abs(all_)));
        return amount;
    }

  private:
    real all_, taken_;
    bool spent_;
};

/// [pigen] HDC04 equations 7 and 8: crystals that nuclei make of the vapour that is left over ice.
inline real nucleated(const Point &x, real excess, const Excess &ice) {
    const real nuclei = real(1e3) * exponential(real(0.1) * x.cold());
    const real crystals = real(4.92e-11) * power(nuclei, real(1.33)) / x.density;
    const real missing = std::max(crystals - x.ice, real(0));
    return (excess > 0) & !ice.spent() ? std::min(std::min(missing, excess), ice.left()) : real(0);
}

/// [prevp] Vapour that rain takes up, negative what evaporates of it, where drops have the `surface`
/// (ventilated()). LFO83 equation 52.
inline real rain_from_vapour(const Cloudy &c, const Transfer &air, real surface, real dt) {
    const Point &x = c.x;
    const real over_water =
        (x.vapour / c.saturation.water - 1) / resistance(x, air, x.l_v, c.saturation.water) * dt;
    const real wanted = over_water * surface, half = (std::max(x.vapour, q_trace) - c.saturation.water) / 2;
    const real amount = wanted < 0 ? std::max(std::max(wanted, -x.rain), half) : std::min(wanted, half);
    return x.rain > 0 ? amount : real(0);
}

/// Sublimation and deposition of all that is frozen, once rain has had its part, g.prevp; nucleation of ice.
/// [pidep, psdep, pgdep] HDC04 equations 9 and 14, LFO83 equation 46.
/// [psevp, pgevp] HL06 equations A35 and A25: what melts is wet.
/// [pseml, pgeml] HL06 equations A34 and A24: collected water melts what collects it.
inline void exchange_vapour_of_ice(const Cloudy &c, const Transfer &air, Growth &g, real drying, real dt) {
    const Point &x = c.x;
    const bool freezing = x.cold() > 0, thawing = x.cold() < 0;
    const real over_ice = (x.vapour / c.saturation.ice - 1) / resistance(x, air, l_s, c.saturation.ice) * dt;
    const real of_snow = ventilated_snow(c.snow, c.colder, air.ventilation);
    const real of_graupel = ventilated_graupel(c.graupel, air.ventilation);

    const real excess = std::max(x.vapour, q_trace) - c.saturation.ice;
    Excess ice(excess, g.prevp);
    const real pidep = ice.take(over_ice * 4 * c.ice.diameter * c.ice.number, x.ice);
    const real psdep = ice.take(over_ice * of_snow, x.snow);
    const real pgdep = ice.take(over_ice * of_graupel, x.graupel);
    g.pidep_pigen = freezing ? pidep + nucleated(x, excess, ice) : real(0);
    g.psdep = freezing ? psdep : real(0);
    g.pgdep = freezing ? pgdep : real(0);

    const real from_melting = std::min(x.vapour / c.saturation.water - 1, real(0)) /
                              resistance(x, air, drying, c.saturation.water) * dt;
    g.psevp = thawing ? std::max(from_melting * of_snow, -x.snow) : real(0);
    g.pgevp = thawing ? std::max(from_melting * of_graupel, -x.graupel) : real(0);
    const real melting = c_liquid / l_f0 * x.cold();
    g.pseml = freezing ? real(0) : std::max(melting * (g.paacw + g.psacr), -x.snow);
    g.pgeml = freezing ? real(0) : std::max(melting * (g.paacw + g.pgacr), -x.graupel);
}

/// Evaporation, sublimation and deposition of everything but cloud; nucleation of ice.
inline void exchange_vapour(const Cloudy &c, Growth &g, real drying, real dt) {
    const Transfer air = transfer_of(c.x);
    g.prevp = rain_from_vapour(c, air, ventilated_rain(c.rain, air.ventilation), dt);
    exchange_vapour_of_ice(c, air, g, drying, dt);
}

} // namespace squall::wsm6
