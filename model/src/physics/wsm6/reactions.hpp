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
    condense(x);
    x.cloud = x.cloud > q_trace ? x.cloud : real(0);
    x.ice = x.ice > q_trace ? x.ice : real(0);
}

struct Reactions {
    template <bool as_wrf> static void at(Point &x, real dt) { react<as_wrf>(x, dt); }
};

} // namespace squall::wsm6
