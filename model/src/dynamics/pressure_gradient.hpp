/// Horizontal pressure gradient along coordinate surfaces, for the full departure from the base
/// state (slow tendency) and for the acoustic departure alike: the same terms of Skamarock et al.
/// (2019), eqs 2.30-2.31 and 3.7-3.8.
#pragma once

#include "core/loop.hpp"
#include "dynamics/grid_view.hpp"

namespace squall {

/// The fields the gradient is taken of; views may be of either set of departures.
struct PressureFields {
    ConstField3 p, al, ph; ///< departures of pressure, inverse density, geopotential
    ConstField2 mu;        ///< departure of column mass
    ConstField3 alt, php;  ///< full inverse density and mid-layer geopotential
};

/// One of the two horizontal directions: how to step to the neighbour below a face, the inverse
/// spacing, and the map factors of the face point.
struct Direction {
    bool x; ///< west-east, else south-north
    real rd;
    ConstField2 along, across; ///< msfux, msfuy for x; msfvy, msfvx for y
    std::ptrdiff_t back(std::ptrdiff_t sj) const { return x ? -1 : -sj; }

    static Direction west_east(const GridView &g) { return {true, g.rdx, g.msfux, g.msfuy}; }
    static Direction south_north(const GridView &g) { return {false, g.rdy, g.msfvy, g.msfvx}; }
};

/// Interpolates p to interface k, averaged over the two cells that share a face: extrapolated at
/// the surface; at the top zero (constant pressure) or, under a lid, extrapolated.
inline void interface_pressure_row(int i0, int i1, int k, int j, const GridView &g, bool top_lid,
                                   ConstField3 p, std::ptrdiff_t back, real *dpn) {
    const auto pair = [=](int i, int level) {
        const real *c = &p(i, level, j);
        return real(0.5) * (c[0] + c[back]);
    };
    if (k == 0) {
        for_each_i(i0, i1, [=](int i) {
            dpn[i] = g.cf1 * pair(i, 0) + g.cf2 * pair(i, 1) + g.cf3 * pair(i, 2);
        });
    } else if (k < g.nz) {
        const real above = g.fnm[k], below = g.fnp[k];
        for_each_i(i0, i1, [=](int i) { dpn[i] = above * pair(i, k) + below * pair(i, k - 1); });
    } else if (top_lid) {
        for_each_i(i0, i1, [=](int i) { dpn[i] = g.cfn * pair(i, k - 1) + g.cfn1 * pair(i, k - 2); });
    } else {
        for_each_i(i0, i1, [=](int i) { dpn[i] = 0; });
    }
}

/// Calls out(i, k, j, gradient) with mu_d alpha dp/dx + dp/d_eta dphi/dx times the map factor
/// ratio, in [Pa m s-2], on the faces of `range` (all layers). muf: full column mass on the faces.
/// low, high: scratch rows.
template <class Out>
inline void pressure_gradient(Range range, const GridView &g, const Direction &dir, bool top_lid,
                              const PressureFields &fields, ConstField2 muf, real *low, real *high, Out out) {
    const std::ptrdiff_t back = dir.back(fields.p.sj);
    const std::ptrdiff_t back2 = dir.back(fields.mu.sj);
    const PressureFields s = fields;
    const ConstField3 pb = g.pb;
    const ConstField2 along = dir.along, across = dir.across;
    const real rd = dir.rd;
    for (int j = range.j0; j < range.j1; ++j) {
        interface_pressure_row(range.i0, range.i1, 0, j, g, top_lid, s.p, back, low);
        for (int k = range.k0; k < range.k1; ++k) {
            interface_pressure_row(range.i0, range.i1, k + 1, j, g, top_lid, s.p, back, high);
            const real c1 = g.c1h[k], c2 = g.c2h[k], rdnw = g.rdnw[k];
            for_each_i(range.i0, range.i1, [=](int i) {
                const auto difference = [back](const real *c) { return c[0] - c[back]; };
                const auto sum = [back](const real *c) { return c[0] + c[back]; };
                const real *mu = &s.mu(i, j);
                const real mass = c1 * muf(i, j) + c2;
                const real geopotential = difference(&s.ph(i, k + 1, j)) + difference(&s.ph(i, k, j));
                const real pressure = sum(&s.alt(i, k, j)) * difference(&s.p(i, k, j));
                const real base = sum(&s.al(i, k, j)) * difference(&pb(i, k, j));
                const real slope = difference(&s.php(i, k, j)) *
                                   (rdnw * (high[i] - low[i]) - real(0.5) * c1 * (mu[0] + mu[back2]));
                out(i, k, j,
                    along(i, j) / across(i, j) * rd *
                        (real(0.5) * mass * (geopotential + pressure + base) + slope));
            });
            std::swap(low, high);
        }
    }
}

} // namespace squall
