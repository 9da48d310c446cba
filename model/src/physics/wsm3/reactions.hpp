/// All that happens at a point in a step once precipitation has fallen. Names in brackets are those of HDC04.
#pragma once

#include "physics/wsm6/exchange.hpp"

namespace squall::wsm3 {

using namespace wsm6; // the family's air, particles and processes

/// What floats and falls gains, and vapour loses. Amounts [kg kg-1].
struct Growth {
    real paut = 0; ///< what floats to what falls, by itself
    real pacr = 0; ///< collected by what falls
    real pres = 0; ///< vapour to what falls; evaporation is negative
    real pisd = 0; ///< vapour to ice that floats
    real pgen = 0; ///< vapour to new ice
};

/// [praut, pracw, prevp] Above the melting point.
inline Growth grow_warm(const Cloudy &c, const Transfer &air, real dt) {
    const Point &x = c.x;
    const real qs = c.saturation.water;
    const real wanted =
        (x.vapour / qs - 1) / resistance(x, air, x.l_v, qs) * dt * ventilated_rain(c.rain, air.ventilation);
    Growth g;
    g.paut = cloud_to_rain(c.x, c.rain, dt);
    g.pres = Excess(std::max(x.vapour, q_trace) - qs, 0).take(wanted, x.rain);
    return g;
}

/// [psaut, psaci, pidep, psdep, pigen] Below it, where x.ice and x.snow are what floats and falls.
inline Growth grow_cold(const Cloudy &c, const Transfer &air, real dt) {
    const Point &x = c.x;
    const real qs = c.saturation.ice, excess = std::max(x.vapour, q_trace) - qs;
    const real over_ice = (x.vapour / qs - 1) / resistance(x, air, l_s, qs) * dt;
    const real swept =
        exponential(real(-0.07) * x.cold()) * swept_ice(c, c.snow, snow_n0 * c.colder, c.snow.speed, dt);
    Growth g;
    g.paut = ice_to_snow(x);
    g.pacr = (x.snow > q_least) & (x.ice > q_trace) ? std::min(swept, x.ice) : real(0);
    Excess ice(excess, 0);
    // Ice is also what condensed as cloud: more than crystals of a size hold, which then are larger.
    const Crystals floating = ice_of(x.ice, x.density, of_any_size);
    g.pisd = ice.take(over_ice * 4 * floating.diameter * floating.number, x.ice);
    g.pres = ice.take(over_ice * ventilated_snow(c.snow, c.colder, air.ventilation), x.snow);
    g.pgen = nucleated(x, excess, ice);
    return g;
}

/// Bounds the growth by what there is, and carries it out.
inline void exchange(Point &x, Growth g, real latent_heat) {
    cut(share(g.paut + g.pacr - g.pgen - g.pisd, x.cloud), g.paut, g.pacr, g.pgen, g.pisd);
    cut(share(g.pres + g.pgen + g.pisd, x.vapour), g.pres, g.pgen, g.pisd);
    const real gained = g.pres + g.pgen + g.pisd;
    x.vapour -= gained;
    x.cloud = left(x.cloud, g.pgen + g.pisd - g.paut - g.pacr);
    x.rain = left(x.rain, g.paut + g.pacr + g.pres);
    x.warm_by(latent_heat * gained);
}

/// [pcond] To saturation over water; below the melting point nothing that floats evaporates so.
inline void condense(Point &x) {
    const real qs = saturation(x.temperature, x.pressure).water;
    const real excess =
        (std::max(x.vapour, q_trace) - qs) /
        (1 + x.l_v * x.l_v / (constants::r_v * x.heat_capacity) * qs / (x.temperature * x.temperature));
    const real dried = x.temperature > t0 ? std::max(excess, -x.cloud) : real(0);
    const real condensed = excess > 0 ? std::min(excess, std::max(x.vapour, real(0))) : dried;
    x.vapour -= condensed;
    x.cloud += condensed;
    x.warm_by(x.l_v * condensed);
}

/// `warmed`: by what melted and froze before [K]; saturation and the heat of vaporisation are those of
/// before.
inline void react(Point &x, real warmed, real dt) {
    const real before = x.temperature - warmed;
    x.l_v = vaporisation(before);
    const bool cold = x.cold() > 0;
    const real thinness = x.thinness(), colder = colder_snow(x.temperature);
    Point frozen = x;
    frozen.ice = x.cloud, frozen.snow = x.rain;
    const Saturation qs = saturation(before, x.pressure);
    const Particles rain = rain_of(x.rain, x.density, thinness),
                    snow = snow_of(x.rain, x.density, thinness, colder);
    const Crystals ice = ice_of(x.cloud, x.density);
    const Transfer air = transfer_of(x);
    const Growth warm_growth = grow_warm({x, qs, rain, snow, {}, ice, colder}, air, dt),
                 cold_growth = grow_cold({frozen, qs, rain, snow, {}, ice, colder}, air, dt);
    Growth g;
    for (const auto amount : {&Growth::paut, &Growth::pacr, &Growth::pres, &Growth::pisd, &Growth::pgen})
        g.*amount = cold ? cold_growth.*amount : warm_growth.*amount;
    wsm3::exchange(x, g, cold ? l_s : x.l_v);
    wsm3::condense(x);
    x.cloud = x.cloud > q_trace ? x.cloud : real(0);
    x.rain = x.rain > q_least ? x.rain : real(0);
}

} // namespace squall::wsm3
