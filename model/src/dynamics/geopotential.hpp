/// Slow tendency of geopotential: advection along and across coordinate surfaces and lifting,
///   d phi/dt = -(u dphi/dx + v dphi/dy + Omega dphi/d_eta) + g w
/// times mu_d / m_y (Skamarock et al. 2019, eqs 2.34 and 3.12). The horizontal derivative is
/// centred, of the even order at or above that of scalar advection.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

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
    bool left_out = false; ///< in x only: nothing is advected there
};

using DerivativeSegments = Few<DerivativeSegment, 5>;

/// Cells of an axis cut into segments; at a closed side the outermost cell is left out, then
/// follow one cell of order 2 and, for order 6, one of order 4, which may be left out.
DerivativeSegments make_derivative_segments(const AdvectedPoints &cells, int order,
                                            bool leaves_out_fourth = false);

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

/// Callable <order>(i): 4 mu_d m_x u dphi/dx dx (or the same along y) in a row of interface k.
template <Axis axis>
inline auto horizontal_advection(const GridView &g, const FlowView &s, const FaceMetrics &metrics, int k,
                                 int j) {
    constexpr bool along_x = axis == Axis::x;
    const ConstField3 wind = along_x ? s.u : s.v;
    const ConstField2 mass = along_x ? s.muu : s.muv;
    const std::ptrdiff_t step = along_x ? 1 : s.ph.sj;
    return [step, a = s.ph.row(k, j), b = g.phb.row(k, j),
            low = interface_wind(g, wind, mass, metrics.along, k, j),
            high = interface_wind(g, wind, mass, metrics.along, k, j + !along_x)]<int order>(int i) {
        const auto across = [=](int n, int o) {
            return (a[i + n * step] - a[i + o * step]) + (b[i + n * step] - b[i + o * step]);
        };
        const real before = low(i), after = high(i + along_x);
        if constexpr (order == 2)
            return after * across(1, 0) + before * across(0, -1);
        else if constexpr (order == 4)
            return (after + before) * real(1.0 / 12) * (8 * across(1, -1) - across(2, -2));
        else
            return (after + before) * real(1.0 / 60) *
                   (45 * across(1, -1) - 9 * across(2, -2) + across(3, -3));
    };
}

/// tend -= `advection`(k, j)(i) / m_y, scaled.
template <class Advection>
inline void subtract_advection(Range range, const GridView &g, real rd, Field3 tend, Advection advection) {
    for_each_row(range, [&](int k, int j) {
        return [advection = advection(k, j), m = g.msfty.row(j), t = tend.row(k, j),
                quarter_rd = real(0.25) * rd](int i) { t[i] -= quarter_rd / m[i] * advection(i); };
    });
}

/// From the first to the last cell whose order is at least `order`; they have no gaps.
inline std::pair<int, int> cells_of_order(const DerivativeSegments &segments, int order) {
    std::pair<int, int> cells{std::numeric_limits<int>::max(), 0};
    for (const DerivativeSegment &part : segments)
        if (part.order >= order)
            cells = {std::min(cells.first, part.begin), std::max(cells.second, part.end)};
    return cells;
}

/// All orders on the whole row, for it costs more to set up rows of one cell beside closed sides. The halo
/// holds what the unused ones read.
inline void advect_geopotential_x(Range range, const GridView &g, const FlowView &s,
                                  const FaceMetrics &metrics, const DerivativeSegments &segments,
                                  Field3 tend) {
    const auto some = cells_of_order(segments, 2), most = cells_of_order(segments, 4),
               inner = cells_of_order(segments, 6);
    const real share_of_fourth = std::ranges::any_of(segments, &DerivativeSegment::left_out) ? 0 : 1;
    subtract_advection(range.with_i(std::max(range.i0, some.first), std::min(range.i1, some.second)), g,
                       metrics.rd, tend, [&](int k, int j) {
                           return [advection = horizontal_advection<Axis::x>(g, s, metrics, k, j),
                                   b4 = most.first, e4 = most.second, b6 = inner.first, e6 = inner.second,
                                   share_of_fourth](int i) {
                               const real second = advection.template operator()<2>(i);
                               const real fourth = advection.template operator()<4>(i);
                               const real sixth = advection.template operator()<6>(i);
                               const real lower = (i >= b4) & (i < e4) ? share_of_fourth * fourth : second;
                               return (i >= b6) & (i < e6) ? sixth : lower;
                           };
                       });
}

inline void advect_geopotential_y(Range range, const GridView &g, const FlowView &s,
                                  const FaceMetrics &metrics, const DerivativeSegments &segments,
                                  Field3 tend) {
    for (const DerivativeSegment &part : segments) {
        const auto advect = [&]<int order>() {
            subtract_advection(range.with_j(std::max(range.j0, part.begin), std::min(range.j1, part.end)), g,
                               metrics.rd, tend, [&](int k, int j) {
                                   return [advection = horizontal_advection<Axis::y>(g, s, metrics, k, j)](
                                              int i) { return advection.template operator()<order>(i); };
                               });
        };
        if (part.order == 2)
            advect.template operator()<2>();
        else if (part.order == 4)
            advect.template operator()<4>();
        else
            advect.template operator()<6>();
    }
}

} // namespace detail

/// tend -= mu_d/m_y m_x u dphi/dx (or the same along y) on interfaces 1 to nz of the segments' cells.
inline void advect_geopotential(Range range, const GridView &g, const FlowView &s, const FaceMetrics &metrics,
                                const DerivativeSegments &segments, Field3 tend) {
    if (metrics.axis == Axis::x)
        detail::advect_geopotential_x(range, g, s, metrics, segments, tend);
    else
        detail::advect_geopotential_y(range, g, s, metrics, segments, tend);
}

} // namespace squall
