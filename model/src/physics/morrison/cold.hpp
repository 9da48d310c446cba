/// What happens in a step below the melting point: the processes of M05 and M09, by their names in WRF.
/// Amounts [kg kg-1], numbers [kg-1].
#pragma once

#include "physics/morrison/change.hpp"

namespace squall::morrison {

/// A point and the particles in it. `hail` is what is dense: hail or graupel.
struct Cloudy {
    const Point &x;
    Transfer air;
    real droplets, droplet_l; ///< number [kg-1], 1 / lambda [m]
    Particles rain, snow, ice, stones;
    const Kind &dense;
};

struct Growth {
    real prc = 0, pra = 0, nprc = 0;                                 ///< cloud to rain
    real mnuccc = 0, nnuccc = 0;                                     ///< cloud to ice
    real mnuccr = 0, nnuccr = 0;                                     ///< rain to graupel
    real psacws = 0, psacwg = 0, psacwi = 0;                         ///< cloud to snow, graupel and ice
    real pracs = 0, npracs = 0, pracg = 0, npracg = 0;               ///< rain to snow and to graupel
    real psacr = 0;                                                  ///< snow that rain meets, to graupel
    real qmults = 0, qmultg = 0, qmultr = 0, qmultrg = 0, nmult = 0; ///< rime to ice
    real pgsacw = 0, nscng = 0, pgracs = 0, ngracs = 0;              ///< rimed snow to graupel
    real prci = 0, nprci = 0, prai = 0, nprai = 0;                   ///< ice to snow
    real piacr = 0, niacr = 0, praci = 0;                            ///< rain and ice that meet, to graupel
    real piacrs = 0, niacrs = 0, pracis = 0;                         ///< the same, to snow
    real mnuccd = 0, nnuccd = 0;                                     ///< vapour to new ice
    real prd = 0, prds = 0, prdg = 0;                                ///< vapour to ice, snow, graupel
    real eprd = 0, eprds = 0, eprdg = 0; ///< ice, snow, graupel to vapour; negative
    real pre = 0;                        ///< rain to vapour; negative
    real nsagg = 0, nragg = 0;           ///< flakes and drops that clump; negative
};

/// exp(0.66 (T0 - T)) - 1, the probability of freezing (Bigg 1953), bounded where all freezes.
inline real bigg(real cold) { return exponential(real(0.66) * std::min(cold, real(50))) - 1; }

/// Droplets freeze by contact with nuclei (Meyers et al. 1992) and as drops do by themselves, below -4
/// degrees.
inline void freeze(const Cloudy &c, Growth &g, real dt) {
    constexpr real nucleus = real(0.1e-6), boltzmann_share = real(2.0 / 3 * 1.38e-23 / 1e-7); // radius [m]
    const Point &x = c.x;
    const real cold = x.cold(), l = c.droplet_l, l3 = l * l * l, n = c.droplets / droplet_1;
    const bool freezes = cold > 4;
    const real nuclei = 1000 * exponential(real(0.262) * cold - real(2.8));
    const real free_path = real(7.37) * x.temperature / (2880 * x.pressure) / 100;
    const real wandering = boltzmann_share * x.temperature * (1 + free_path / nucleus) / c.air.viscosity;
    const real chance = bigg(cold);
    const real contact = pi * pi / 3 * rho_water * wandering * nuclei * n * droplet_5 * l3 * l;
    const real immersion = pi * pi / 36 * rho_water * 100 * n * droplet_7 * (l3 * l3) * chance;
    const real touched = 2 * pi * wandering * nuclei * n * droplet_2 * l;
    const real frozen = pi / 6 * 100 * n * droplet_4 * l3 * chance;
    const bool droplets = freezes & (x.cloud >= q_least), drops = freezes & (x.rain >= q_least);
    g.mnuccc = when(droplets, (contact + immersion) * dt);
    g.nnuccc = when(droplets, std::min((touched + frozen) * dt, c.droplets));
    const real r3 = c.rain.l * c.rain.l * c.rain.l;
    g.mnuccr = when(drops, 20 * pi * pi * rho_water * 100 * x.rain_number * chance * r3 * r3 * dt);
    g.nnuccr = when(drops, std::min(pi * x.rain_number * 100 * chance * r3 * dt, x.rain_number));
}

/// Falling particles collect droplets, drops and crystals; crystals of more than 100 micrometres collect
/// droplets.
inline void collect(const Cloudy &c, Growth &g, real dt) {
    constexpr real sticks = real(0.7), sticks_to_ice = real(0.1), much = real(1e-4);
    const Point &x = c.x;
    const real rho = x.density;
    const bool cloudy = x.cloud >= q_least, wet = x.rain >= q_few, snowy = x.snow >= q_few,
               stony = x.graupel >= q_few;
    const real by_snow = swept(snow, c.snow, rho) * dt;
    g.psacws = when(snowy & cloudy, sticks * by_snow * x.cloud);
    g.psacwg = when(stony & cloudy, sticks * swept(c.dense, c.stones, rho) * dt * x.cloud);
    g.psacwi = when((x.ice >= q_few) & cloudy & (c.ice.l >= real(100e-6)),
                    sticks * swept(ice, c.ice, rho) * dt * x.cloud);
    g.prai = when(snowy & (x.ice >= q_least), sticks_to_ice * by_snow * x.ice);
    g.nprai =
        when(snowy & (x.ice >= q_least), std::min(sticks_to_ice * by_snow * x.ice_number, x.ice_number));

    const real apart = of_approach(c.rain, c.snow);
    const real pracs = collided(rain, c.rain, c.snow, apart, rho) * dt;
    g.pracs = when(wet & snowy, std::min(pracs, x.rain));
    g.npracs = when(wet & snowy, meetings(c.rain, c.snow, rho) * dt);
    g.psacr = when((x.rain >= much) & (x.snow >= much), collided(snow, c.snow, c.rain, apart, rho) * dt);
    const real pracg = collided(rain, c.rain, c.stones, of_approach(c.rain, c.stones), rho) * dt;
    g.pracg = when(wet & stony, std::min(pracg, x.rain));
    g.npracg = when(wet & stony, meetings(c.rain, c.stones, rho) * dt);

    constexpr real gamma_6_8 = real(496.60608);
    const real l = c.rain.l, volume = c.rain.n0 * c.rain.a * l * l * l * c.rain.lb * rho * dt;
    const bool meet = wet & (x.ice >= q_few), to_stones = x.rain >= much;
    const real ice_met = pi / 4 * rain.gamma_3 * x.ice * volume;
    const real rain_met = pi * pi / 24 * rho_water * gamma_6_8 * x.ice_number * volume * l * l * l;
    const real number =
        std::min(std::min(pi / 4 * rain.gamma_3 * x.ice_number * volume, x.rain_number), x.ice_number);
    g.praci = when(meet & to_stones, ice_met), g.pracis = when(meet & !to_stones, ice_met);
    g.piacr = when(meet & to_stones, rain_met), g.piacrs = when(meet & !to_stones, rain_met);
    g.niacr = when(meet & to_stones, number), g.niacrs = when(meet & !to_stones, number);
}

/// Rime splinters between -8 and -3 degrees (Hallett and Mossop 1974), where there is much of it.
inline void splinter_rime(const Cloudy &c, Growth &g) {
    constexpr real much = real(1e-4);
    const Point &x = c.x;
    const real t = x.temperature;
    const real many = std::max(std::min((real(270.16) - t) / 2, (t - real(265.16)) / 3), real(0));
    const bool rimes = (x.cloud >= real(5e-4)) | (x.rain >= much);
    const auto shatter = [&](bool there, real &rime) {
        const real number = when(there & rimes, real(35e7) * rime * many);
        const real mass = std::min(number * splinter, rime);
        rime -= mass;
        g.nmult += number;
        return mass;
    };
    g.qmults = shatter(x.snow >= much, g.psacws);
    g.qmultr = shatter(x.snow >= much, g.pracs);
    g.qmultg = shatter(x.graupel >= much, g.psacwg);
    g.qmultrg = shatter(x.graupel >= much, g.pracg);
}

/// Rimed snow becomes graupel (R98): by droplets, and by drops as far as these are heavier than flakes.
inline void rime_to_graupel(const Cloudy &c, Growth &g, real dt) {
    constexpr real much = real(1e-4);
    const Point &x = c.x;
    const real lighter = c.dense.density - snow.density;
    constexpr real gamma_2_82 = real(1.7050581); // Gamma(2 b + 2) of snow
    const real share = 3 * rho0 * pi * real(0.7) * real(0.7) * gamma_2_82 / lighter * dt * dt;
    const real converted = share * c.snow.n0 * x.cloud * x.cloud * c.snow.a * c.snow.a / x.density *
                           (c.snow.l * c.snow.lb) * (c.snow.l * c.snow.lb);
    const bool rimed = (x.snow >= much) & (x.cloud >= real(5e-4));
    g.pgsacw = when(rimed, std::min(g.psacws, converted));
    const real embryos = snow.density / lighter * g.pgsacw;
    g.nscng = std::min(embryos / graupel_embryo * x.density, x.snow_number);
    g.psacws -= g.pgsacw;

    const real ratio = snow.density / rho_water, r = c.snow.l / c.rain.l, r3 = r * r * r;
    const real weight = ratio * ratio * r3 * r3, stays = weight / (weight + 1);
    const bool hit = (x.snow >= much) & (x.rain >= much);
    g.pgracs = when(hit, (1 - stays) * g.pracs);
    g.ngracs = when(hit, std::min(std::min((1 - stays) * g.npracs, x.rain_number), x.snow_number));
    g.pracs -= g.pgracs;
    g.npracs -= g.ngracs;
    g.psacr *= hit ? 1 - stays : real(1);
}

/// Crystals grow into snow (Harrington et al. 1995); flakes clump (Passarelli 1978); crystals form (Cooper
/// 1986, where Thompson et al. 2004 have it).
inline void convert(const Cloudy &c, Growth &g, real dt) {
    const Point &x = c.x;
    const real rho = x.density, qi = c.air.saturation.ice;
    const NewRain made = new_rain(x, c.droplets, dt);
    g.prc = made.itself, g.pra = made.collected, g.nprc = made.number;
    g.nragg = rain_number_change(x, c.rain, dt);
    const bool grows = (x.ice >= q_few) & (x.vapour >= qi);
    const real out = 4 / (embryo * ice.density) * (x.vapour - qi) * rho * c.ice.n0 *
                     exponential(-embryo / c.ice.l) * c.air.diffusivity / c.air.ice * dt;
    g.prci = when(grows, pi * ice.density * embryo * embryo * embryo / 6 * out);
    g.nprci = when(grows, std::min(out, x.ice_number));
    constexpr real clumping = real(-0.0011919373); // -1108 0.1 pi^((1 - b) / 3) 100^((-2 - b) / 3) / (4 720)
    g.nsagg = when(x.snow >= q_few, clumping * c.snow.a * power(rho * x.snow, real(2.41 / 3)) *
                                        power(x.snow_number * rho, real(3.59 / 3)) / rho * dt);
    const bool nucleates =
        ((x.vapour >= real(0.999) * c.air.saturation.water) & (x.temperature <= real(265.15))) |
        (x.vapour >= real(1.08) * qi);
    const real nuclei =
        std::min(5 * exponential(real(0.304) * std::min(x.cold(), real(60))), real(500e3)) / rho;
    const real missing = std::max(nuclei - x.ice_number - x.snow_number - x.graupel_number, real(0));
    g.nnuccd = when(nucleates, missing);
    g.mnuccd = g.nnuccd * crystal;
}

/// Vapour to and from particles: at most as much as saturates the air.
inline void exchange_vapour(const Cloudy &c, Growth &g, real dt) {
    const Point &x = c.x;
    const real excess = x.vapour - c.air.saturation.ice,
               rate = x.density * c.air.diffusivity * excess / c.air.ice * dt;
    const auto passed = [&](const Kind &kind, const Particles &p) {
        return ventilated(kind, p, c.air, x.density) * rate;
    };
    const real to_ice = passed(ice, c.ice), lambda = embryo / c.ice.l;
    const real small = 1 - exponential(-lambda) * (1 + lambda); // share of crystals that are not snow yet
    const bool snowy = x.snow >= q_least;
    const real of_large = (1 - small) * to_ice;
    real prd = small * to_ice + when(!snowy, of_large);
    real prds = when(snowy, passed(snow, c.snow) + of_large);
    real prdg = passed(c.dense, c.stones);
    g.pre = rain_evaporated(x, c.rain, c.air, dt);
    const real sum = prd + prds + g.mnuccd + prdg, most = real(0.9999) * excess;
    const bool beyond = ((excess > 0) & (sum > most)) | ((excess < 0) & (sum < most));
    const real factor = beyond ? most / sum : real(1);
    prd *= factor, prds *= factor, prdg *= factor, g.mnuccd *= factor;
    g.prd = std::max(prd, real(0)), g.eprd = std::min(prd, real(0));
    g.prds = std::max(prds, real(0)), g.eprds = std::min(prds, real(0));
    g.prdg = std::max(prdg, real(0)), g.eprdg = std::min(prdg, real(0));
}

template <class... Amounts> inline void cut(real factor, Amounts &...amounts) { ((amounts *= factor), ...); }

/// No species loses more than it has and gains.
inline void bound(const Point &x, Growth &g) {
    const real of_cloud =
        g.prc + g.pra + g.mnuccc + g.psacws + g.psacwi + g.qmults + g.psacwg + g.pgsacw + g.qmultg;
    cut(bound(of_cloud, 0, x.cloud), g.prc, g.pra, g.mnuccc, g.psacws, g.psacwi, g.qmults, g.qmultg, g.psacwg,
        g.pgsacw);
    const real to_ice = g.prd + g.mnuccc + g.qmults + g.qmultg + g.qmultr + g.qmultrg + g.mnuccd + g.psacwi;
    cut(bound(g.prci + g.prai + g.praci + g.pracis - g.eprd, to_ice, x.ice), g.prci, g.prai, g.praci,
        g.pracis, g.eprd);
    const real of_rain =
        g.qmultr + g.qmultrg + g.pracs + g.mnuccr + g.piacr + g.piacrs + g.pgracs + g.pracg - g.pre;
    cut(bound(of_rain, g.prc + g.pra, x.rain), g.pre, g.pracs, g.qmultr, g.qmultrg, g.mnuccr, g.piacr,
        g.piacrs, g.pgracs, g.pracg);
    const real to_snow = g.prds + g.psacws + g.prai + g.prci + g.pracs + g.piacrs + g.pracis;
    cut(bound(g.psacr - g.eprds, to_snow, x.snow), g.eprds, g.psacr);
    const real to_stones =
        g.psacwg + g.pracg + g.pgsacw + g.pgracs + g.prdg + g.mnuccr + g.piacr + g.praci + g.psacr;
    cut(bound(-g.eprdg, to_stones, x.graupel), g.eprdg);
}

inline Change change_of(const Point &x, const Growth &g) {
    Change c;
    const real deposited = g.prd + g.prds + g.mnuccd + g.eprd + g.eprds + g.prdg + g.eprdg;
    const real rimed = g.psacws + g.psacwi + g.qmults + g.qmultg + g.psacwg + g.pgsacw + g.mnuccc;
    const real rain_frozen =
        g.pracs + g.mnuccr + g.qmultr + g.qmultrg + g.piacr + g.piacrs + g.pracg + g.pgracs;
    c.vapour = -(g.pre + deposited);
    c.heat = g.pre * x.l_v + deposited * x.l_s() + (rimed + rain_frozen) * l_f;
    c.cloud = -(g.pra + g.prc + rimed);
    c.rain = g.pre + g.pra + g.prc - rain_frozen;
    c.ice = g.prd + g.eprd + g.psacwi + g.mnuccc + g.qmults + g.qmultg + g.qmultr + g.qmultrg + g.mnuccd -
            g.prci - g.prai - g.praci - g.pracis;
    c.snow = g.prai + g.psacws + g.prds + g.pracs + g.prci + g.eprds - g.psacr + g.piacrs + g.pracis;
    c.graupel =
        g.pracg + g.psacwg + g.pgsacw + g.pgracs + g.prdg + g.eprdg + g.mnuccr + g.piacr + g.praci + g.psacr;
    c.ice_number = g.nnuccc - g.nprci - g.nprai + g.nmult + g.nnuccd - g.niacr - g.niacrs +
                   number_with(g.eprd, x.ice, x.ice_number);
    c.rain_number = g.nprc - g.npracs - g.nnuccr + g.nragg - g.niacr - g.niacrs - g.npracg - g.ngracs +
                    number_with(g.pre, x.rain, x.rain_number);
    c.snow_number =
        g.nsagg + g.nprci - g.nscng - g.ngracs + g.niacrs + number_with(g.eprds, x.snow, x.snow_number);
    c.graupel_number =
        g.nscng + g.ngracs + g.nnuccr + g.niacr + number_with(g.eprdg, x.graupel, x.graupel_number);
    return c;
}

/// Whether its crystals are so large that they are snow is told by `large`.
template <class Dense>
inline void grow_cold(Point &x, Saturation qs, real thinness, Dense dense, bool &large, real dt) {
    real droplets = droplets_m3 / x.density;
    const real l = droplet_length(x, droplets);
    const Particles drops = particles(rain, x.rain, x.rain_number, thinness),
                    flakes = particles(snow, x.snow, x.snow_number, thinness),
                    crystals = particles(ice, x.ice, x.ice_number, thinness_for(ice, x.density)),
                    stones = particles(dense.kind, x.graupel, x.graupel_number, thinness);
    const Cloudy c{x, transfer_of(x, qs), droplets, l, drops, flakes, crystals, stones, dense.kind};
    Growth g;
    freeze(c, g, dt);
    collect(c, g, dt);
    convert(c, g, dt);
    splinter_rime(c, g);
    rime_to_graupel(c, g, dt);
    exchange_vapour(c, g, dt);
    morrison::bound(x, g);
    large = (x.ice >= q_least) & (crystals.l >= 2 * embryo);
    change_of(x, g).apply(x);
    condense(x);
}

} // namespace squall::morrison
