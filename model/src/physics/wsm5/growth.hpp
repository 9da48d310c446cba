/// How species grow at each other's expense in a step, where there is no graupel: the processes of
/// HDC04 by their names there. Amounts [kg kg-1].
#pragma once

#include "physics/wsm6/exchange.hpp"

namespace squall::wsm5 {

using namespace wsm6; // the family's air, particles and processes

struct Growth {
    real praut_pracw = 0; ///< cloud to rain
    real prevp = 0;       ///< vapour to rain; evaporation is negative
    real pidep_pigen = 0; ///< vapour to ice
    real psdep = 0;       ///< vapour to snow
    real psaut = 0;       ///< ice to snow
    real psaci = 0;       ///< ice to snow
    real psacw = 0;       ///< cloud to snow; to rain where it melts
    real psevp = 0;       ///< melting snow to vapour
};

/// [psaci, psaut] Ice becomes snow, in freezing air: snow collects it, crystals grow. HDC04 equation 10.
inline void collect_ice(const Cloudy &c, Growth &g, real dt) {
    const Point &x = c.x;
    const real sticky = exponential(real(-0.07) * x.cold());
    const real psaci = sticky * swept_ice(c, c.snow, snow_n0 * c.colder, c.snow.speed, dt);
    g.psaci = (x.snow > q_least) & (x.cold() > 0) & (x.ice > q_trace) ? psaci : real(0);
    g.psaut = ice_to_snow(x);
}

/// What snow collects of `there`, mass or number of cloud droplets, if that is more than `least`. LFO83
/// equation 24.
inline real swept_by_snow(const Cloudy &c, real there, real least, real dt) {
    const real by_snow =
        std::min(swept(c.x, c.snow, snow_n0 * c.colder, snow_a, gamma_3_41, there, dt), there);
    return (c.x.snow > q_least) & (there > least) ? by_snow : real(0);
}

/// What falls collects cloud and ice; crystals become snow.
inline void collect(const Cloudy &c, Growth &g, real dt) {
    g.praut_pracw = cloud_to_rain(c.x, c.rain, dt);
    collect_ice(c, g, dt);
    g.psacw = swept_by_snow(c, c.x.cloud, q_trace, dt);
}

/// Sublimation and deposition of all that is frozen, once rain has had its part, g.prevp; nucleation of ice.
/// [pidep, psdep] HDC04 equations 9 and 14. [psevp] HL06 equation A35, where snow that melts `evaporates`;
/// `drying`: the heat that takes [J kg-1].
inline void exchange_vapour_of_ice(const Cloudy &c, const Transfer &air, Growth &g, bool evaporates,
                                   real drying, real dt) {
    const Point &x = c.x;
    const bool freezing = x.cold() > 0, thawing = x.cold() < 0;
    const real excess = std::max(x.vapour, q_trace) - c.saturation.ice;
    const real over_ice = (x.vapour / c.saturation.ice - 1) / resistance(x, air, l_s, c.saturation.ice) * dt;
    const real of_snow = ventilated_snow(c.snow, c.colder, air.ventilation);

    Excess ice(excess, g.prevp);
    const real pidep = ice.take(over_ice * 4 * c.ice.diameter * c.ice.number, x.ice);
    const real psdep = ice.take(over_ice * of_snow, x.snow);
    g.pidep_pigen = freezing ? pidep + nucleated(x, excess, ice) : real(0);
    g.psdep = freezing ? psdep : real(0);
    const real from_melting = std::min(x.vapour / c.saturation.water - 1, real(0)) /
                              resistance(x, air, drying, c.saturation.water) * dt;
    g.psevp = thawing & evaporates ? std::max(from_melting * of_snow, -x.snow) : real(0);
}

/// Evaporation, sublimation and deposition of everything but cloud; nucleation of ice. [prevp] HDC04
/// equation 9.
inline void exchange_vapour(const Cloudy &c, Growth &g, bool evaporates, real drying, real dt) {
    const Transfer air = transfer_of(c.x);
    g.prevp = rain_from_vapour(c, air, ventilated_rain(c.rain, air.ventilation), dt);
    exchange_vapour_of_ice(c, air, g, evaporates, drying, dt);
}

/// Bounds and carries out what happens in freezing air (exchange.hpp of wsm6 says how), with its heat.
inline void exchange_cold(Point &x, Growth g) {
    cut(share(g.praut_pracw + g.psacw, x.cloud), g.praut_pracw, g.psacw);
    cut(share(g.psaut + g.psaci - g.pidep_pigen, x.ice), g.psaut, g.psaci, g.pidep_pigen);
    cut(share(-g.praut_pracw - g.prevp, x.rain), g.praut_pracw, g.prevp);
    cut(share(-g.psdep - g.psaut - g.psaci - g.psacw, x.snow), g.psdep, g.psaut, g.psaci, g.psacw);
    x.vapour -= g.prevp + g.psdep + g.pidep_pigen;
    x.cloud = left(x.cloud, -(g.praut_pracw + g.psacw));
    x.rain = left(x.rain, g.praut_pracw + g.prevp);
    x.ice = left(x.ice, g.pidep_pigen - g.psaut - g.psaci);
    x.snow = left(x.snow, g.psdep + g.psaut + g.psaci + g.psacw);
    x.warm_by(l_s * (g.psdep + g.pidep_pigen) + x.l_v * g.prevp + x.l_f() * g.psacw);
}

/// The same above the melting point.
inline void exchange_warm(Point &x, Growth g, real drying) {
    cut(share(g.praut_pracw + g.psacw, x.cloud), g.praut_pracw, g.psacw);
    cut(share(-g.praut_pracw - g.prevp - g.psacw, x.rain), g.praut_pracw, g.prevp, g.psacw);
    cut(share(-g.psevp, x.snow), g.psevp);
    x.vapour -= g.prevp + g.psevp;
    x.cloud = left(x.cloud, -(g.praut_pracw + g.psacw));
    x.rain = left(x.rain, g.praut_pracw + g.prevp + g.psacw);
    x.snow = left(x.snow, g.psevp);
    x.warm_by(x.l_v * g.prevp + drying * g.psevp);
}

inline void exchange(Point &x, const Growth &g, real drying) {
    Point freezing = x, thawing = x;
    exchange_cold(freezing, g);
    exchange_warm(thawing, g, drying);
    // One by one: a choice between whole points keeps compilers from vectors.
    const bool is_cold = x.temperature <= t0;
    for (const auto field :
         {&Point::temperature, &Point::vapour, &Point::cloud, &Point::rain, &Point::ice, &Point::snow})
        x.*field = is_cold ? freezing.*field : thawing.*field;
}

} // namespace squall::wsm5
