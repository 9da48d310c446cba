/// Melting, freezing and condensation: what temperature alone makes of water. Names in brackets are
/// those of HL06, figure 1.
#pragma once

#include "physics/wsm6/particles.hpp"

namespace squall::wsm6 {

/// What melts of particles with a surface (LFO83 equations 32 and 47 without the vapour that condenses on
/// melting particles) where it is `warm`, as it was before anything did. `fusion`: the heat it takes
/// [J kg-1]. `part` of it is carried out, and returned.
inline real melt_into_rain(Point &x, real Point::*frozen, real surface, bool warm, real fusion, real dt,
                           real part = 1) {
    const real k = conductivity(x.temperature, x.density);
    const real most = std::min(k / fusion * -x.cold() * surface / x.density * dt, x.*frozen);
    const real melted = part * (warm ? std::max(most, real(0)) : real(0));
    x.*frozen -= melted;
    x.rain += melted;
    x.warm_by(-fusion * melted);
    return melted;
}

/// [psmlt] Melting of snow into rain.
inline void melt_snow(Point &x, const Particles &snow, real colder, real fusion, real dt) {
    const real surface = pi / 2 * ventilated_snow(snow, colder, transfer_of(x).ventilation);
    melt_into_rain(x, &Point::snow, surface, x.temperature > t0, fusion, dt);
}

/// [psmlt, pgmlt] Melting of snow and graupel into rain.
inline void melt(Point &x, const Particles &snow, real colder, const Particles &graupel, real fusion,
                 real dt) {
    const bool warm = x.temperature > t0;
    const real ventilation = transfer_of(x).ventilation;
    melt_into_rain(x, &Point::snow, pi / 2 * ventilated_snow(snow, colder, ventilation), warm, fusion, dt);
    melt_into_rain(x, &Point::graupel, ventilated_graupel(graupel, ventilation), warm, fusion, dt);
}

/// exp(0.66 (T0 - T)) - 1, the probability of freezing (Bigg 1953), bounded where all freezes.
inline real bigg(real cold) { return exponential(real(0.66) * std::min(cold, real(50))) - 1; }

/// [pimlt, pihmf] Above the melting point all ice melts; 40 K below it all cloud freezes.
/// [pihtf] HL06 equation A44. [pgfrz] LFO83 equation 45. `rain`: the distribution of x.rain where it freezes,
/// to `become`.
inline void freeze(Point &x, const Particles &rain, real Point::*become, real fusion, real dt) {
    constexpr real coldest_drops = 40; // [K] below freezing
    const real cold = x.cold();
    const real thawed = cold < 0 ? x.ice : real(0);
    x.ice -= thawed;
    x.cloud += thawed;
    x.warm_by(-fusion * thawed);

    const real chance = cold > 0 ? 100 * bigg(cold) : real(0);
    const real by_chance = chance * x.density / rho_water / droplets * x.cloud * x.cloud * dt;
    const real frozen = cold > coldest_drops ? x.cloud : std::min(by_chance, x.cloud);
    x.cloud -= frozen;
    x.ice += frozen;
    x.warm_by(x.l_f() * frozen);

    const real volume = rain.l3 * rain.l3 * rain.l1;
    const real drops =
        std::min(20 * pi * pi * rain_n0 * rho_water / x.density * chance * volume * dt, x.rain);
    x.rain -= drops;
    x.*become += drops;
    x.warm_by(x.l_f() * drops);
}

/// [pcond] Condensation and evaporation of cloud to saturation over water, which latent heat shifts (one
/// Newton step). HL06 equation A46.
inline void condense(Point &x) {
    const real qs = saturation(x.temperature, x.pressure).water;
    const real excess =
        (std::max(x.vapour, q_trace) - qs) /
        (1 + x.l_v * x.l_v / (constants::r_v * x.heat_capacity) * qs / (x.temperature * x.temperature));
    const real condensed =
        excess > 0 ? std::min(excess, std::max(x.vapour, real(0))) : std::max(excess, -x.cloud);
    x.vapour -= condensed;
    x.cloud += condensed;
    x.warm_by(x.l_v * condensed);
}

} // namespace squall::wsm6
