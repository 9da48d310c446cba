/// What a step changes at a point, and what warm and freezing air have in common.
#pragma once

#include "physics/morrison/particles.hpp"

namespace squall::morrison {

/// Gained by each [kg kg-1, kg-1], and the heat set free [J kg-1].
struct Change {
    real vapour = 0, cloud = 0, rain = 0, ice = 0, snow = 0, graupel = 0;
    real rain_number = 0, ice_number = 0, snow_number = 0, graupel_number = 0;
    real heat = 0;

    void apply(Point &x) const {
        x.vapour += vapour, x.cloud += cloud, x.rain += rain;
        x.ice += ice, x.snow += snow, x.graupel += graupel;
        x.rain_number = std::max(x.rain_number + rain_number, real(0));
        x.ice_number = std::max(x.ice_number + ice_number, real(0));
        x.snow_number = std::max(x.snow_number + snow_number, real(0));
        x.graupel_number = std::max(x.graupel_number + graupel_number, real(0));
        x.warm_by(heat);
    }
};

inline real when(bool condition, real amount) { return condition ? amount : real(0); }

/// By what factor losses are cut, so that they take no more than what there is and is gained.
inline real bound(real lost, real gained, real there) {
    return lost - gained > there ? std::max(there + gained, real(0)) / lost : real(1);
}

/// Of a number, as large a share as of a mass is lost (`change` < 0).
inline real number_with(real change, real q, real number) {
    return change < 0 ? std::max(change / q, real(-1)) * number : real(0);
}

/// Cloud that becomes rain, by itself and where drops collect it, and the number of new drops.
struct NewRain {
    real itself, collected, number;
};

/// KK00, equations 29 and 33.
inline NewRain new_rain(const Point &x, real droplets, real dt) {
    constexpr real drop = real(4.0 / 3) * pi * rho_water * real(25e-6) * real(25e-6) * real(25e-6); // [kg]
    const bool coalesces = x.cloud >= real(1e-6);
    const real itself = when(coalesces, 1350 * power(x.cloud, real(2.47)) *
                                            power(droplets / real(1e6) * x.density, real(-1.79)) * dt);
    const real lost = std::min(itself * droplets / std::max(x.cloud, q_least), droplets);
    const real collected =
        when((x.rain >= q_few) & (x.cloud >= q_few), 67 * power(x.cloud * x.rain, real(1.15)) * dt);
    return {itself, collected, std::min(itself / drop, lost)};
}

/// Drops coalesce and break up (Beheng 1994; Verlinde and Cotton 1993).
inline real rain_number_change(const Point &x, const Particles &drops, real dt) {
    constexpr real breaks_at = real(300e-6);
    const real beyond = std::max(drops.l - breaks_at, real(0));
    const real efficiency = 2 - exponential(2300 * beyond);
    return when(x.rain >= q_few, real(-5.78) * efficiency * x.rain_number * x.rain * x.density * dt);
}

/// Rain evaporates, but does not grow by condensation.
inline real rain_evaporated(const Point &x, const Particles &drops, const Transfer &air, real dt) {
    const real excess = x.vapour - air.saturation.water;
    const real rate = ventilated(rain, drops, air, x.density) * x.density * air.diffusivity;
    return when(x.rain >= q_least, std::min(rate * excess / air.water * dt, real(0)));
}

/// Cloud and vapour at saturation over water (one Newton step).
inline void condense(Point &x) {
    const real qs = mixing_ratio(pressure_over_water(x.temperature), x.pressure);
    const real per = x.l_v * x.l_v / (x.heat_capacity * constants::r_v * x.temperature * x.temperature);
    const real condensed = std::max((x.vapour - qs) / (1 + per * qs), -std::max(x.cloud, real(0)));
    x.vapour -= condensed;
    x.cloud += condensed;
    x.warm_by(x.l_v * condensed);
}

} // namespace squall::morrison
