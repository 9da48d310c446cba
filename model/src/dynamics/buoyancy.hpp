/// Vertical pressure gradient and buoyancy (Skamarock et al. 2019, eq. 2.38, departures from the
/// hydrostatic base state).
#pragma once

#include <algorithm>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "dynamics/moisture.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// tend += g (f dp'/d_eta - c1 mu' - (1 - f) (c1 mub + c2)) / m_y on interfaces 1 to nz, with f =
/// 1 / (1 + q) of `moisture` (moisture.hpp); at the top p' = 0 and f is that of the interface below.
inline void add_buoyancy(Range range, const GridView &g, ConstField3 p, ConstField2 mu, ConstField3 moisture,
                         Field3 tend) {
    const int top = g.nz;
    with_factor(moisture, [&](auto moist) {
        for_each_row(range.with_k(range.k0, std::min(range.k1, top)), [&](int k, int j) {
            return [t = tend.row(k, j), above = p.row(k, j), below = p.row(k - 1, j), mu = mu.row(j),
                    mub = g.mub.row(j), m = g.msfty.row(j), rdn = g.rdn[k], c1 = g.c1f[k], c2 = g.c2f[k],
                    moist = moist(k, j)](int i) {
                t[i] += constants::g / m[i] *
                        (moist(i) * (rdn * (above[i] - below[i])) - c1 * mu[i] -
                         (1 - moist(i)) * (c1 * mub[i] + c2));
            };
        });
        if (range.k1 <= top) return;
        for_each_row(range.with_k(top, top + 1), [&](int k, int j) {
            return [t = tend.row(k, j), below = p.row(k - 1, j), mu = mu.row(j), mub = g.mub.row(j),
                    m = g.msfty.row(j), rdnw = g.rdnw[k - 1], c1 = g.c1f[k], c2 = g.c2f[k],
                    moist = moist(k - 1, j)](int i) {
                t[i] +=
                    constants::g / m[i] *
                    (moist(i) * (-2 * rdnw * below[i]) - c1 * mu[i] - (1 - moist(i)) * (c1 * mub[i] + c2));
            };
        });
    });
}

} // namespace squall
