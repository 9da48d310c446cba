/// All that happens at a point in a step once precipitation has fallen.
#pragma once

#include "physics/wsm6/exchange.hpp"
#include "physics/wsm6/phase.hpp"

namespace squall::wsm6 {

/// Puts vapour in the place of water that transport left negative, with its latent heat.
inline void fill_up(Point &x) {
    const auto fill = [&x](real &q, real latent_heat) {
        const real debt = std::max(-q, real(0));
        x.vapour -= debt;
        x.warm_by(latent_heat * debt);
        q += debt;
    };
    fill(x.cloud, x.l_v);
    fill(x.rain, x.l_v);
    fill(x.ice, l_s);
    fill(x.snow, l_s);
    fill(x.graupel, l_s);
    x.vapour = std::max(x.vapour, real(0));
}

/// The end of a step: condensation; a trace of cloud is none.
inline void settle(Point &x) {
    condense(x);
    x.cloud = x.cloud > q_trace ? x.cloud : real(0);
    x.ice = x.ice > q_trace ? x.ice : real(0);
}

/// Melting, freezing, growth and condensation, in this order.
template <bool as_wrf> inline void react(Point &x, real dt) {
    const Saturation before = saturation(x.temperature, x.pressure);
    const real thinness = x.thinness(), fusion = as_wrf ? l_f0 : x.l_f(), drying = as_wrf ? x.l_v : l_s;
    const real colder = colder_snow(x.temperature);
    const Particles fallen = rain_of(x.rain, x.density, thinness);
    melt(x, snow_of(x.snow, x.density, thinness, colder), colder, graupel_of(x.graupel, x.density, thinness),
         fusion, dt);
    freeze(x, fallen, &Point::graupel, fusion, dt);

    const real colder_now = colder_snow(x.temperature);
    const Cloudy c{x,
                   before,
                   rain_of(x.rain, x.density, thinness),
                   snow_of(x.snow, x.density, thinness, colder_now),
                   graupel_of(x.graupel, x.density, thinness),
                   ice_of(x.ice, x.density),
                   colder_now};
    Growth growth;
    collect(c, growth, dt);
    convert(c, growth, dt);
    exchange_vapour(c, growth, drying, dt);
    exchange(x, growth, drying);
    settle(x);
}

/// Why little of a species is too little to collect: what freezes or melts may double it.
inline constexpr real little = q_least / 2;

/// react() where it is so cold that nothing melts, whatever heat is set free, and there is little rain.
/// `precipitating`: there is more than little snow or graupel.
template <bool precipitating> inline void react_frozen(Point &x, real dt) {
    const Saturation before = saturation(x.temperature, x.pressure);
    const real thinness = x.thinness();
    const Particles rain = rain_of<false>(x.rain, x.density, thinness);
    freeze(x, rain, &Point::graupel, l_f0, dt);

    const real colder = colder_snow(x.temperature);
    const Cloudy c{x,
                   before,
                   rain,
                   snow_of<precipitating>(x.snow, x.density, thinness, colder),
                   graupel_of<precipitating>(x.graupel, x.density, thinness),
                   ice_of(x.ice, x.density),
                   colder};
    Growth growth;
    growth.praut_pracw = autoconversion(x.cloud, dt);
    if constexpr (precipitating) {
        collect_ice(c, growth, frozen_speed(c), dt);
        growth.paacw = swept_by_frozen(c, x.cloud, q_trace, dt);
        convert(c, growth, dt);
    }
    growth.psaut = ice_to_snow(x);
    exchange_vapour(c, growth, l_s, dt);
    const Product product = product_of(x);
    bound_cold(x, product, growth);
    apply_cold(x, product, growth);
    settle(x);
}

/// react() above the melting point where there is nothing frozen.
inline void react_warm(Point &x, real dt) {
    const Saturation before = saturation(x.temperature, x.pressure);
    const Particles rain = rain_of(x.rain, x.density, x.thinness());
    const Transfer air = transfer_of(x);
    Growth growth;
    growth.praut_pracw = cloud_to_rain(x, rain, dt);
    growth.prevp =
        rain_from_vapour({x, before, rain, {}, {}, {}, 1}, air, ventilated_rain(rain, air.ventilation), dt);
    bound_warm(x, growth);
    apply_warm(x, growth, 0);
    settle(x);
}

/// react() by what there is at a point: the less, the fewer processes need a look. All kinds give the bits
/// of the first, at the points that kind_of() finds them for.
struct Reactions {
    enum Kind { any, frozen, crystals, warm, kinds };

    static Kind kind_of(const Point &x) {
        constexpr real margin = 1;         // [K]
        constexpr real water = real(2e-3); // which warms by less when it freezes [kg kg-1]
        const bool cold = (x.temperature <= t0 - margin) & (x.cloud + x.rain <= water) & (x.rain <= little);
        const bool nothing_falls = (x.snow <= little) & (x.graupel <= little);
        const bool thawed = (x.temperature > t0) & (x.ice + x.snow + x.graupel <= 0);
        return cold ? (nothing_falls ? crystals : frozen) : thawed ? warm : any;
    }

    template <bool as_wrf, Kind kind = any> static void at(Point &x, real dt) {
        if constexpr (kind == frozen)
            react_frozen<true>(x, dt);
        else if constexpr (kind == crystals)
            react_frozen<false>(x, dt);
        else if constexpr (kind == warm)
            react_warm(x, dt);
        else
            react<as_wrf>(x, dt);
    }
};

} // namespace squall::wsm6
