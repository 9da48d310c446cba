/// Melting, freezing, activation and condensation with numbers: what temperature and saturation alone make of
/// water. Names in brackets are those of LH10.
#pragma once

#include "physics/wdm/cold.hpp"
#include "physics/wsm6/phase.hpp"

namespace squall::wdm {

/// [psmlt, nsmlt] Melting of snow into rain, of which `part` is carried out; its drops all the same.
inline void melt_counted_snow(Point &x, const Particles &snow, real colder, real fusion, real dt, real part) {
    const real surface = pi / 2 * ventilated_snow(snow, colder, transfer_of(x).ventilation);
    const real before = x.snow;
    const real melted = melt_into_rain(x, &Point::snow, surface, x.temperature > t0, fusion, dt, part);
    x.drops += drops_of_molten(snow, snow_n0 * colder, before, melted / part);
}

/// [psmlt, nsmlt, pgmlt, ngmlt] Melting of snow and graupel into rain.
inline void melt_counted(Point &x, const Particles &snow, real colder, const Particles &graupel, real fusion,
                         real dt) {
    const bool warm = x.temperature > t0;
    const real ventilation = transfer_of(x).ventilation, snow_before = x.snow, graupel_before = x.graupel;
    const real of_snow = melt_into_rain(x, &Point::snow, pi / 2 * ventilated_snow(snow, colder, ventilation),
                                        warm, fusion, dt);
    const real of_graupel =
        melt_into_rain(x, &Point::graupel, ventilated_graupel(graupel, ventilation), warm, fusion, dt);
    x.drops += drops_of_molten(snow, snow_n0 * colder, snow_before, of_snow) +
               drops_of_molten(graupel, graupel_n0, graupel_before, of_graupel);
}

/// [pimlt, nimlt, pihmf, nihmf] Above the melting point all ice melts, to as many droplets; 40 K below it all
/// cloud freezes. [pihtf, nihtf, pgfrz, ngfrz] Between, cloud and rain do by chance (Bigg 1953; LH10
/// equations A16 and A26); rain to `become`.
inline void freeze_counted(Point &x, const Droplets &cloud, const Drops &rain, real Point::*become,
                           real fusion, real dt) {
    constexpr real coldest_drops = 40; // [K] below freezing
    const real cold = x.cold();
    const real thawed = cold < 0 ? x.ice : real(0);
    x.droplets += thawed > 0 ? ice_of(x.ice, x.density).number : real(0);
    x.ice -= thawed;
    x.cloud += thawed;
    x.warm_by(-fusion * thawed);

    const bool all = (cold > coldest_drops) & (x.cloud > 0);
    const real chance = cold > 0 ? 100 * bigg(cold) * dt : real(0);
    const real by_chance = pi * pi / 18 * chance * rho_water / x.density * x.droplets * cloud.l3 * cloud.l3;
    const real frozen = all ? x.cloud : std::min(by_chance, x.cloud);
    const real fewer = std::min(pi / 6 * chance * x.droplets * cloud.l3, x.droplets);
    x.droplets -= all ? x.droplets : x.cloud > q_trace && x.droplets > few_droplets ? fewer : real(0);
    x.cloud -= frozen;
    x.ice += frozen;
    x.warm_by(x.l_f() * frozen);

    const real iced =
        std::min(140 * pi * pi * chance * x.drops * rho_water / x.density * rain.l3 * rain.l3, x.rain);
    const real lost = std::min(4 * pi * chance * x.drops * rain.l3, x.drops);
    x.drops -= x.rain > 0 && x.drops > few_drops ? lost : real(0);
    x.rain -= iced;
    x.*become += iced;
    x.warm_by(x.l_f() * iced);
}

/// Drops of a mean-volume `diameter` [m] less than that of those that autoconversion makes, 81.7 micrometres,
/// are droplets (LH10, equation A15). In WRF's form those are too, so that rain comes of ice alone.
template <bool as_wrf> inline void return_small_drops(Point &x, real diameter) {
    constexpr real widest = as_wrf ? real(82e-6) : real(81e-6);
    const bool small = diameter <= widest;
    x.droplets += small ? x.drops : real(0);
    x.cloud += small ? x.rain : real(0);
    x.drops = small ? real(0) : x.drops;
    x.rain = small ? real(0) : x.rain;
}

/// [ncact, pcact] Nuclei of which supersaturation makes droplets of 1.5 micrometres radius (Khairoutdinov and
/// Kogan 2000, MWR 128, 229-243, equations 12 and 14), all at 0.48 %.
inline void activate(Point &x) {
    constexpr real all_at = real(1.0048), exponent = real(0.6);
    constexpr real volume = real(4.0 / 3 * 3.14159265358979 * 1.5e-6 * 1.5e-6 * 1.5e-6);
    const real humidity = x.vapour / saturation(x.temperature, x.pressure).water;
    const real active = std::min(power(std::max(humidity, real(0.5)) / all_at, exponent), real(1));
    const real wanted = std::max((x.nuclei + x.droplets) * active - x.droplets, real(0));
    const real number = humidity > 1 ? std::min(wanted, x.nuclei) : real(0);
    const real amount = std::min(volume * rho_water * number / x.density, std::max(x.vapour, real(0)));
    x.vapour -= amount;
    x.cloud += amount;
    x.warm_by(x.l_v * amount);
    x.nuclei -= number;
    x.droplets += number;
}

/// [pcond, ncevp] As wsm6's; droplets that evaporate all leave their nuclei.
inline void condense_counted(Point &x) {
    condense(x);
    const real free = x.cloud > 0 ? real(0) : x.droplets;
    x.nuclei += free;
    x.droplets -= free;
}

} // namespace squall::wdm
