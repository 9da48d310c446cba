/// All that happens at a point in a step once precipitation has fallen.
#pragma once

#include "physics/wdm/phase.hpp"
#include "physics/wsm5/growth.hpp"
#include "physics/wsm6/exchange.hpp"

namespace squall::wdm {

/// What a column tells its points.
struct Setting {
    real typical_droplets; ///< see autoconversion_by_content() [m-3]
    real melting_part;     ///< how much is carried out of what melts
};

/// As LH10 equation A14: when all rain evaporates its drops leave their nuclei.
inline void free_nuclei_of_rain(Point &x, real prevp) {
    const real free = (x.rain > 0) & (prevp == -x.rain) ? x.drops : real(0);
    x.nuclei += free;
    x.drops -= free;
}

inline Counted counted(const Point &x, const Saturation &before, real thinness) {
    const real colder = colder_snow(x.temperature);
    const Drops rain = drops_of(x.rain, x.density, x.drops, thinness);
    return {x,
            droplets_of(x.cloud, x.density, x.droplets),
            rain,
            {x, before, rain, snow_of(x.snow, x.density, thinness, colder),
             graupel_of(x.graupel, x.density, thinness), ice_of(x.ice, x.density), colder}};
}

/// With graupel: ice as in wsm6.
struct SixClasses {
    static constexpr bool with_graupel = true;
    static constexpr real Point::*frozen_rain = &Point::graupel;
    using Growth = wsm6::Growth;

    static void melt(Point &x, const Particles &snow, real colder, real fusion, real dt, real) {
        melt_counted(x, snow, colder, graupel_of(x.graupel, x.density, x.thinness()), fusion, dt);
    }

    static real autoconversion(const Counted &c, const Setting &s, real dt) {
        return autoconversion_by_content(c, s.typical_droplets, dt);
    }

    template <bool as_wrf>
    static void grow(Point &x, const Counted &c, const Transfer &air, Growth &g, Numbers &n, real dt) {
        const real falling = frozen_speed(c.others), drying = as_wrf ? x.l_v : l_s;
        meet_ice(c, g, n, dt);
        collect_ice(c.others, g, falling, dt);
        g.paacw = swept_by_frozen(c.others, x.cloud, q_trace, dt);
        n.nsacw = 2 * swept_by_frozen(c.others, x.droplets, few_droplets, dt);
        meet_frozen(c, g, n, falling, dt);
        convert(c.others, g, dt);
        exchange_vapour_of_ice(c.others, air, g, drying, dt);
        n.molten = drops_of_molten(c.others.snow, snow_n0 * c.others.colder, x.snow, -g.pseml) +
                   drops_of_molten(c.others.graupel, graupel_n0, x.graupel, -g.pgeml);
        exchange_numbers(x, n);
        wsm6::exchange(x, g, drying);
    }
};

/// Without: ice as in wsm5. As in WRF, snow that collects cloud above the melting point gives drops without
/// water.
struct FiveClasses {
    static constexpr bool with_graupel = false;
    static constexpr real Point::*frozen_rain = &Point::snow;
    using Growth = wsm5::Growth;

    static void melt(Point &x, const Particles &snow, real colder, real fusion, real dt, real part) {
        melt_counted_snow(x, snow, colder, fusion, dt, part);
    }

    static real autoconversion(const Counted &c, const Setting &, real dt) {
        return autoconversion_by_size(c, dt);
    }

    template <bool as_wrf>
    static void grow(Point &x, const Counted &c, const Transfer &air, Growth &g, Numbers &n, real dt) {
        const real drying = as_wrf ? x.l_v : l_s;
        wsm5::collect_ice(c.others, g, dt);
        g.psacw = wsm5::swept_by_snow(c.others, x.cloud, q_trace, dt);
        n.nsacw = wsm5::swept_by_snow(c.others, x.droplets, few_droplets, dt);
        Cloudy grows = c.others; // crystals are of any size in WRF when they do
        if constexpr (as_wrf) grows.ice = ice_of(x.ice, x.density, of_any_size);
        wsm5::exchange_vapour_of_ice(grows, air, g, !as_wrf, drying, dt);
        const real melted = std::min(std::max(c_liquid / l_f0 * -x.cold() * g.psacw, real(0)), x.snow);
        n.molten = drops_of_molten(c.others.snow, snow_n0 * c.others.colder, x.snow, melted);
        exchange_numbers(x, n);
        wsm5::exchange(x, g, drying);
    }
};

/// Melting, freezing, growth, activation and condensation, in this order.
template <class Classes, bool as_wrf> inline void react(Point &x, const Setting &s, real dt) {
    const Saturation before = saturation(x.temperature, x.pressure);
    const real thinness = x.thinness(), fusion = as_wrf ? l_f0 : x.l_f();
    const real colder = colder_snow(x.temperature);
    const Drops fallen = drops_of(x.rain, x.density, x.drops, thinness);
    const Droplets cloud = droplets_of(x.cloud, x.density, x.droplets);
    Classes::melt(x, snow_of(x.snow, x.density, thinness, colder), colder, fusion, dt, s.melting_part);
    freeze_counted(x, cloud, fallen, Classes::frozen_rain, fusion, dt);

    const Counted c = counted(x, before, thinness);
    const Transfer air = transfer_of(x);
    typename Classes::Growth g;
    Numbers n;
    g.praut_pracw = collect_liquid(c, Classes::autoconversion(c, s, dt), n, dt);
    const real prevp = rain_from_vapour(c.others, air, ventilated_drops(c, air.ventilation), dt);
    g.prevp = as_wrf || x.drops > 0 ? prevp : real(0); // WRF lets half the excess go to rain without drops
    free_nuclei_of_rain(x, g.prevp);
    Classes::template grow<as_wrf>(x, c, air, g, n, dt);
    // WRF without graupel goes by the drops there were
    const Drops grown = drops_of(x.rain, x.density, x.drops, thinness);
    return_small_drops<as_wrf>(x, as_wrf && !Classes::with_graupel ? c.rain.diameter() : grown.diameter());
    activate(x);
    condense_counted(x);
    x.cloud = x.cloud > q_trace ? x.cloud : real(0);
    x.ice = x.ice > q_trace ? x.ice : real(0);
    bound_numbers(x);
}

} // namespace squall::wdm
