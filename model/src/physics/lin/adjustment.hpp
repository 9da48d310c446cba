/// Cloud and vapour in equilibrium, and what freezes and melts of cloud.
#pragma once

#include "physics/lin/crystals.hpp"

namespace squall::lin {

/// The temperature that air comes to if all its cloud becomes vapour.
inline real without_cloud(const Point &x) {
    return x.temperature - (l_v * x.cloud + l_s * x.ice) / constants::c_p;
}

/// Whether it is no more than saturated then, over ice where it freezes.
inline bool clears(const Point &x) {
    const real t = without_cloud(x), over_ice = pressure_over_ice(t), over_water = pressure_over_water(t);
    return x.vapour + x.cloud + x.ice < mixing_ratio(t < t0 ? over_ice : over_water, x.pressure);
}

/// Puts the point's water into vapour and `cloud` in these parts, with its heat.
inline void become(Point &x, real vapour, real cloud, real ice) {
    x.warm_by(l_f * (ice - x.ice) - l_v * (vapour - x.vapour));
    x.vapour = vapour, x.cloud = cloud, x.ice = ice;
}

/// Vapour and cloud at saturation, the mean of those over water and ice as the cloud is made of both, by
/// Newton's method for the temperature (Tao et al. 1989). Little cloud is ice by temperature alone, from none
/// at 0 degrees to all at -25.
inline void saturate(Point &x) {
    const real condensate = x.cloud + x.ice, water = x.vapour + condensate, t = x.temperature;
    const real by_temperature = std::max(std::min((t0 - t) / 25, real(1)), real(0));
    const real icy = condensate >= real(1e-5) ? x.ice / condensate : by_temperature, liquid = 1 - icy;
    const real heat = (l_v + icy * l_f) / constants::c_p;
    const real balance = t + (l_v * x.vapour + l_f * (icy * water - x.ice)) / constants::c_p;
    const bool cold = t < t0, coldest = t < t0 - 40;
    const auto saturated = [&](real at, real &slope) {
        const real over_water = mixing_ratio(pressure_over_water(at), x.pressure);
        const real ice = mixing_ratio(pressure_over_ice(at, t0), x.pressure);
        const real over_ice = cold ? ice : over_water, over_cloud = coldest ? over_ice : over_water;
        const real w = 1 / (at - real(29.65)), i = 1 / (at - real(7.66));
        slope = liquid * over_cloud * real(17.67 * 243.5) * w * w +
                icy * over_ice * real(21.8745584 * 265.5) * i * i;
        return liquid * over_cloud + icy * over_ice;
    };
    const auto nearer = [&](real at) {
        real slope;
        const real q = saturated(at, slope);
        return at - (at + heat * q - balance) / (1 + heat * slope);
    };
    // From 5 K off to 1e-5 K. Not a loop, which would keep compilers from vectors.
    const real at = nearer(nearer(nearer(nearer(t))));
    real slope;
    const real condensed = std::max(water - saturated(at, slope), real(0));
    const bool all_vapour = clears(x);
    const real remains = all_vapour ? real(0) : condensed;
    become(x, water - remains, liquid * remains, icy * remains);
}

/// [pihom, pimlt, pidw] All droplets freeze below -40 degrees, all crystals melt above 0; in between natural
/// nuclei grow by what droplets lose (Hsie et al. 1980). As WRF, also where there are none: their water is
/// then made up. With no heat yet: saturate() follows.
template <bool as_wrf> inline void freeze_cloud(Point &x, real dt) {
    constexpr real log_nucleus = real(-41.39774), nucleus = real(1.05e-18); // of its mass [kg]
    const real t = x.celsius();
    const real nuclei = real(1e-2) * exponential(real(-0.5) * std::max(t, real(-31))) / x.density; // [kg-1]
    const real grown = nuclei * crystal_at(t).gain(nucleus, log_nucleus) * dt;
    const real most = as_wrf ? grown : std::min(grown, x.cloud);
    const real at_nuclei = (t < 0) & (t > -31) ? most : real(0);
    const real frozen = (t < -40 ? x.cloud : real(0)) + at_nuclei - (t > 0 ? x.ice : real(0));
    const real ice = std::max(x.ice + frozen, real(0)), cloud = std::max(x.cloud - frozen, real(0));
    x.warm_by(l_f * (ice - x.ice));
    x.ice = ice, x.cloud = cloud;
}

template <bool as_wrf> inline void adjust(Point &x, real dt) {
    const bool is_clear = clears(x);
    Point cloudy = x;
    saturate(cloudy);
    const bool is_dry = !(cloudy.cloud + cloudy.ice > 0);
    Point frozen = cloudy;
    freeze_cloud<as_wrf>(frozen, dt);
    saturate(frozen);
    become(x, x.vapour + x.cloud + x.ice, 0, 0);
    for (const auto field :
         {&wsm6::Point::temperature, &wsm6::Point::vapour, &wsm6::Point::cloud, &wsm6::Point::ice}) {
        const real made = is_dry ? cloudy.*field : frozen.*field;
        x.*field = is_clear ? x.*field : made;
    }
}

} // namespace squall::lin
