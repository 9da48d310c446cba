/// Slow tendency of geopotential: advection along and across coordinate surfaces and lifting,
///   d phi/dt = -(u dphi/dx + v dphi/dy + Omega dphi/d_eta) + g w
/// times mu_d / m_y (Skamarock et al. 2019, eqs 2.34 and 3.12). The horizontal derivative is
/// centred, of the even order at or above that of scalar advection.
#pragma once

#include "core/constants.hpp"
#include "dynamics/advection.hpp"
#include "dynamics/flow_view.hpp"
#include "dynamics/pressure_gradient.hpp"

namespace squall {

/// Omega dphi/d_eta in layer k: a function of i. `omega` gives the eta velocity on interface k.
template <class Omega> inline auto descent(const GridView &g, ConstField3 ph, Omega omega, int k, int j) {
    return
        [below = omega(k), above = omega(k + 1), ph = ph.row(k, j), ph_above = ph.row(k + 1, j),
         phb = g.phb.row(k, j), phb_above = g.phb.row(k + 1, j), half_rdnw = real(0.5) * g.rdnw[k]](int i) {
            return half_rdnw * (above[i] + below[i]) * ((ph_above[i] - ph[i]) + (phb_above[i] - phb[i]));
        };
}

/// tend = -(Omega dphi/d_eta) + g mu_d w / m_y on interfaces 1 to nz.
inline void lift_geopotential(Range range, const GridView &g, const FlowView &s, Field3 tend) {
    const auto lift = [&](int k, int j) {
        return
            [c1 = g.c1f[k], c2 = g.c2f[k], mub = g.mub.row(j), mu = s.mu.row(j), w = s.w.row(k, j),
             m = g.msfty.row(j)](int i) { return (c1 * (mub[i] + mu[i]) + c2) * constants::g * w[i] / m[i]; };
    };
    for_each_row(range.with_k(range.k0, std::min(range.k1, g.nz)), [&](int k, int j) {
        const auto omega = [&, j](int level) { return s.omega.row(level, j); };
        return [t = tend.row(k, j), lift = lift(k, j), wa = g.fnm[k], wb = g.fnp[k],
                above = descent(g, s.ph, omega, k, j), below = descent(g, s.ph, omega, k - 1, j)](int i) {
            t[i] = lift(i) - (wa * above(i) + wb * below(i));
        };
    });
    for_each_row(range.with_k(g.nz, std::max(range.k1, g.nz)), [&](int k, int j) {
        return [t = tend.row(k, j), lift = lift(k, j)](int i) { t[i] = lift(i); };
    });
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

/// Twice the wind times its mass and map factor on the faces of interface k: a function of i. The
/// wind is the mean of the two layers around the interface, extrapolated at the top.
inline auto interface_wind(const GridView &g, ConstField3 wind, ConstField2 mass, ConstField2 metric, int k,
                           int j) {
    const bool top = k == g.nz;
    const int upper = top ? k - 1 : k;
    return [c1 = g.c1f[k], c2 = g.c2f[k], mass = mass.row(j), metric = metric.row(j),
            above = wind.row(upper, j), below = wind.row(upper - 1, j), wa = top ? 2 * g.cfn : real(1),
            wb = top ? 2 * g.cfn1 : real(1)](int i) {
        return (c1 * mass[i] + c2) * (wa * above[i] + wb * below[i]) * metric[i];
    };
}

} // namespace detail

/// tend -= mu_d/m_y m_x u dphi/dx (or the same along y) on interfaces 1 to nz of a segment's cells.
template <int Order>
inline void advect_geopotential(Range range, const GridView &g, const FlowView &s, const Direction &dir,
                                Field3 tend) {
    const ConstField3 wind = dir.x ? s.u : s.v;
    const ConstField2 mass = dir.x ? s.muu : s.muv;
    const std::ptrdiff_t step = -dir.back(s.ph.sj);
    const int di = dir.x, dj = !dir.x;
    for_each_row(range, [&](int k, int j) {
        return [=, a = s.ph.row(k, j), b = g.phb.row(k, j), m = g.msfty.row(j), t = tend.row(k, j),
                quarter_rd = real(0.25) * dir.rd,
                low = detail::interface_wind(g, wind, mass, dir.along, k, j),
                high = detail::interface_wind(g, wind, mass, dir.along, k, j + dj)](int i) {
            const auto across = [=](int n, int o) {
                return (a[i + n * step] - a[i + o * step]) + (b[i + n * step] - b[i + o * step]);
            };
            real advection;
            if constexpr (Order == 2)
                advection = high(i + di) * across(1, 0) + low(i) * across(0, -1);
            else if constexpr (Order == 4)
                advection = (high(i + di) + low(i)) * real(1.0 / 12) * (8 * across(1, -1) - across(2, -2));
            else
                advection = (high(i + di) + low(i)) * real(1.0 / 60) *
                            (45 * across(1, -1) - 9 * across(2, -2) + across(3, -3));
            t[i] -= quarter_rd / m[i] * advection;
        };
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
