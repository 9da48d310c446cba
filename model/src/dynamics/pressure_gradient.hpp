/// Horizontal pressure gradient along coordinate surfaces, for the full departure from the base
/// state (slow tendency) and for the acoustic departure alike: the same terms of Skamarock et al.
/// (2019), eqs 2.30-2.31 and 3.7-3.8.
#pragma once

#include <utility>

#include "core/loop.hpp"
#include "dynamics/grid_view.hpp"
#include "dynamics/scratch.hpp"

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
    const auto pair = [=](int level) {
        return [c = p.row(level, j), back](int i) { return real(0.5) * (c[i] + c[i + back]); };
    };
    if (k == 0) {
        for_each_i(i0, i1,
                   [=, p0 = pair(0), p1 = pair(1), p2 = pair(2), w0 = g.cf1, w1 = g.cf2, w2 = g.cf3](int i) {
                       dpn[i] = w0 * p0(i) + w1 * p1(i) + w2 * p2(i);
                   });
    } else if (k == g.nz && !top_lid) {
        for_each_i(i0, i1, [=](int i) { dpn[i] = 0; });
    } else {
        const bool top = k == g.nz;
        const int upper = top ? k - 1 : k;
        for_each_i(i0, i1,
                   [=, above = pair(upper), below = pair(upper - 1), wa = top ? g.cfn : g.fnm[k],
                    wb = top ? g.cfn1 : g.fnp[k]](int i) { dpn[i] = wa * above(i) + wb * below(i); });
    }
}

/// Scratch rows that pressure_gradient uses.
inline constexpr int pressure_gradient_rows = 4;

/// Hands mu_d alpha dp/dx + dp/d_eta dphi/dx times the map factor ratio, in [Pa m s-2], on the faces
/// of `range` (all layers) to out(k, j)(i, gradient). muf: full column mass on the faces.
template <class Out>
inline void pressure_gradient(Range range, const GridView &g, const Direction &dir, bool top_lid,
                              const PressureFields &s, ConstField2 muf, Scratch &scratch, Out out) {
    const std::ptrdiff_t back = dir.back(s.p.sj), back2 = dir.back(s.mu.sj);
    const int i0 = range.i0, i1 = range.i1;
    real *low = scratch.row(0, i0), *high = scratch.row(1, i0);
    real *ratio = scratch.row(2, i0), *mean_mu = scratch.row(3, i0);
    for (int j = range.j0; j < range.j1; ++j) {
        for_each_i(
            i0, i1,
            [=, along = dir.along.row(j), across = dir.across.row(j), mu = s.mu.row(j), rd = dir.rd](int i) {
                ratio[i] = along[i] / across[i] * rd;
                mean_mu[i] = real(0.5) * (mu[i] + mu[i + back2]);
            });
        interface_pressure_row(i0, i1, 0, j, g, top_lid, s.p, back, low);
        for (int k = range.k0; k < range.k1; ++k) {
            interface_pressure_row(i0, i1, k + 1, j, g, top_lid, s.p, back, high);
            for_each_i(
                i0, i1,
                [=, ph = s.ph.row(k, j), ph_above = s.ph.row(k + 1, j), alt = s.alt.row(k, j),
                 p = s.p.row(k, j), al = s.al.row(k, j), pb = g.pb.row(k, j), php = s.php.row(k, j),
                 muf = muf.row(j), c1 = g.c1h[k], c2 = g.c2h[k], rdnw = g.rdnw[k], write = out(k, j)](int i) {
                    const auto difference = [=](const real *c) { return c[i] - c[i + back]; };
                    const auto sum = [=](const real *c) { return c[i] + c[i + back]; };
                    const real geopotential = difference(ph_above) + difference(ph);
                    const real pressure = sum(alt) * difference(p) + sum(al) * difference(pb);
                    const real slope = difference(php) * (rdnw * (high[i] - low[i]) - c1 * mean_mu[i]);
                    write(i, ratio[i] * (real(0.5) * (c1 * muf[i] + c2) * (geopotential + pressure) + slope));
                });
            std::swap(low, high);
        }
    }
}

} // namespace squall
