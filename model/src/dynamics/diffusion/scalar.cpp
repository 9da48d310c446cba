#include "dynamics/diffusion/scalar.hpp"

#include <algorithm>
#include <utility>

#include "core/constants.hpp"
#include "dynamics/diffusion/axis.hpp"

namespace squall::diffusion {
namespace {

constexpr real g = constants::g;
constexpr real half = real(0.5), eighth = real(0.125);

/// The three layers that the difference of a quantity over layer k takes: its value at the top of the
/// layer less that at the bottom, interpolated between layers.
struct OverLayer {
    int first; ///< of the layers
    real weight[3];
};

/// Of a field, extrapolated to the surface and the top: weight[0] (q[1] - q[0]) + weight[1] (q[2] -
/// q[1]); differences, so that a constant has none to the last bit.
OverLayer field_over_layer(const GridView &grid, int k) {
    const int top = grid.nz - 1;
    if (k == 0) return {0, {grid.fnm[1] - grid.cf2 - grid.cf3, -grid.cf3, 0}};
    if (k == top) return {top - 2, {0, grid.cfn - 1 + grid.fnp[top], 0}};
    return {k - 1, {grid.fnp[k], grid.fnm[k + 1], 0}};
}

/// Of a flux that does not leave through the surface and the top: the sum of weight times value.
OverLayer flux_over_layer(const GridView &grid, int k) {
    const int top = grid.nz - 1;
    if (k == 0) return {0, {grid.fnp[1], grid.fnm[1], 0}};
    if (k == top) return {top - 2, {0, -grid.fnp[top], -grid.fnm[top]}};
    return {k - 1, {-grid.fnp[k], grid.fnp[k + 1] - grid.fnm[k], grid.fnm[k + 1]}};
}

/// Through the faces of an axis: `direct` and `slope` for the flux -rho K grad(q).
template <Axis a>
void find_face_fluxes(Range faces, const GridView &grid, const Metrics &metrics, ConstField3 rho,
                      ConstField3 k_h, real factor, Field3 direct, Field3 slope) {
    const AxisView ax = view_along<a>(grid, metrics);
    for_each_row(faces, [=, &metrics](int k, int j) {
        constexpr int back = di<a>, down = dj<a>;
        return [factor, rd = ax.rd, along = ax.along.row(j), rho = rho.row(k, j),
                rho_low = rho.row(k, j - down) - back, k_h = k_h.row(k, j),
                k_low = k_h.row(k, j - down) - back, z = ax.slope.row(k, j), z_up = ax.slope.row(k + 1, j),
                rdzw = metrics.rdzw.row(k, j), rdzw_low = metrics.rdzw.row(k, j - down) - back,
                direct = direct.row(k, j), slope = slope.row(k, j)](int i) {
            const real flux =
                factor * along[i] * (half * (k_h[i] + k_low[i])) * (half * (rho[i] + rho_low[i]));
            const real per_dz = 2 * rdzw[i] * rdzw_low[i] / (rdzw[i] + rdzw_low[i]);
            direct[i] = -flux * rd;
            slope[i] = flux * (half * (z[i] + z_up[i])) * per_dz * half;
        };
    });
}

/// The flux of q through the faces of one row of columns, in row `line`.
template <Axis a>
void flux_through_row(Range row, const GridView &grid, ConstField3 direct, ConstField3 slope, ConstField3 q,
                      Field3 lines, int line) {
    for_each_row(row, [=, &grid](int k, int j) {
        constexpr int back = di<a>, down = dj<a>;
        const OverLayer over = field_over_layer(grid, k);
        const auto low = [&](int level) { return q.row(level, j - down) - back; };
        const int b = over.first;
        return [wl = over.weight[0], wu = over.weight[1], q = q.row(k, j), q_low = low(k), q0 = q.row(b, j),
                q0_low = low(b), q1 = q.row(b + 1, j), q1_low = low(b + 1), q2 = q.row(b + 2, j),
                q2_low = low(b + 2), direct = direct.row(k, j), slope = slope.row(k, j),
                flux = lines.row(k, line)](int i) {
            const real middle = q1[i] + q1_low[i];
            const real rise = wl * (middle - (q0[i] + q0_low[i])) + wu * ((q2[i] + q2_low[i]) - middle);
            flux[i] = direct[i] * (q[i] - q_low[i]) + slope[i] * rise;
        };
    });
}

/// Adds what the fluxes in `lines` (west faces in line 0) and those in the vertical leave in one row of
/// columns.
void add_convergence(Range row, const GridView &grid, const ScalarMixing &m, ConstField3 q, ConstProfile base,
                     ConstField3 lines, int south, int north, Field3 tend) {
    const int top = grid.nz - 1;
    for_each_row(row, [=, &grid, &m](int k, int j) {
        const OverLayer over = flux_over_layer(grid, k);
        const int b = over.first, below = std::max(k - 1, 0), above = std::min(k + 1, top);
        const auto at = [&](int level, int line) { return lines.row(level, line); };
        return
            [w0 = over.weight[0], w1 = over.weight[1], w2 = over.weight[2], x = at(k, 0), x0 = at(b, 0),
             x1 = at(b + 1, 0), x2 = at(b + 2, 0), s = at(k, south), s0 = at(b, south), s1 = at(b + 1, south),
             s2 = at(b + 2, south), n = at(k, north), n0 = at(b, north), n1 = at(b + 1, north),
             n2 = at(b + 2, north), convergence = m.convergence.row(k, j), tilt_x = m.tilt_x.row(k, j),
             tilt_y = m.tilt_y.row(k, j), up = m.up.row(k, j), up_above = m.up.row(k + 1, j), q = q.row(k, j),
             q_below = q.row(below, j), q_above = q.row(above, j), step = base[k] - base[below],
             step_above = base[above] - base[k], mx = grid.msftx.row(j), my = grid.msfty.row(j),
             rdx = grid.rdx, rdy = grid.rdy, per_eta = g * grid.rdnw[k], tend = tend.row(k, j)](int i) {
                const real over_x =
                    w0 * (x0[i] + x0[i + 1]) + w1 * (x1[i] + x1[i + 1]) + w2 * (x2[i] + x2[i + 1]);
                const real over_y = w0 * (s0[i] + n0[i]) + w1 * (s1[i] + n1[i]) + w2 * (s2[i] + n2[i]);
                const real along = mx[i] * rdx * (x[i + 1] - x[i]) + my[i] * rdy * (n[i] - s[i]);
                const real vertical =
                    up_above[i] * ((q_above[i] - q[i]) - step_above) - up[i] * ((q[i] - q_below[i]) - step);
                tend[i] += convergence[i] * along - (tilt_x[i] * over_x + tilt_y[i] * over_y) +
                           per_eta * vertical / my[i];
            };
    });
}

} // namespace

void find_mixing_geometry(Range cells, const GridView &grid, const Metrics &metrics, const ScalarMixing &m) {
    for_each_row(cells.with_k(0, grid.nz), [&](int k, int j) {
        const ConstField3 zx = metrics.zx, zy = metrics.zy;
        return [mx = grid.msftx.row(j), my = grid.msfty.row(j), rdzw = metrics.rdzw.row(k, j),
                zx = zx.row(k, j), zx_up = zx.row(k + 1, j), zy = zy.row(k, j), zy_north = zy.row(k, j + 1),
                zy_up = zy.row(k + 1, j), zy_up_north = zy.row(k + 1, j + 1),
                convergence = m.convergence.row(k, j), tilt_x = m.tilt_x.row(k, j),
                tilt_y = m.tilt_y.row(k, j), per_eta = g * grid.rdnw[k]](int i) {
            const real per_map = per_eta / my[i];
            convergence[i] = per_map / rdzw[i];
            tilt_x[i] = per_map * mx[i] * (eighth * (zx[i] + zx[i + 1] + zx_up[i] + zx_up[i + 1]));
            tilt_y[i] = per_eta * (eighth * (zy[i] + zy_north[i] + zy_up[i] + zy_up_north[i]));
        };
    });
}

void find_mixing_fluxes(Range cells, const GridView &grid, const Metrics &metrics, ConstField3 rho,
                        ConstField3 k_h, ConstField3 k_v, real factor, const ScalarMixing &m) {
    const int nz = grid.nz;
    const Range layers = cells.with_k(0, nz);
    find_face_fluxes<Axis::x>(layers.with_i(cells.i0, cells.i1 + 1), grid, metrics, rho, k_h, factor, m.west,
                              m.west_slope);
    find_face_fluxes<Axis::y>(layers.with_j(cells.j0, cells.j1 + 1), grid, metrics, rho, k_h, factor, m.south,
                              m.south_slope);
    const auto close = [&](int first, int last) {
        for_each_row(cells.with_k(first, last),
                     [&](int k, int j) { return [up = m.up.row(k, j)](int i) { up[i] = 0; }; });
    };
    if (!k_v.origin) return close(0, nz + 1);
    close(0, 1);
    close(nz, nz + 1);
    for_each_row(cells.with_k(1, nz), [&](int k, int j) {
        return [factor, fnm = grid.fnm[k], fnp = grid.fnp[k], k_v = k_v.row(k, j),
                k_below = k_v.row(k - 1, j), rho = rho.row(k, j), rho_below = rho.row(k - 1, j),
                rdz = metrics.rdz.row(k, j), up = m.up.row(k, j)](int i) {
            up[i] =
                -factor * (fnm * k_v[i] + fnp * k_below[i]) * (fnm * rho[i] + fnp * rho_below[i]) * rdz[i];
        };
    });
}

void add_scalar_mixing(Range cells, const GridView &grid, const ScalarMixing &m, ConstField3 q,
                       ConstProfile base, Field3 lines, Field3 tend) {
    if (cells.empty()) return;
    const Range layers = cells.with_k(0, grid.nz);
    int south = 1, north = 2;
    flux_through_row<Axis::y>(layers.with_j(cells.j0, cells.j0 + 1), grid, m.south, m.south_slope, q, lines,
                              south);
    for (int j = cells.j0; j < cells.j1; ++j) {
        const Range row = layers.with_j(j, j + 1);
        flux_through_row<Axis::x>(row.with_i(cells.i0, cells.i1 + 1), grid, m.west, m.west_slope, q, lines,
                                  0);
        flux_through_row<Axis::y>(row.with_j(j + 1, j + 2), grid, m.south, m.south_slope, q, lines, north);
        add_convergence(row, grid, m, q, base, lines, south, north, tend);
        std::swap(south, north);
    }
}

} // namespace squall::diffusion
