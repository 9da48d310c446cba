/// Column mass on faces, mass fluxes, and the eta velocity from continuity.
#pragma once

#include "core/loop.hpp"
#include "dynamics/grid_view.hpp"

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
    for_each(range, [=](int i, int k, int j) {
        const real c1 = g.c1h[k], c2 = g.c2h[k];
        ru(i, k, j) = u(i, k, j) * (c1 * muu(i, j) + c2) / g.msfuy(i, j);
        rv(i, k, j) = v(i, k, j) * (c1 * muv(i, j) + c2) / g.msfvx(i, j);
    });
}

/// Omega / m_y = mu_d (d eta/dt) / m_y on interfaces, and m_x m_y times the column's integrated
/// divergence d mu/dt, from continuity (Skamarock et al. 2019, eqs 2.33 and 3.16): downward from
/// zero at the surface. Fluxes at i + 1 and j + 1 are read.
inline void diagnose_omega(Range range, const GridView &g, ConstField3 ru, ConstField3 rv, Field3 omega,
                           Field2 dmudt) {
    for (int j = range.j0; j < range.j1; ++j) {
        const auto divergence = [=](int i, int k) {
            return g.msftx(i, j) * (g.rdx * (ru(i + 1, k, j) - ru(i, k, j)) + g.rdy * (rv(i, k, j + 1) - rv(i, k, j)));
        };
        for_each_i(range.i0, range.i1, [=](int i) { dmudt(i, j) = 0; });
        for (int k = 0; k < g.nz; ++k) {
            const real dnw = g.dnw[k];
            for_each_i(range.i0, range.i1, [=](int i) { dmudt(i, j) += dnw * divergence(i, k); });
        }
        for_each_i(range.i0, range.i1, [=](int i) { omega(i, 0, j) = omega(i, g.nz, j) = 0; });
        for (int k = 0; k < g.nz - 1; ++k) {
            const real dnw = g.dnw[k], c1 = g.c1h[k];
            for_each_i(range.i0, range.i1, [=](int i) {
                omega(i, k + 1, j) = omega(i, k, j) - dnw * (c1 * dmudt(i, j) + divergence(i, k));
            });
        }
        for_each_i(range.i0, range.i1, [=](int i) { dmudt(i, j) *= g.msfty(i, j); });
    }
}

} // namespace squall
