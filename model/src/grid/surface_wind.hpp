/// The wind over the ground.
#pragma once

#include "core/loop.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// w at the surface of the cells of a range (k unused) follows the terrain: the horizontal wind
/// there, extrapolated from three layers, up the slopes on either side (NCAR/TN-556, eq. 3.14). u at
/// i + 1, v at j + 1 and the terrain around must be current. WRF sets it at the end of every step.
inline void set_surface_w(const Range &cells, const GridView &g, ConstField3 u, ConstField3 v, Field3 w) {
    const auto lowest = [&](ConstField3 q, int j) {
        return [a = q.row(0, j), b = q.row(1, j), c = q.row(2, j), w0 = g.cf1, w1 = g.cf2,
                w2 = g.cf3](int i) { return w0 * a[i] + w1 * b[i] + w2 * c[i]; };
    };
    for_each_row(cells.with_k(0, 1), [&](int, int j) {
        return
            [w = w.row(0, j), u = lowest(u, j), v = lowest(v, j), vn = lowest(v, j + 1), h = g.terrain.row(j),
             hs = g.terrain.row(j - 1), hn = g.terrain.row(j + 1), mx = g.msftx.row(j), my = g.msfty.row(j),
             half_rdx = real(0.5) * g.rdx, half_rdy = real(0.5) * g.rdy](int i) {
                w[i] = my[i] * half_rdy * ((hn[i] - h[i]) * vn(i) + (h[i] - hs[i]) * v(i)) +
                       mx[i] * half_rdx * ((h[i + 1] - h[i]) * u(i + 1) + (h[i] - h[i - 1]) * u(i));
            };
    });
}

} // namespace squall
