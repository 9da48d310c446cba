/// What species give each other in a step, bounded by what there is of them: one species after the other, all
/// that it loses is cut by the same factor.
#pragma once

#include "physics/lin/growth.hpp"
#include "physics/wsm6/exchange.hpp"

namespace squall::lin {

using wsm6::cut, wsm6::Product, wsm6::product_of, wsm6::share, wsm6::when;

/// Changes a point's species, and its temperature by the heat of what changes its phase.
struct Change {
    real vapour = 0, cloud = 0, rain = 0, ice = 0, snow = 0, graupel = 0; ///< gained [kg kg-1]

    void apply(Point &x) const {
        x.vapour += vapour, x.cloud += cloud, x.rain += rain;
        x.ice += ice, x.snow += snow, x.graupel += graupel;
        x.warm_by(l_f * (ice + snow + graupel) - l_v * vapour);
    }
};

/// Snow's and graupel's gains in freezing air.
inline real snow_gained(Product p, const Growth &g) {
    return g.pssub + g.psdep + g.psaut + g.psaci + g.psacw + g.psfw + g.psfi +
           when(p.ice_is_snow, g.praci + g.piacr) + when(p.snow_is_snow, g.psacr) -
           when(!p.snow_is_snow, g.pracs) - g.pgaut - when(g.dry, g.pgacs) - when(!g.dry, g.pgacsp);
}
inline real graupel_gained(Product p, const Growth &g) {
    return g.pgaut + g.pgfr + g.pgacw + g.pgsub + g.pgdep + when(g.dry, g.pgaci + g.pgacr + g.pgacs) +
           when(!g.dry, g.pgacrp + g.pgacip + g.pgacsp) + when(!p.snow_is_snow, g.psacr + g.pracs) +
           when(!p.ice_is_snow, g.praci + g.piacr);
}

/// Bounds what happens in freezing air.
inline void bound_cold(const Point &x, Product p, Growth &g) {
    cut(share(g.psdep + g.pgdep, x.vapour), g.psdep, g.pgdep);
    cut(share(g.praut + g.psacw + g.psfw + g.pracw + g.pgacw, x.cloud), g.praut, g.psacw, g.psfw, g.pracw,
        g.pgacw);
    cut(share(g.psaut + g.psaci + g.praci + g.psfi + when(g.dry, g.pgaci) + when(!g.dry, g.pgacip), x.ice),
        g.psaut, g.psaci, g.praci, g.psfi, g.pgaci, g.pgacip);
    cut(share(g.piacr + g.psacr - g.prevp - g.praut - g.pracw + g.pgfr + when(g.dry, g.pgacr) +
                  when(!g.dry, g.pgacrp),
              x.rain),
        g.piacr, g.psacr, g.prevp, g.pgfr, g.pgacr, g.pgacrp);
    cut(share(-snow_gained(p, g), x.snow), g.pssub, g.pracs, g.pgaut, g.pgacs, g.pgacsp);
    cut(share(-graupel_gained(p, g), x.graupel), g.pgsub);
}

/// What happens in freezing air.
inline Change freezing(const Point &x, Growth g) {
    const Product p = product_of(x);
    bound_cold(x, p, g);
    return {.vapour = -(g.pssub + g.psdep + g.prevp + g.pgsub + g.pgdep),
            .cloud = -(g.praut + g.pracw + g.psacw + g.psfw + g.pgacw),
            .rain = g.prevp + g.praut + g.pracw - g.piacr - g.psacr - g.pgfr - when(g.dry, g.pgacr) -
                    when(!g.dry, g.pgacrp),
            .ice = -(g.psaut + g.psfi + g.psaci + g.praci + when(g.dry, g.pgaci) + when(!g.dry, g.pgacip)),
            .snow = snow_gained(p, g),
            .graupel = graupel_gained(p, g)};
}

/// What happens above the melting point.
inline Change thawing(const Point &x, Growth g) {
    cut(share(g.praut + g.psacw + g.pracw + g.pgacw, x.cloud), g.praut, g.psacw, g.pracw, g.pgacw);
    cut(share(g.pgacs - g.psmlt - g.psmltevp, x.snow), g.psmlt, g.psmltevp, g.pgacs);
    cut(share(-g.pgmlt - g.pgacs - g.pgmltevp, x.graupel), g.pgmlt, g.pgmltevp);
    const real collected = g.praut + g.pracw + g.psacw + g.pgacw, molten = -(g.psmlt + g.pgmlt);
    cut(share(-g.prevp - collected - molten, x.rain), g.prevp);
    return {.vapour = -(g.psmltevp + g.prevp + g.pgmltevp),
            .cloud = -collected,
            .rain = g.prevp + collected + molten,
            .snow = g.psmlt + g.psmltevp - g.pgacs,
            .graupel = g.pgmlt + g.pgmltevp + g.pgacs};
}

/// Carries it out. What comes out negative by rounding, or by water that graupel sheds, is filled from
/// vapour.
inline void exchange(Point &x, const Growth &g) {
    const Change cold = freezing(x, g), warm = thawing(x, g);
    Change made;
    // One by one: a choice between whole points keeps compilers from vectors.
    const bool is_cold = x.temperature < t0;
    for (const auto gained :
         {&Change::vapour, &Change::cloud, &Change::rain, &Change::ice, &Change::snow, &Change::graupel})
        made.*gained = is_cold ? cold.*gained : warm.*gained;
    made.apply(x);
    wsm6::fill_up(x);
}

} // namespace squall::lin
