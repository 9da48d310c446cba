/// Flux-form advection on the C grid, 2nd to 6th order.
///
/// d(mu q)/dt = -m [ d(U q)/dx + d(V q)/dy ] - d(Omega q)/d eta, with the face values of
/// Wicker and Skamarock (2002), eq. 4: even orders are centred, odd orders add an upwind
/// difference. (Skamarock et al. 2019, section 3.2.3.) Near a boundary without a halo of real
/// points the order falls: second at the first face inside, then third or fourth.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/array.hpp"
#include "core/loop.hpp"

namespace squall {

/// Weights of a face value between points -1 and 0: centred sums s[m] (q(m) + q(-1-m)) and
/// upwind differences d[m] (q(m) - q(-1-m)), which act against the sign of the velocity.
struct Stencil {
    int width = 0; ///< points used on either side; 0: no flux
    real s[3] = {0, 0, 0};
    real d[3] = {0, 0, 0};
};

/// The stencil of an order from 2 to 6; 0 gives no flux.
Stencil stencil_of_order(int order);

/// The flux velocity * q at a face; q(m) is the value at offset m from the point above the face.
template <int Width, class Q> inline real face_flux(real velocity, const Stencil &c, Q q) {
    real centred = c.s[0] * (q(0) + q(-1));
    real upwind = c.d[0] * (q(0) - q(-1));
    if constexpr (Width > 1) {
        centred += c.s[1] * (q(1) + q(-2));
        upwind += c.d[1] * (q(1) - q(-2));
    }
    if constexpr (Width > 2) {
        centred += c.s[2] * (q(2) + q(-3));
        upwind += c.d[2] * (q(2) - q(-3));
    }
    return velocity * centred + std::abs(velocity) * upwind;
}

/// Points [begin, end) along an axis whose lower faces share one stencil, and upper faces one.
struct Segment {
    int begin = 0, end = 0;
    Stencil low, high;
};

/// One axis of the points to advect: [begin, end) in patch-local indices. Where a side is
/// closed (an open or specified boundary), `first` or `last` is the outermost point of the
/// domain: its faces carry no flux along this axis (open_boundary.hpp adds what crosses there).
struct Axis {
    int begin = 0, end = 0;
    bool closed_low = false, closed_high = false;
    int first = 0, last = 0;
};

/// The axis cut into segments of equal stencils for an order from 2 to 6.
std::vector<Segment> make_segments(const Axis &axis, int order);

/// tend = -metric (rdx dF_x + rdy dF_y) on `range`. velocity_x(k, j)(i) is the mass flux through
/// the face below point i, likewise velocity_y(k, j)(i) through the face below row j.
template <int Width, class VX, class VY>
inline void advect_horizontal(Range range, ConstField3 q, VX velocity_x, VY velocity_y, ConstField2 metric,
                              real rdx, real rdy, const Segment &x, const Segment &y, Field3 tend) {
    for_each_row(range, [&](int k, int j) {
        return [vx = velocity_x(k, j), vy = velocity_y(k, j), vyn = velocity_y(k, j + 1), q = q.row(k, j),
                sj = q.sj, m = metric.row(j), t = tend.row(k, j), rdx, rdy, xl = x.low, xh = x.high,
                yl = y.low, yh = y.high](int i) {
            const real *p = q + i;
            const auto west = [p](int n) { return p[n]; };
            const auto east = [p](int n) { return p[1 + n]; };
            const auto south = [p, sj](int n) { return p[n * sj]; };
            const auto north = [p, sj](int n) { return p[(1 + n) * sj]; };
            const real fx = face_flux<Width>(vx(i + 1), xh, east) - face_flux<Width>(vx(i), xl, west);
            const real fy = face_flux<Width>(vyn(i), yh, north) - face_flux<Width>(vy(i), yl, south);
            t[i] = -m[i] * (rdx * fx + rdy * fy);
        };
    });
}

/// The same over all segments that meet the range; the order decides the width at run time.
template <class VX, class VY>
inline void advect_horizontal(Range range, int order, ConstField3 q, VX velocity_x, VY velocity_y,
                              ConstField2 metric, real rdx, real rdy, const std::vector<Segment> &xs,
                              const std::vector<Segment> &ys, Field3 tend) {
    for (const Segment &y : ys)
        for (const Segment &x : xs) {
            const Range part{std::max(range.i0, x.begin),
                             std::min(range.i1, x.end),
                             std::max(range.j0, y.begin),
                             std::min(range.j1, y.end),
                             range.k0,
                             range.k1};
            if (part.empty()) continue;
            if (order > 4)
                advect_horizontal<3>(part, q, velocity_x, velocity_y, metric, rdx, rdy, x, y, tend);
            else if (order > 2)
                advect_horizontal<2>(part, q, velocity_x, velocity_y, metric, rdx, rdy, x, y, tend);
            else
                advect_horizontal<1>(part, q, velocity_x, velocity_y, metric, rdx, rdy, x, y, tend);
        }
}

/// Stencils of the vertical faces of n points: entry k is the face below point k, entries 0 and
/// n carry no flux. Second-order faces interpolate with weights above[k] and below[k].
struct VerticalStencils {
    std::vector<Stencil> faces;
    std::vector<real> above, below;
};

/// For n points; weights of the second-order faces as given (n + 1 entries each).
VerticalStencils make_vertical_stencils(int n, int order, std::vector<real> above, std::vector<real> below);

/// One row of vertical fluxes through face k, velocity(k, j)(i) being the mass flux: eta falls with
/// height, so a positive eta velocity points down and the upwind part changes sign.
template <class V>
inline void vertical_flux_row(int i0, int i1, int k, int j, ConstField3 q, V velocity,
                              const VerticalStencils &stencils, real *flux) {
    const Stencil &c = stencils.faces[k];
    const auto reconstruct = [&]<int Width>() {
        for_each_i(i0, i1, [c, flux, v = velocity(k, j), q = q.row(k, j), sk = q.sk](int i) {
            const real *p = q + i;
            flux[i] = -face_flux<Width>(-v(i), c, [p, sk](int n) { return p[n * sk]; });
        });
    };
    switch (c.width) {
    case 0:
        std::fill(flux + i0, flux + i1, real(0));
        break;
    case 1:
        for_each_i(i0, i1,
                   [flux, v = velocity(k, j), above = q.row(k, j), below = q.row(k - 1, j),
                    wa = stencils.above[k],
                    wb = stencils.below[k]](int i) { flux[i] = v(i) * (wa * above[i] + wb * below[i]); });
        break;
    case 2:
        reconstruct.template operator()<2>();
        break;
    default:
        reconstruct.template operator()<3>();
    }
}

/// tend -= metric(j)(i) rd_eta[k] (F(k+1) - F(k)) on `range`, whose k range must be all points
/// [k0, k1) with face k1 among the stencils. low, high: scratch rows.
template <class V, class M>
inline void advect_vertical(Range range, ConstField3 q, V velocity, const VerticalStencils &stencils,
                            ConstProfile rd_eta, M metric, real *low, real *high, Field3 tend) {
    for (int j = range.j0; j < range.j1; ++j) {
        vertical_flux_row(range.i0, range.i1, range.k0, j, q, velocity, stencils, low);
        for (int k = range.k0; k < range.k1; ++k) {
            vertical_flux_row(range.i0, range.i1, k + 1, j, q, velocity, stencils, high);
            for_each_i(range.i0, range.i1, [=, rd = rd_eta[k], m = metric(j), t = tend.row(k, j)](int i) {
                t[i] -= m(i) * rd * (high[i] - low[i]);
            });
            std::swap(low, high);
        }
    }
}

/// The metric of a coordinate without map factors.
inline auto unit_metric(int) {
    return [](int) { return real(1); };
}

} // namespace squall
