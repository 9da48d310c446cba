/// Momentum advection beside sides whose rows are specified: the flux across the half cell between the
/// boundary and the first face inside carries the wind of that face where it blows outward.
#pragma once

#include <algorithm>

#include "core/loop.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// The faces one inside of the sides, patch-local; `u`, `v`: those x and y faces that are at least one away
/// from all sides (k unused).
struct OutflowFaces {
    Range u, v;
    int west, east, south, north;
};

namespace detail {

/// `outward`: the sense of the axis that points out of the domain; `edge`: elements from the inner face to
/// the boundary's.
inline void correct_outflow(Range faces, ConstField3 wind, ConstField3 flux, ConstField2 metric, real rd,
                            int outward, std::ptrdiff_t edge, Field3 tend) {
    for_each_row(faces, [=](int k, int j) {
        return [q = wind.row(k, j), f = flux.row(k, j), m = metric.row(j), t = tend.row(k, j), rd, outward,
                edge](int i) {
            const real half_difference = q[i] * outward > 0 ? real(0.5) * (q[i] - q[i + edge]) : real(0);
            t[i] -= outward * m[i] * rd * real(0.5) * (f[i] + f[i + edge]) * half_difference;
        };
    });
}

} // namespace detail

/// Adds the change to the tendency of the normal wind on `faces`: x faces with all layers.
inline void correct_outflow_u(Range faces, const GridView &g, const OutflowFaces &at, ConstField3 u,
                              ConstField3 ru, Field3 tend) {
    const Range inner = faces.with_j(std::max(faces.j0, at.u.j0), std::min(faces.j1, at.u.j1));
    const auto correct = [&](int face, int outward) {
        if (face < at.u.i0 || face >= at.u.i1) return;
        const Range column = inner.with_i(std::max(inner.i0, face), std::min(inner.i1, face + 1));
        if (!column.empty()) detail::correct_outflow(column, u, ru, g.msfux, g.rdx, outward, outward, tend);
    };
    correct(at.west, -1);
    correct(at.east, 1);
}

/// Likewise on y faces.
inline void correct_outflow_v(Range faces, const GridView &g, const OutflowFaces &at, ConstField3 v,
                              ConstField3 rv, Field3 tend) {
    const Range inner = faces.with_i(std::max(faces.i0, at.v.i0), std::min(faces.i1, at.v.i1));
    const auto correct = [&](int face, int outward) {
        if (face < at.v.j0 || face >= at.v.j1) return;
        const Range row = inner.with_j(std::max(inner.j0, face), std::min(inner.j1, face + 1));
        if (!row.empty()) detail::correct_outflow(row, v, rv, g.msfvy, g.rdy, outward, outward * v.sj, tend);
    };
    correct(at.south, -1);
    correct(at.north, 1);
}

} // namespace squall
