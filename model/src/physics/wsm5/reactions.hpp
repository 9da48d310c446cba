/// All that happens at a point in a step once precipitation has fallen.
#pragma once

#include "physics/wsm5/growth.hpp"
#include "physics/wsm6/phase.hpp"

namespace squall::wsm5 {

/// Melting, freezing, growth and condensation, in this order, at a point where precipitation has fallen.
template <bool as_wrf> inline void advance_point(Point &x, real dt) {
    const Saturation before = saturation(x.temperature, x.pressure);
    const real thinness = x.thinness(), fusion = as_wrf ? l_f0 : x.l_f(), drying = as_wrf ? x.l_v : l_s;
    const real colder = colder_snow(x.temperature);
    const Particles fallen = rain_of(x.rain, x.density, thinness);
    melt_snow(x, snow_of(x.snow, x.density, thinness, colder), colder, fusion, dt);
    freeze(x, fallen, &Point::snow, fusion, dt);

    const real colder_now = colder_snow(x.temperature);
    const Cloudy c{x,
                   before,
                   rain_of(x.rain, x.density, thinness),
                   snow_of(x.snow, x.density, thinness, colder_now),
                   {},
                   ice_of(x.ice, x.density),
                   colder_now};
    Growth growth;
    collect(c, growth, dt);
    exchange_vapour(c, growth, !as_wrf, drying, dt);
    exchange(x, growth, drying);
    condense(x);
    x.cloud = x.cloud > q_trace ? x.cloud : real(0);
    x.ice = x.ice > q_trace ? x.ice : real(0);
}

struct Reactions {
    enum Kind { any, kinds };
    static Kind kind_of(const Point &) { return any; }
    template <bool as_wrf, Kind = any> static void at(Point &x, real dt) { advance_point<as_wrf>(x, dt); }
};

} // namespace squall::wsm5
