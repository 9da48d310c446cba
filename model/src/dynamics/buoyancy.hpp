/// Vertical pressure gradient and buoyancy (Skamarock et al. 2019, eq. 2.38, departures from the
/// hydrostatic base state).
#pragma once

#include <algorithm>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "dynamics/grid_view.hpp"

namespace squall {

/// tend += g (dp/d_eta - c1 mu') / m_y on interfaces 1 to nz; at the top p' = 0.
inline void add_buoyancy(Range range, const GridView &g, ConstField3 p, ConstField2 mu, Field3 tend) {
    const int top = g.nz;
    for_each_row(range.with_k(range.k0, std::min(range.k1, top)), [=, &g](int k, int j) {
        return [t = tend.row(k, j), above = p.row(k, j), below = p.row(k - 1, j), mu = mu.row(j),
                m = g.msfty.row(j), rdn = g.rdn[k], c1 = g.c1f[k]](int i) {
            t[i] += constants::g / m[i] * (rdn * (above[i] - below[i]) - c1 * mu[i]);
        };
    });
    if (range.k1 <= top) return;
    for_each_row(range.with_k(top, top + 1), [=, &g](int k, int j) {
        return [t = tend.row(k, j), below = p.row(k - 1, j), mu = mu.row(j), m = g.msfty.row(j),
                rdnw = g.rdnw[k - 1],
                c1 = g.c1f[k]](int i) { t[i] += constants::g / m[i] * (-2 * rdnw * below[i] - c1 * mu[i]); };
    });
}

} // namespace squall
