#include "dynamics/diffusion/scalar.hpp"

#include <algorithm>
#include <utility>

#include "core/constants.hpp"
#include "dynamics/diffusion/axis.hpp"
#include "dynamics/diffusion/numbers.hpp"
#include "dynamics/row_flags.hpp"

namespace squall::diffusion {
namespace {

using constants::g;

/// The three layers that the difference of a quantity over layer k takes: its value at the top of the
/// layer less that at the bottom, interpolated between layers.
struct OverLayer {
    int first; ///< of the layers
    real weight[3];
};

/// Of a field, extrapolated to the surface and the top: weight[0] (q[1] - q[0]) + weight[1] (q[2] -
/// q[1]); differences, so that a constant has none to the last bit.
inline OverLayer field_over_layer(const GridView &grid, int k) {
    const int top = grid.nz - 1;
    if (k == 0) return {0, {grid.fnm[1] - grid.cf2 - grid.cf3, -grid.cf3, 0}};
    if (k == top) return {top - 2, {0, grid.cfn - 1 + grid.fnp[top], 0}};
    return {k - 1, {grid.fnp[k], grid.fnm[k + 1], 0}};
}

/// Through the faces of an axis: `direct` and `slope` for the flux -rho K grad(q).
template <Axis a>
void find_face_fluxes(Range faces, const GridView &grid, const Metrics &metrics, ConstField3 rho,
                      ConstField3 k_h, real factor, MixingForm form, Field3 direct, Field3 slope) {
    const AxisView ax = view_along<a>(grid, metrics);
    for_each_row(faces, [=, &metrics](int k, int j) {
        constexpr int back = di<a>, down = dj<a>;
        return [factor, rd = ax.rd, along = ax.along.row(j), across = ax.across.row(j), rho = rho.row(k, j),
                rho_low = rho.row(k, j - down) - back, k_h = k_h.row(k, j),
                k_low = k_h.row(k, j - down) - back, z = ax.slope.row(k, j), z_up = ax.slope.row(k + 1, j),
                rdzw = metrics.rdzw.row(k, j), rdzw_low = metrics.rdzw.row(k, j - down) - back,
                direct = direct.row(k, j), slope = slope.row(k, j)](int i) {
            const real flux =
                factor * along[i] / across[i] * (half * (k_h[i] + k_low[i])) * (half * (rho[i] + rho_low[i]));
            const real thickness = half * (rdzw[i] + rdzw_low[i]) / (rdzw[i] * rdzw_low[i]);
            direct[i] = -flux * rd * thickness;
            slope[i] = flux * (half * (z[i] + z_up[i])) * half;
        };
    });
    if (form == MixingForm::flux) return;
    for_each_row(faces, [=, &metrics](int k, int j) { // over their area, thickness over the map factor across
        return [across = ax.across.row(j), rdzw = metrics.rdzw.row(k, j),
                rdzw_low = metrics.rdzw.row(k, j - dj<a>) - di<a>, direct = direct.row(k, j),
                slope = slope.row(k, j)](int i) {
            const real per_area = across[i] * (2 * rdzw[i] * rdzw_low[i] / (rdzw[i] + rdzw_low[i]));
            direct[i] *= per_area;
            slope[i] *= per_area;
        };
    });
}

/// The flux of q through the faces of layer k in row j: a function of i.
template <Axis a>
inline auto flux_through_faces(const GridView &grid, ConstField3 direct, ConstField3 slope, ConstField3 q,
                               int k, int j) {
    constexpr int back = di<a>, down = dj<a>;
    const OverLayer over = field_over_layer(grid, k);
    const auto low = [&](int level) { return q.row(level, j - down) - back; };
    const int b = over.first;
    return [wl = over.weight[0], wu = over.weight[1], q = q.row(k, j), q_low = low(k), q0 = q.row(b, j),
            q0_low = low(b), q1 = q.row(b + 1, j), q1_low = low(b + 1), q2 = q.row(b + 2, j),
            q2_low = low(b + 2), direct = direct.row(k, j), slope = slope.row(k, j)](int i) {
        const real middle = q1[i] + q1_low[i];
        const real rise = wl * (middle - (q0[i] + q0_low[i])) + wu * ((q2[i] + q2_low[i]) - middle);
        return direct[i] * (q[i] - q_low[i]) + slope[i] * rise;
    };
}

/// What is known of one row of columns while it is mixed, in lines of its length.
struct Lines {
    Scratch rows;
    int nz, i0;
    int south = 1, north = 2; ///< which lines they are changes from row to row

