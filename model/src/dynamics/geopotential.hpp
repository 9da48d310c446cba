/// Slow tendency of geopotential: advection along and across coordinate surfaces and lifting,
///   d phi/dt = -(u dphi/dx + v dphi/dy + Omega dphi/d_eta) + g w
/// times mu_d / m_y (Skamarock et al. 2019, eqs 2.34 and 3.12). The horizontal derivative is
/// centred, of the even order at or above that of scalar advection.
#pragma once

#include "core/constants.hpp"
#include "dynamics/advection.hpp"
#include "dynamics/pressure_gradient.hpp"
#include "dynamics/sources.hpp"

namespace squall {

/// tend = -(Omega dphi/d_eta) + g mu_d w / m_y on interfaces 1 to nz.
inline void lift_geopotential(Range range, const GridView &g, const FlowView &s, Field3 tend) {
    const ConstField3 omega = s.omega, ph = s.ph, phb = g.phb, w = s.w;
    const auto descent = [=](int i, int k, int j) { // Omega dphi/d_eta in layer k
        return real(0.5) * (omega(i, k + 1, j) + omega(i, k, j)) * g.rdnw[k] *
               ((ph(i, k + 1, j) - ph(i, k, j)) + (phb(i, k + 1, j) - phb(i, k, j)));
    };
    const auto lift = [=](int i, int k, int j) {
        return (g.c1f[k] * (g.mub(i, j) + s.mu(i, j)) + g.c2f[k]) * constants::g * w(i, k, j) / g.msfty(i, j);
    };
    for_each(range.with_k(range.k0, std::min(range.k1, g.nz)), [=](int i, int k, int j) {
        tend(i, k, j) = lift(i, k, j) - (g.fnm[k] * descent(i, k, j) + g.fnp[k] * descent(i, k - 1, j));
    });
    for_each_column(range, [=](int i, int j) { tend(i, g.nz, j) = lift(i, g.nz, j); });
}

/// Where the geopotential is advected along one axis, and by which centred derivative: cells
/// [begin, end) with order 2, 4 or 6.
struct DerivativeSegment {
    int begin, end, order;
};

/// Cells of an axis cut into segments; at a closed side the outermost cell is left out, then
/// follow one cell of order 2 and, for order 6, one of order 4.
std::vector<DerivativeSegment> make_derivative_segments(const Axis &axis, int order);

namespace detail {

/// Twice the wind times its map factor and mass on a face at interface k: the two layers around
/// it, or extrapolated at the top.
struct InterfaceWind {
    int upper, lower;
    real wu, wl, c1, c2;
    InterfaceWind(const GridView &g, int k)
        : upper(k < g.nz ? k : g.nz - 1), lower(upper - 1), wu(k < g.nz ? 1 : 2 * g.cfn),
          wl(k < g.nz ? 1 : 2 * g.cfn1), c1(g.c1f[k]), c2(g.c2f[k]) {}
    real operator()(ConstField3 wind, ConstField2 mass, ConstField2 metric, int i, int j) const {
        return (c1 * mass(i, j) + c2) * (wu * wind(i, upper, j) + wl * wind(i, lower, j)) * metric(i, j);
    }
};

} // namespace detail

/// tend -= mu_d/m_y m_x u dphi/dx (or the same along y) on interfaces 1 to nz of a segment's cells.
template <int Order>
inline void advect_geopotential(Range range, const GridView &g, const FlowView &s, const Direction &dir,
                                Field3 tend) {
    const ConstField3 wind = dir.x ? s.u : s.v;
    const ConstField2 mass = dir.x ? s.muu : s.muv, metric = dir.along;
    const std::ptrdiff_t step = -dir.back(s.ph.sj);
    const int di = dir.x, dj = !dir.x;
    const ConstField3 ph = s.ph, phb = g.phb;
    const real rd = dir.rd;
    for_each(range, [=](int i, int k, int j) {
        const detail::InterfaceWind at(g, k);
        const real low = at(wind, mass, metric, i, j);
        const real high = at(wind, mass, metric, i + di, j + dj);
        const real *a = &ph(i, k, j), *b = &phb(i, k, j);
        const auto across = [=](int m, int n) { return (a[m * step] - a[n * step]) + (b[m * step] - b[n * step]); };
        real advection;
        if constexpr (Order == 2) {
            advection = high * across(1, 0) + low * across(0, -1);
        } else if constexpr (Order == 4) {
            advection = (high + low) * real(1.0 / 12) * (8 * across(1, -1) - across(2, -2));
        } else {
            advection =
                (high + low) * real(1.0 / 60) * (45 * across(1, -1) - 9 * across(2, -2) + across(3, -3));
        }
        tend(i, k, j) -= real(0.25) * rd / g.msfty(i, j) * advection;
    });
}

inline void advect_geopotential(Range range, const GridView &g, const FlowView &s, const Direction &dir,
                                const std::vector<DerivativeSegment> &segments, Field3 tend) {
    for (const DerivativeSegment &part : segments) {
        Range r = range;
        int &begin = dir.x ? r.i0 : r.j0, &end = dir.x ? r.i1 : r.j1;
        begin = std::max(begin, part.begin);
        end = std::min(end, part.end);
        if (r.empty()) continue;
        if (part.order == 2)
            advect_geopotential<2>(r, g, s, dir, tend);
        else if (part.order == 4)
            advect_geopotential<4>(r, g, s, dir, tend);
        else
            advect_geopotential<6>(r, g, s, dir, tend);
    }
}

} // namespace squall
