/// Horizontal pressure gradient along coordinate surfaces, for the full departure from the base
/// state (slow tendency) and for the acoustic departure alike: the same terms of Skamarock et al.
/// (2019), eqs 2.30-2.31 and 3.7-3.8.
#pragma once

#include <utility>

#include "core/axis.hpp"
#include "core/loop.hpp"
#include "core/scratch.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// The fields the gradient is taken of; views may be of either set of departures.
struct PressureFields {
    ConstField3 p, al, ph; ///< departures of pressure, inverse density, geopotential
    ConstField2 mu;        ///< departure of column mass
    ConstField3 alt, php;  ///< full inverse density and mid-layer geopotential
};

/// Of the faces across an axis: how to step to the neighbour below a face, the inverse spacing, and the map
/// factors of the face point.
struct FaceMetrics {
    Axis axis;
    real rd;
    ConstField2 along, across; ///< msfux, msfuy for x; msfvy, msfvx for y
    std::ptrdiff_t back(std::ptrdiff_t sj) const { return axis == Axis::x ? -1 : -sj; }

    static FaceMetrics of_x(const GridView &g) { return {Axis::x, g.rdx, g.msfux, g.msfuy}; }
    static FaceMetrics of_y(const GridView &g) { return {Axis::y, g.rdy, g.msfvy, g.msfvx}; }
};

/// p on an interface, averaged over the two cells that share a face: a weighted sum of two layers.
struct InterfacePressure {
    const real *above, *below;
    real wa, wb;
    std::ptrdiff_t back;

    real operator()(int i) const {
        return real(0.5) * multiply_add(wa, above[i] + above[i + back], wb * (below[i] + below[i + back]));
    }
};

/// For interface k = 1 ... nz; at the top zero (constant pressure) or, under a lid, extrapolated.
inline InterfacePressure interface_pressure(int k, int j, const GridView &g, bool top_lid, ConstField3 p,
                                            std::ptrdiff_t back) {
    const bool top = k == g.nz;
    const int upper = top ? k - 1 : k;
    const real lid = top_lid ? 1 : 0;
    return {p.row(upper, j), p.row(upper - 1, j), top ? lid * g.cfn : g.fnm[k], top ? lid * g.cfn1 : g.fnp[k],
            back};
}

/// Scratch rows that pressure_gradient uses.
inline constexpr int pressure_gradient_rows = 4;

namespace detail {

/// The same, where base(k, j)(i) gives al dpb/dx times twice the spacing.
template <class Base, class Out>
inline void pressure_gradient(Range range, const GridView &g, const FaceMetrics &metrics, bool top_lid,
                              const PressureFields &s, ConstField2 muf, const Scratch &scratch, Base base,
                              Out out) {
    const std::ptrdiff_t back = metrics.back(s.p.sj), back2 = metrics.back(s.mu.sj);
    const int i0 = range.i0, i1 = range.i1;
    real *low = scratch.row(0, i0), *high = scratch.row(1, i0);
    real *ratio = scratch.row(2, i0), *mean_mu = scratch.row(3, i0);
    for (int j = range.j0; j < range.j1; ++j) {
        for_each_i(i0, i1,
                   [=, along = metrics.along.row(j), across = metrics.across.row(j), mu = s.mu.row(j),
                    rd = metrics.rd](int i) {
                       ratio[i] = along[i] / across[i] * rd;
                       mean_mu[i] = real(0.5) * (mu[i] + mu[i + back2]);
                   });
        for_each_i(i0, i1, // extrapolated to the surface
                   [=, p0 = s.p.row(0, j), p1 = s.p.row(1, j), p2 = s.p.row(2, j), w0 = g.cf1, w1 = g.cf2,
                    w2 = g.cf3](int i) {
                       const auto pair = [=](const real *p) { return real(0.5) * (p[i] + p[i + back]); };
                       low[i] = w0 * pair(p0) + w1 * pair(p1) + w2 * pair(p2);
                   });
        for (int k = range.k0; k < range.k1; ++k) {
            for_each_i(
                i0, i1,
                [=, ph = s.ph.row(k, j), ph_above = s.ph.row(k + 1, j), alt = s.alt.row(k, j),
                 p = s.p.row(k, j), php = s.php.row(k, j), base = base(k, j), muf = muf.row(j), c1 = g.c1h[k],
                 c2 = g.c2h[k], rdnw = g.rdnw[k], upper = interface_pressure(k + 1, j, g, top_lid, s.p, back),
                 write = out(k, j)](int i) {
                    const auto difference = [=](const real *c) { return c[i] - c[i + back]; };
                    const auto sum = [=](const real *c) { return c[i] + c[i + back]; };
                    const real up = upper(i);
                    const real geopotential = difference(ph_above) + difference(ph);
                    const real pressure = multiply_add(sum(alt), difference(p), base(i));
                    const real slope = difference(php) * multiply_add(rdnw, up - low[i], -c1 * mean_mu[i]);
                    high[i] = up;
                    write(i, ratio[i] * multiply_add(real(0.5) * multiply_add(c1, muf[i], c2),
                                                     geopotential + pressure, slope));
                });
            std::swap(low, high);
        }
    }
}

} // namespace detail

/// Hands mu_d alpha dp/dx + dp/d_eta dphi/dx times the map factor ratio, in [Pa m s-2], on the faces
/// of `range` (all layers) to out(k, j)(i, gradient). muf: full column mass on the faces. al is not read
/// over a level base.
template <class Out>
inline void pressure_gradient(Range range, const GridView &g, const FaceMetrics &metrics, bool top_lid,
                              const PressureFields &s, ConstField2 muf, const Scratch &scratch, Out out) {
    if (g.level_base)
        return detail::pressure_gradient(
            range, g, metrics, top_lid, s, muf, scratch, [](int, int) { return [](int) { return real(0); }; },
            out);
    const auto base = [&](int k, int j) {
        return [al = s.al.row(k, j), pb = g.pb.row(k, j), back = metrics.back(s.p.sj)](int i) {
            return (al[i] + al[i + back]) * (pb[i] - pb[i + back]);
        };
    };
    detail::pressure_gradient(range, g, metrics, top_lid, s, muf, scratch, base, out);
}

} // namespace squall