    real *west_flux(int k) const { return row(0, k); }
    real *south_flux(int k) const { return row(south, k); }
    real *north_flux(int k) const { return row(north, k); }
    /// Through the interface below layer k, what the fluxes through sides send.
    real *tilted_flux(int k) const { return row(3, k); }

  private:
    real *row(int line, int k) const { return rows.row(line * (nz + 1) + k, i0); }
};

/// The fluxes through the sides of one row of columns, but for the southern ones.
void find_fluxes_in_row(Range row, const GridView &grid, const ScalarMixing &m, ConstField3 q,
                        const Lines &lines) {
    const int j = row.j0;
    for (int k = row.k0; k < row.k1; ++k)
        for_each_i(row.i0, row.i1 + 1,
                   [out_west = lines.west_flux(k), out_north = lines.north_flux(k),
                    west = flux_through_faces<Axis::x>(grid, m.west, m.west_slope, q, k, j),
                    north = flux_through_faces<Axis::y>(grid, m.south, m.south_slope, q, k, j + 1)](int i) {
                       const real w = west(i), n = north(i);
                       out_west[i] = w;
                       out_north[i] = n;
                   });
}

/// Through the interface below layer k, what the fluxes through the sides of layers k and k - 1 send: a
/// function of i.
inline auto tilted(const ScalarMixing &m, const Lines &lines, int k, int j) {
    return [x = lines.west_flux(k), x_low = lines.west_flux(k - 1), s = lines.south_flux(k),
            s_low = lines.south_flux(k - 1), n = lines.north_flux(k), n_low = lines.north_flux(k - 1),
            tilt_x = m.tilt_x.row(k, j), tilt_y = m.tilt_y.row(k, j)](int i) {
        return tilt_x[i] * ((x[i] + x[i + 1]) + (x_low[i] + x_low[i + 1])) +
               tilt_y[i] * ((s[i] + n[i]) + (s_low[i] + n_low[i]));
    };
}

/// Adds what the fluxes in `lines` and those in the vertical leave in one row of columns. Nothing is sent
/// through the lowest and the highest interface.
void add_convergence(Range row, const GridView &grid, const ScalarMixing &m, ConstField3 q, ConstProfile base,
                     const Lines &lines, Field3 tend) {
    const int top = grid.nz - 1, j = row.j0;
    const auto add = [&](int k, auto sent_above) {
        const int low = std::max(k - 1, 0), high = std::min(k + 1, top);
        for_each_i(row.i0, row.i1,
                   [=, below = lines.tilted_flux(k), above = lines.tilted_flux(k + 1), x = lines.west_flux(k),
                    s = lines.south_flux(k), n = lines.north_flux(k), up = m.up.row(k, j),
                    up_above = m.up.row(k + 1, j), q_here = q.row(k, j), q_below = q.row(low, j),
                    q_above = q.row(high, j), step = base[k] - base[low], step_above = base[high] - base[k],
                    mx = grid.msftx.row(j), my = grid.msfty.row(j), rdx = grid.rdx, rdy = grid.rdy,
                    per_eta = g * grid.rdnw[k], out = tend.row(k, j)](int i) {
                       const real sent = sent_above(i);
                       const real along = mx[i] * (rdx * (x[i + 1] - x[i]) + rdy * (n[i] - s[i]));
                       const real vertical = up_above[i] * ((q_above[i] - q_here[i]) - step_above) -
                                             up[i] * ((q_here[i] - q_below[i]) - step);
                       out[i] += per_eta * (along - (sent - below[i]) + vertical / my[i]);
                       above[i] = sent;
                   });
    };
    std::fill(lines.tilted_flux(row.k0) + row.i0, lines.tilted_flux(row.k0) + row.i1, real(0));
    for (int k = row.k0; k < row.k1 - 1; ++k) add(k, tilted(m, lines, k + 1, j));
    add(row.k1 - 1, [](int) { return real(0); });
}

/// Of a flux through sides, none leaving through the surface and the top: the sum of weight times value is
/// its value at the top of layer k less that at the bottom, interpolated between layers.
OverLayer flux_over_layer(const GridView &grid, int k) {
    const int top = grid.nz - 1;
    if (k == 0) return {0, {grid.fnp[1], grid.fnm[1], 0}};
    if (k == top) return {top - 2, {0, -grid.fnp[top], -grid.fnm[top]}};
    return {k - 1, {-grid.fnp[k], grid.fnp[k + 1] - grid.fnm[k], grid.fnm[k + 1]}};
}

/// add_convergence with MixingForm::wrf.
void add_convergence_as_wrf(Range row, const GridView &grid, const Metrics &metrics, const ScalarMixing &m,
                            ConstField3 q, ConstProfile base, const Lines &lines, Field3 tend) {
    const int top = grid.nz - 1, j = row.j0;
    for (int k = row.k0; k < row.k1; ++k) {
        const int low = std::max(k - 1, 0), high = std::min(k + 1, top);
        const OverLayer over = flux_over_layer(grid, k);
        const auto over_layer = [&](auto sum_of_two) { // of twice the flux on layers
            return [=, a = sum_of_two(over.first), b = sum_of_two(over.first + 1),
                    c = sum_of_two(over.first + 2)](int i) {
                return over.weight[0] * a(i) + over.weight[1] * b(i) + over.weight[2] * c(i);
            };
        };
        const auto over_x = over_layer(
            [&](int layer) { return [x = lines.west_flux(layer)](int i) { return x[i] + x[i + 1]; }; });
        const auto over_y = over_layer([&](int layer) {
            return [s = lines.south_flux(layer), n = lines.north_flux(layer)](int i) { return s[i] + n[i]; };
        });
        for_each_i(row.i0, row.i1,
                   [=, x = lines.west_flux(k), s = lines.south_flux(k), n = lines.north_flux(k),
                    zx = metrics.zx.row(k, j), zx_up = metrics.zx.row(k + 1, j), zy = metrics.zy.row(k, j),
                    zy_north = metrics.zy.row(k, j + 1), zy_up = metrics.zy.row(k + 1, j),
                    zy_up_north = metrics.zy.row(k + 1, j + 1), rdzw = metrics.rdzw.row(k, j),
                    up = m.up.row(k, j), up_above = m.up.row(k + 1, j), q_here = q.row(k, j),
                    q_below = q.row(low, j), q_above = q.row(high, j), step = base[k] - base[low],
                    step_above = base[high] - base[k], mx = grid.msftx.row(j), my = grid.msfty.row(j),
                    rdx = grid.rdx, rdy = grid.rdy, per_eta = g * grid.rdnw[k], out = tend.row(k, j)](int i) {
                       const real slope_x = eighth * (zx[i] + zx[i + 1] + zx_up[i] + zx_up[i + 1]);
                       const real slope_y = eighth * (zy[i] + zy_north[i] + zy_up[i] + zy_up_north[i]);
                       const real along = mx[i] * rdx * (x[i + 1] - x[i]) + my[i] * rdy * (n[i] - s[i]);
                       const real tilted = mx[i] * slope_x * over_x(i) + my[i] * slope_y * over_y(i);
                       const real vertical = up_above[i] * ((q_above[i] - q_here[i]) - step_above) -
                                             up[i] * ((q_here[i] - q_below[i]) - step);
                       out[i] += per_eta * (along / rdzw[i] - tilted + vertical) / my[i];
                   });
    }
}

/// The layers to mix: of most clouds and tracers there is nothing in most of them. Fluxes reach over two
/// layers from where there is something.
Range layers_to_mix(Range cells, int nz, ConstField3 q, ConstProfile base) {
    if (std::any_of(base, base + nz, [](real b) { return b != 0; })) return cells.with_k(0, nz);
    const Range around = widened(cells, 1, 1);
    const auto empty = [&](int k) {
        for (int j = around.j0; j < around.j1; ++j)
            if (any_of_row(q.row(k, j), around.i0, around.i1)) return false;
        return true;
    };
    int low = 0, high = nz;
    while (low < high && empty(low)) ++low;
    while (low < high && empty(high - 1)) --high;
    return low < high ? cells.with_k(std::max(low - 2, 0), std::min(high + 2, nz)) : cells.with_k(0, 0);
}

} // namespace

void find_mixing_geometry(Range cells, const GridView &grid, const Metrics &metrics, const ScalarMixing &m) {
    for_each_row(cells.with_k(1, grid.nz), [&](int k, int j) {
        return [mx = grid.msftx.row(j), rdz = metrics.rdz.row(k, j), zx = metrics.zx.row(k, j),
                zy = metrics.zy.row(k, j), zy_north = metrics.zy.row(k, j + 1), tilt_x = m.tilt_x.row(k, j),
                tilt_y = m.tilt_y.row(k, j)](int i) {
            const real scale = eighth * mx[i] * rdz[i];
            tilt_x[i] = scale * (zx[i] + zx[i + 1]);
            tilt_y[i] = scale * (zy[i] + zy_north[i]);
        };
    });
}

void find_mixing_fluxes(Range cells, Range part, const GridView &grid, const Metrics &metrics,
                        ConstField3 rho, ConstField3 k_h, ConstField3 k_v, real factor, MixingForm form,
                        const ScalarMixing &m) {
    const int nz = grid.nz;
    const Range some = part.with_k(0, nz), wide = cells.with_k(0, nz).with_i(cells.i0, cells.i1 + 1);
    find_face_fluxes<Axis::x>(wide.within(some), grid, metrics, rho, k_h, factor, form, m.west, m.west_slope);
    // One column more than there are cells: fluxes to the west and to the north share a loop.
    find_face_fluxes<Axis::y>(wide.with_j(cells.j0, cells.j1 + 1).within(some), grid, metrics, rho, k_h,
                              factor, form, m.south, m.south_slope);
    const Range above = cells.within(part);
    const auto close = [&](int first, int last) {
        for_each_row(above.with_k(first, last),
                     [&](int k, int j) { return [up = m.up.row(k, j)](int i) { up[i] = 0; }; });
    };
    if (!k_v.origin) return close(0, nz + 1);
    close(0, 1);
    close(nz, nz + 1);
    for_each_row(above.with_k(1, nz), [&](int k, int j) {
        return [factor, fnm = grid.fnm[k], fnp = grid.fnp[k], k_v = k_v.row(k, j),
                k_below = k_v.row(k - 1, j), rho = rho.row(k, j), rho_below = rho.row(k - 1, j),
                rdz = metrics.rdz.row(k, j), up = m.up.row(k, j)](int i) {
            up[i] =
                -factor * (fnm * k_v[i] + fnp * k_below[i]) * (fnm * rho[i] + fnp * rho_below[i]) * rdz[i];
        };
    });
}

namespace {

/// Row by row: finds the fluxes of the layers `mixed` and hands them to add(row, lines).
template <class Add>
void mix_rows(Range mixed, const GridView &grid, const ScalarMixing &m, ConstField3 q, const Scratch &rows,
              Add add) {
    Lines at{rows, grid.nz, mixed.i0};
    for_each_row(mixed.with_j(mixed.j0, mixed.j0 + 1), [&](int k, int j) {
        return [out = at.south_flux(k),
                south = flux_through_faces<Axis::y>(grid, m.south, m.south_slope, q, k, j)](int i) {
            out[i] = south(i);
        };
    });
    for (int j = mixed.j0; j < mixed.j1; ++j) {
        const Range row = mixed.with_j(j, j + 1);
        find_fluxes_in_row(row, grid, m, q, at);
        add(row, at);
        std::swap(at.south, at.north);
    }
}

} // namespace

void add_scalar_mixing(Range cells, const GridView &grid, const ScalarMixing &m, ConstField3 q,
                       ConstProfile base, const Scratch &rows, Field3 tend) {
    if (cells.empty()) return;
    const Range mixed = layers_to_mix(cells, grid.nz, q, base);
    if (mixed.empty()) return;
    mix_rows(mixed, grid, m, q, rows,
             [&](Range row, const Lines &at) { add_convergence(row, grid, m, q, base, at, tend); });
}

void add_scalar_mixing_as_wrf(Range cells, const GridView &grid, const Metrics &metrics,
                              const ScalarMixing &m, ConstField3 q, ConstProfile base, const Scratch &rows,
                              Field3 tend) {
    if (cells.empty() || layers_to_mix(cells, grid.nz, q, base).empty()) return;
    mix_rows(cells.with_k(0, grid.nz), grid, m, q, rows, [&](Range row, const Lines &at) {
        add_convergence_as_wrf(row, grid, metrics, m, q, base, at, tend);
    });
}

} // namespace squall::diffusion
