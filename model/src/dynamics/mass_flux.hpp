/// Column mass on faces, mass fluxes, and the eta velocity from continuity.
#pragma once

#include "core/loop.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// Full column mass on west and south faces, the mean of the two cells, on `range` (k unused);
/// range.i0 - 1 and range.j0 - 1 are read.
inline void face_column_mass(Range range, const GridView &g, ConstField2 mu, Field2 muu, Field2 muv) {
    const ConstField2 mub = g.mub;
    for_each_column(range, [=](int i, int j) {
        const real here = mub(i, j) + mu(i, j);
        muu(i, j) = real(0.5) * (here + (mub(i - 1, j) + mu(i - 1, j)));
        muv(i, j) = real(0.5) * (here + (mub(i, j - 1) + mu(i, j - 1)));
    });
}

/// ru = mu_u u / m_y and rv = mu_v v / m_x on `range`.
inline void couple_momentum(Range range, const GridView &g, ConstField3 u, ConstField3 v, ConstField2 muu,
                            ConstField2 muv, Field3 ru, Field3 rv) {
    for_each_row(range, [=, &g](int k, int j) {
        return
            [u = u.row(k, j), v = v.row(k, j), ru = ru.row(k, j), rv = rv.row(k, j), mu = muu.row(j),
             mv = muv.row(j), my = g.msfuy.row(j), mx = g.msfvx.row(j), c1 = g.c1h[k], c2 = g.c2h[k]](int i) {
                ru[i] = u[i] * (c1 * mu[i] + c2) / my[i];
                rv[i] = v[i] * (c1 * mv[i] + c2) / mx[i];
            };
    });
}

/// The horizontal divergence of mass fluxes in layer k, times m_x: a function of i.
inline auto flux_divergence(const GridView &g, ConstField3 ru, ConstField3 rv, int k, int j) {
    return [u = ru.row(k, j), v = rv.row(k, j), vn = rv.row(k, j + 1), m = g.msftx.row(j), rdx = g.rdx,
            rdy = g.rdy](int i) { return m[i] * (rdx * (u[i + 1] - u[i]) + rdy * (vn[i] - v[i])); };
}

/// Omega / m_y = mu_d (d eta/dt) / m_y on interfaces, and m_x m_y times the column's integrated
/// divergence, d mu/dt, from continuity (Skamarock et al. 2019, eqs 2.33 and 3.16): upward from
/// zero at the surface. Fluxes at i + 1 and j + 1 are read.
inline void diagnose_omega(Range range, const GridView &g, ConstField3 ru, ConstField3 rv, Field3 omega,
                           Field2 dmudt) {
    for (int j = range.j0; j < range.j1; ++j) {
        real *rate = dmudt.row(j);
        for_each_i(range.i0, range.i1, [=](int i) { rate[i] = 0; });
        for (int k = 0; k < g.nz; ++k)
            for_each_i(range.i0, range.i1,
                       [=, dnw = g.dnw[k], divergence = flux_divergence(g, ru, rv, k, j)](int i) {
                           rate[i] += dnw * divergence(i);
                       });
        for_each_i(range.i0, range.i1,
                   [bottom = omega.row(0, j), top = omega.row(g.nz, j)](int i) { bottom[i] = top[i] = 0; });
        for (int k = 0; k < g.nz - 1; ++k)
            for_each_i(range.i0, range.i1,
                       [=, dnw = g.dnw[k], c1 = g.c1h[k], below = omega.row(k, j),
                        above = omega.row(k + 1, j), divergence = flux_divergence(g, ru, rv, k, j)](int i) {
                           above[i] = below[i] - dnw * (c1 * rate[i] + divergence(i));
                       });
        for_each_i(range.i0, range.i1, [=, m = g.msfty.row(j)](int i) { rate[i] *= m[i]; });
    }
}

} // namespace squall
