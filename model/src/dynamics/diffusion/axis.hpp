/// An axis as a compile-time parameter, so that a kernel is written once for x and y.
#pragma once

#include <algorithm>

#include "core/array.hpp"
#include "core/axis.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "grid/grid_view.hpp"

namespace squall::diffusion {

template <Axis a> inline constexpr int di = a == Axis::x ? 1 : 0;
template <Axis a> inline constexpr int dj = a == Axis::y ? 1 : 0;
template <Axis a> inline constexpr Axis other = a == Axis::x ? Axis::y : Axis::x;

/// The value one point further down or up the axis.
template <Axis a, class T> inline T before(View3<T> q, int i, int k, int j) {
    return q(i - di<a>, k, j - dj<a>);
}
template <Axis a, class T> inline T after(View3<T> q, int i, int k, int j) {
    return q(i + di<a>, k, j + dj<a>);
}
template <Axis a, class T> inline T before(View2<T> q, int i, int j) { return q(i - di<a>, j - dj<a>); }
template <Axis a, class T> inline T after(View2<T> q, int i, int j) { return q(i + di<a>, j + dj<a>); }

/// From a point to one nearby, in i and j.
struct Offset {
    int i, j;
};

/// What a kernel needs to know of its axis: inverse spacing, the map factors along and across
/// it on the faces of the axis (where u or v lives) and on cells, and the slope of the
/// coordinate surfaces on faces.
struct AxisView {
    real rd;
    ConstField2 along, across;
    ConstField2 cell_along, cell_across;
    ConstField3 slope;
};

template <Axis a> inline AxisView view_along(const GridView &g, const Metrics &m) {
    if constexpr (a == Axis::x)
        return {g.rdx, g.msfux, g.msfuy, g.msftx, g.msfty, m.zx};
    else
        return {g.rdy, g.msfvy, g.msfvx, g.msfty, g.msftx, m.zy};
}

/// The range with `low` more points to the west and south, `high` more to the east and north.
inline Range widened(Range r, int low, int high) {
    return {r.i0 - low, r.i1 + high, r.j0 - low, r.j1 + high, r.k0, r.k1};
}

/// The least range that holds both (k of the first).
inline Range covering(Range a, Range b) {
    return {
        std::min(a.i0, b.i0), std::max(a.i1, b.i1), std::min(a.j0, b.j0), std::max(a.j1, b.j1), a.k0, a.k1};
}

} // namespace squall::diffusion
