/// How species grow at each other's expense in a step: the processes of LFO83, figure 1, by their names
/// there. Amounts [kg kg-1], each bounded by what there is, not yet all together.
#pragma once

#include "physics/lin/crystals.hpp"

namespace squall::lin {

/// A point and the particles in it.
struct Cloudy {
    const Point &x;
    Saturation saturation;
    Transfer air;
    Falling rain, snow, graupel;
};

struct Growth {
    real praut = 0, pracw = 0;    ///< cloud to rain
    real prevp = 0;               ///< vapour to rain, negative
    real psaut = 0, psaci = 0;    ///< ice to snow
    real psfw = 0, psacw = 0;     ///< cloud to snow; where it melts psacw is to rain
    real psfi = 0;                ///< ice to snow, by Bergeron's process
    real praci = 0;               ///< ice that rain meets, to snow or graupel
    real piacr = 0;               ///< rain that ice meets, to snow or graupel
    real psdep = 0, pssub = 0;    ///< vapour to snow, positive and negative
    real pracs = 0;               ///< snow that rain meets, to graupel
    real psacr = 0;               ///< rain that snow meets, to snow or graupel
    real psmlt = 0, psmltevp = 0; ///< melting snow to rain and to vapour, negative: what snow gains
    real pgaut = 0;               ///< snow to graupel
    real pgfr = 0;                ///< rain to graupel
    real pgacw = 0, pgaci = 0;    ///< cloud and ice to graupel
    real pgacs = 0, pgacr = 0;    ///< snow and rain to graupel
    real pgacip = 0, pgacsp = 0;  ///< ice and snow to wet graupel
    real pgacrp = 0;              ///< rain to wet graupel; negative: cloud that it sheds as rain
    real pgdep = 0, pgsub = 0;    ///< vapour to graupel, positive and negative
    real pgmlt = 0, pgmltevp = 0; ///< melting graupel to rain and to vapour, negative: what graupel gains
    bool dry = true;              ///< graupel grows dry
};

/// What of `q` a process takes whose rate is a share of it.
inline real taken(real q, real rate, real dt) { return q * (1 - exponential(-rate * dt)); }

/// [psfw, psfi] Bergeron's process (LFO83, equations 33 and 34): crystals reach a radius of 50 micrometres,
/// and then take up droplets as snow. As WRF, where they go to snow [kg kg-1] is bounded by a rate [kg kg-1
/// s-1].
template <bool as_wrf> inline void bergeron(const Cloudy &c, Growth &g, real dt) {
    constexpr real log_50 = real(-21.457235), log_40 = real(-22.12569);
    const Point &x = c.x;
    const Crystal crystal = crystal_at(x.celsius());
    const real power = 1 - crystal.b;
    const real per_time =
        crystal.a * power / (exponential(power * log_50) - exponential(power * log_40)); // [s-1]
    const real by_vapour = crystal.gain(mass_50, log_50);                                // [kg s-1]
    const real by_riming = pi / 4 * x.density * diameter_50 * diameter_50 * c.snow.a *
                           std::sqrt(std::sqrt(diameter_50)); // of droplets [s-1]
    const real both = by_vapour + by_riming * x.cloud;
    const real number = std::min(taken(x.ice, per_time, dt) / mass_50, x.cloud / dt / both); // [kg-1]
    const real drops = std::min(both / by_riming * (1 - exponential(-by_riming * number * dt)), x.cloud);
    const bool cloudy = x.cloud > real(1e-10);
    const real grown = as_wrf ? std::min(number * mass_50 * dt - drops, x.ice) : number * mass_50;
    g.psfw = cloudy ? drops : real(0);
    g.psfi = cloudy ? grown : real(0);
}

/// [psaut] LFO83 equation 21; above which content crystals become snow is CS02's in the cold. [praut] RH84.
/// [pgaut] LFO83 equation 37. [pgfr] LFO83 equation 45.
inline void convert(const Cloudy &c, Growth &g, real dt) {
    const Point &x = c.x;
    const real t = x.celsius(), colder = power(std::max(-20 - t, real(0)), real(2.455));
    const real in_cold =
        real(1e-3) * exponential(4 * exponential(real(-0.2443e-3) * colder) - real(7.6)) / x.density;
    const real most_ice = t < -20 ? in_cold : real(1e-3);
    const real clumping = real(1e-3) * exponential(real(0.025) * t);
    g.psaut = std::max(taken(x.ice - most_ice, clumping, dt), real(0));
    g.praut = std::max(taken(x.cloud - real(7e-4), real(1e-3), dt), real(0));
    g.pgaut = std::max(taken(x.snow - real(6e-4), real(1e-3) * exponential(real(0.09) * t), dt), real(0));
    const real l3 = c.rain.l * c.rain.l * c.rain.l;
    const real chance = 100 * (exponential(real(0.66) * std::min(-t, real(80))) - 1);
    g.pgfr = std::min(20 * pi * pi * chance * rain.n0 * rain.density / x.density * l3 * l3 * c.rain.l * dt,
                      x.rain);
}

/// What falls collects what it meets.
inline void collect(const Cloudy &c, Growth &g, real dt) {
    constexpr real gamma_6_8 = real(496.60608);
    const Point &x = c.x;
    const real cold = std::min(x.celsius(), real(0)), density = x.density;
    const real by_rain = swept(rain, c.rain), by_snow = swept(snow, c.snow),
               by_graupel = swept(graupel, c.graupel);
    const real l3 = c.rain.l * c.rain.l * c.rain.l;
    g.pracw = taken(x.cloud, by_rain, dt);
    g.praci = taken(x.ice, by_rain, dt);
    const real crystals = x.ice * density * pi / 6 * rain.density / ice_mass;
    g.piacr =
        std::min(crystals * (pi / 4 * rain.n0 * c.rain.a) * gamma_6_8 * l3 * l3 * c.rain.lb * dt, x.rain);
    g.psaci = taken(x.ice, exponential(real(0.025) * cold) * by_snow, dt);
    g.psacw = taken(x.cloud, by_snow, dt);
    g.pracs = std::min(collided(snow, c.snow, rain, c.rain, density) * dt, x.snow);
    g.psacr = std::min(collided(rain, c.rain, snow, c.snow, density) * dt, x.rain);
    g.pgacw = std::min(x.cloud * by_graupel * dt, x.cloud);
    g.pgaci = std::min(x.ice * real(0.1) * by_graupel * dt, x.ice);
    const real snow_met = collided(snow, c.snow, graupel, c.graupel, density) * dt;
    const real sticking = exponential(real(0.09) * cold);
    g.pgacs = std::min(snow_met * sticking, x.snow);
    g.pgacr = std::min(collided(rain, c.rain, graupel, c.graupel, density) * dt, x.rain);
    g.pgacip = std::min(10 * g.pgaci, x.ice);
    g.pgacsp = std::min(g.pgacs / sticking, x.snow);
}

/// [pgwet] LFO83 equation 43: as much water as graupel can freeze. Where that is less than it collects, it is
/// wet, holds on to all ice and snow, and sheds water or freezes more rain.
inline void wet_growth(const Cloudy &c, Growth &g, real at_melting, real surface, real dt) {
    const Point &x = c.x;
    const real t = x.celsius(), per_heat = 1 / (l_f + c_liquid * t);
    const real frozen =
        2 * pi / x.density * per_heat * surface *
        (l_v * c.air.diffusivity * x.density * (at_melting - x.vapour) - c.air.conductivity * t);
    const real wanted = frozen * dt + (g.pgacip + g.pgacsp) * (1 - c_solid * t * per_heat);
    const real wet = std::min(std::max(wanted, real(0)), x.cloud + x.snow + x.ice);
    const real dry = g.pgacw + g.pgaci + g.pgacs + g.pgacr;
    g.dry = (dry < wet) | (t <= -40);
    g.pgacrp = wet - g.pgacw - g.pgacip - g.pgacsp;
}

/// What melts, by heat that is conducted, by vapour that condenses, and by collected water (LFO83, equations
/// 32 and 47); negative.
inline real melted(const Cloudy &c, real at_melting, real surface, real collected, real there, real dt) {
    const Point &x = c.x;
    const real t = x.celsius();
    const real heat =
        2 * pi / x.density *
        (l_v * c.air.diffusivity * x.density * (at_melting - x.vapour) - c.air.conductivity * t);
    const real amount = heat / l_f * surface * dt - c_liquid / l_f * t * collected;
    return std::max(std::min(amount, real(0)), -there);
}

/// [prevp] LFO83 equation 52, at most nine tenths of what saturates the air. [psdep, pssub, pgdep, pgsub]
/// LFO83 equations 31 and 46. [psmlt, pgmlt] LFO83 equations 32 and 47. [psmltevp, pgmltevp] RH84 equation
/// A27: what melts evaporates in air below nine tenths of saturation.
inline void exchange_vapour(const Cloudy &c, Growth &g, real dt) {
    const Point &x = c.x;
    const real of_rain = ventilated(rain, c.rain, c.air), of_snow = ventilated(snow, c.snow, c.air),
               of_graupel = ventilated(graupel, c.graupel, c.air);
    const real qw = c.saturation.water, qi = c.saturation.ice;
    const real over_water = growth_rate(x, c.air, l_v, qw) * dt,
               over_ice = growth_rate(x, c.air, l_s, qi) * dt;

    const real slope = qw * l_v / (constants::r_v * x.temperature * x.temperature);
    const real drying =
        std::min(real(0.9) * (x.vapour + x.cloud - qw) / (1 + l_v / constants::c_p * slope), real(0));
    const real dried = std::min(over_water * (x.vapour / qw - 1) * of_rain, real(0));
    g.prevp = std::max(std::max(dried, drying), -x.rain);

    const real excess = x.vapour - qi, wanted = over_ice * (x.vapour / qi - 1);
    g.psdep = excess > 0 ? std::min(wanted * of_snow, excess) : real(0);
    g.pssub = excess > 0 ? real(0) : std::min(std::max(std::max(wanted * of_snow, excess), -x.snow), real(0));
    g.pgdep = std::max(wanted * of_graupel, real(0));
    g.pgsub = std::max(std::min(wanted * of_graupel, real(0)), -x.graupel);

    const real at_melting = mixing_ratio(real(611.2), x.pressure);
    g.psmlt = melted(c, at_melting, of_snow, g.psacw + g.psacr, x.snow, dt);
    g.pgmlt = melted(c, at_melting, of_graupel, g.pgacw + g.pgacr, x.graupel, dt);
    const real thirst = x.vapour / qw - real(0.9), most = std::min(thirst * qw, real(0));
    const auto evaporated = [&](real surface, real there) {
        return std::max(std::max(std::min(over_water * thirst * surface, real(0)), most), -there);
    };
    g.psmltevp = evaporated(of_snow, x.snow);
    g.pgmltevp = evaporated(of_graupel, x.graupel);
    wet_growth(c, g, at_melting, of_graupel, dt);
}

} // namespace squall::lin
