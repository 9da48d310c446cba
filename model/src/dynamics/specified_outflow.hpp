/// Momentum advection beside sides whose rows are specified: the flux across the half cell between the
/// boundary and the first face inside carries the wind of that face where it blows outward.
#pragma once

#include <algorithm>

#include "core/axis.hpp"
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

/// Adds the change to the tendency of the wind along an axis, on `faces` across it with all layers.
inline void correct_outflow(Range faces, const GridView &g, const OutflowFaces &at, Axis axis,
                            ConstField3 wind, ConstField3 flux, Field3 tend) {
    const bool x = axis == Axis::x;
    const Range inner = faces.within(x ? at.u : at.v);
    const auto correct = [&](int face, int outward) {
        const Range line = x ? inner.with_i(std::max(inner.i0, face), std::min(inner.i1, face + 1))
                             : inner.with_j(std::max(inner.j0, face), std::min(inner.j1, face + 1));
        if (!line.empty())
            detail::correct_outflow(line, wind, flux, x ? g.msfux : g.msfvy, x ? g.rdx : g.rdy, outward,
                                    outward * (x ? 1 : wind.sj), tend);
    };
    correct(x ? at.west : at.south, -1);
    correct(x ? at.east : at.north, 1);
}

} // namespace squall
