/// What species give each other in a step, bounded by what there is of them.
///
/// One species after the other: where it would lose more than it has, all processes that change it are
/// cut by the same factor, gains included. A later cut only leaves more of an earlier species; so nothing
/// becomes negative, and no water is made or lost.
#pragma once

#include "physics/wsm6/growth.hpp"

namespace squall::wsm6 {

/// Whether collisions of rain with ice make snow, and of rain with snow.
struct Product {
    bool ice_is_snow, snow_is_snow;
};

inline Product product_of(const Point &x) {
    constexpr real few = real(1e-4); // [kg kg-1]
    const bool little_rain = x.rain < few, little_snow = x.snow < few;
    return {little_rain, little_rain && little_snow};
}

inline real share(real lost, real there) { return lost > there ? there / lost : real(1); }

template <class... Amounts> inline void cut(real factor, Amounts &...amounts) { ((amounts *= factor), ...); }

inline real when(bool condition, real amount) { return condition ? amount : real(0); }

/// Bounds what happens in freezing air.
inline void bound_cold(const Point &x, Product p, Growth &g) {
    cut(share(g.praut_pracw + 2 * g.paacw, x.cloud), g.praut_pracw, g.paacw);
    cut(share(g.psaut - g.pidep_pigen + g.praci + g.psaci + g.pgaci, x.ice), g.psaut, g.pidep_pigen, g.praci,
        g.psaci, g.pgaci);
    cut(share(g.piacr + g.psacr + g.pgacr - g.praut_pracw - g.prevp, x.rain), g.praut_pracw, g.prevp, g.piacr,
        g.psacr, g.pgacr);
    const real snow = g.psdep + g.psaut - g.pgaut + g.paacw + when(p.ice_is_snow, g.piacr + g.praci) -
                      when(!p.snow_is_snow, g.pracs) + when(p.snow_is_snow, g.psacr) + g.psaci;
    cut(share(-snow, x.snow), g.psdep, g.psaut, g.pgaut, g.paacw, g.piacr, g.praci, g.psaci, g.pracs,
        g.psacr);
    const real graupel = g.pgdep + g.pgaut + when(!p.ice_is_snow, g.piacr + g.praci) +
                         when(!p.snow_is_snow, g.psacr + g.pracs) + g.pgaci + g.paacw + g.pgacr;
    cut(share(-graupel, x.graupel), g.pgdep, g.pgaut, g.piacr, g.praci, g.psacr, g.pracs, g.paacw, g.pgaci,
        g.pgacr);
}

/// Bounds what happens above the melting point.
inline void bound_warm(const Point &x, Growth &g) {
    cut(share(g.praut_pracw + 2 * g.paacw, x.cloud), g.praut_pracw, g.paacw);
    cut(share(g.pseml + g.pgeml - g.praut_pracw - 2 * g.paacw - g.prevp, x.rain), g.praut_pracw, g.prevp,
        g.paacw, g.pseml, g.pgeml);
    cut(share(-g.pseml - g.psevp, x.snow), g.psevp, g.pseml);
    cut(share(-g.pgeml - g.pgevp, x.graupel), g.pgevp, g.pgeml);
}

inline real left(real there, real change) { return std::max(there + change, real(0)); }

/// Carries out what happens in freezing air, with its heat.
inline void apply_cold(Point &x, Product p, const Growth &g) {
    x.vapour -= g.prevp + g.psdep + g.pgdep + g.pidep_pigen;
    x.cloud = left(x.cloud, -(g.praut_pracw + 2 * g.paacw));
    x.rain = left(x.rain, g.praut_pracw + g.prevp - g.piacr - g.pgacr - g.psacr);
    x.ice = left(x.ice, g.pidep_pigen - (g.psaut + g.praci + g.psaci + g.pgaci));
    x.snow = left(x.snow, g.psdep + g.psaut + g.paacw - g.pgaut + when(p.ice_is_snow, g.piacr + g.praci) +
                              g.psaci - when(!p.snow_is_snow, g.pracs) + when(p.snow_is_snow, g.psacr));
    x.graupel = left(x.graupel, g.pgdep + g.pgaut + when(!p.ice_is_snow, g.piacr + g.praci) +
                                    when(!p.snow_is_snow, g.psacr + g.pracs) + g.pgaci + g.paacw + g.pgacr);
    x.warm_by(l_s * (g.psdep + g.pgdep + g.pidep_pigen) + x.l_v * g.prevp +
              x.l_f() * (g.piacr + 2 * g.paacw + g.pgacr + g.psacr));
}

/// Carries out what happens above the melting point, with its heat; `drying`: that of what evaporates
/// while it melts [J kg-1].
inline void apply_warm(Point &x, const Growth &g, real drying) {
    x.vapour -= g.prevp + g.psevp + g.pgevp;
    x.cloud = left(x.cloud, -(g.praut_pracw + 2 * g.paacw));
    x.rain = left(x.rain, g.praut_pracw + g.prevp + 2 * g.paacw - g.pseml - g.pgeml);
    x.snow = left(x.snow, g.psevp + g.pseml);
    x.graupel = left(x.graupel, g.pgevp + g.pgeml);
    x.warm_by(x.l_v * g.prevp + drying * (g.psevp + g.pgevp) + x.l_f() * (g.pseml + g.pgeml));
}

inline void exchange(Point &x, const Growth &g, real drying) {
    Growth cold = g, warm = g;
    Point freezing = x, thawing = x;
    const Product p = product_of(x);
    bound_cold(x, p, cold);
    apply_cold(freezing, p, cold);
    bound_warm(x, warm);
    apply_warm(thawing, warm, drying);
    // One by one: a choice between whole points keeps compilers from vectors.
    const bool is_cold = x.temperature <= t0;
    for (const auto field : {&Point::temperature, &Point::vapour, &Point::cloud, &Point::rain, &Point::ice,
                             &Point::snow, &Point::graupel})
        x.*field = is_cold ? freezing.*field : thawing.*field;
}

} // namespace squall::wsm6
