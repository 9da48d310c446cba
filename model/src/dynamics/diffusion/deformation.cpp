#include "dynamics/diffusion/deformation.hpp"

#include "dynamics/diffusion/axis.hpp"
#include "dynamics/diffusion/interfaces.hpp"
#include "dynamics/diffusion/numbers.hpp"

namespace squall::diffusion {
namespace {

/// The derivative at constant height of wind / map in one row of layer k, from the points `low` to the points
/// `high` (offsets in i and j): a function of i, 1/dz and the slope of the layer.
inline auto derivative_at_height(const GridView &grid, real rd, ConstField3 wind, ConstField2 map, Offset low,
                                 Offset high, int k, int j) {
    const AroundLayer around = extrapolated_around_layer(grid, k);
    const auto row = [&](int level, Offset o) { return wind.row(level, j + o.j) + o.i; };
    const int k0 = around.first;
    return
        [rd, over = difference_over(around), low_here = row(k, low), high_here = row(k, high),
         low_0 = row(k0, low), high_0 = row(k0, high), low_1 = row(k0 + 1, low), high_1 = row(k0 + 1, high),
         low_2 = row(k0 + 2, low), high_2 = row(k0 + 2, high), map_low = map.row(j + low.j) + low.i,
         map_high = map.row(j + high.j) + high.i](int i, real per_dz, real slope) {
            const real per_low = 1 / map_low[i], per_high = 1 / map_high[i];
            const real difference = over(half * (low_0[i] * per_low + high_0[i] * per_high),
                                         half * (low_1[i] * per_low + high_1[i] * per_high),
                                         half * (low_2[i] * per_low + high_2[i] * per_high));
            return rd * (high_here[i] * per_high - low_here[i] * per_low) - difference * per_dz * slope;
        };
}

/// 2 du/dx for axis x, 2 dv/dy for y. Derivatives are those of the wind over the map factor
/// across it, times both map factors (divergence form).
template <Axis a>
void normal_strain(Range cells, const GridView &grid, const Metrics &metrics, ConstField3 wind, Field3 d) {
    const AxisView ax = view_along<a>(grid, metrics);
    for_each_row(cells, [&](int k, int j) {
        constexpr Offset low{0, 0}, high{di<a>, dj<a>};
        return [derivative = derivative_at_height(grid, ax.rd, wind, ax.across, low, high, k, j),
                z = ax.slope.row(k, j), z_up = ax.slope.row(k + 1, j),
                z_high = ax.slope.row(k, j + high.j) + high.i,
                z_up_high = ax.slope.row(k + 1, j + high.j) + high.i, rdzw = metrics.rdzw.row(k, j),
                along = ax.cell_along.row(j), across = ax.cell_across.row(j), d = d.row(k, j)](int i) {
            const real slope = quarter * (z[i] + z_high[i] + z_up[i] + z_up_high[i]);
            d[i] = 2 * along[i] * across[i] * derivative(i, rdzw[i], slope);
        };
    });
}

/// du/dy + dv/dx on vertical edges, of each wind component over its own map factor.
void horizontal_shear(Range edges, const GridView &grid, const Metrics &metrics, ConstField3 u, ConstField3 v,
                      Field3 d) {
    for_each_row(edges, [&](int k, int j) {
        return [du_dy = derivative_at_height(grid, grid.rdy, u, grid.msfux, {0, -1}, {0, 0}, k, j),
                dv_dx = derivative_at_height(grid, grid.rdx, v, grid.msfvy, {-1, 0}, {0, 0}, k, j),
                zx = metrics.zx.row(k, j), zx_up = metrics.zx.row(k + 1, j),
                zx_south = metrics.zx.row(k, j - 1), zx_up_south = metrics.zx.row(k + 1, j - 1),
                zy = metrics.zy.row(k, j), zy_up = metrics.zy.row(k + 1, j), rdzw = metrics.rdzw.row(k, j),
                rdzw_south = metrics.rdzw.row(k, j - 1), msfux = grid.msfux.row(j),
                msfux_south = grid.msfux.row(j - 1), msfvy = grid.msfvy.row(j), d = d.row(k, j)](int i) {
            const real per_dz = quarter * (rdzw[i] + rdzw[i - 1] + rdzw_south[i - 1] + rdzw_south[i]);
            const real slope_x = quarter * (zx_south[i] + zx[i] + zx_up_south[i] + zx_up[i]);
            const real slope_y = quarter * (zy[i - 1] + zy[i] + zy_up[i - 1] + zy_up[i]);
            const real mm = quarter * (msfux_south[i] + msfux[i]) * (msfvy[i - 1] + msfvy[i]);
            d[i] = mm * (du_dy(i, per_dz, slope_y) + dv_dx(i, per_dz, slope_x));
        };
    });
}

/// dw/dx + du/dz for axis x, dw/dy + dv/dz for y, on inner interfaces; 0 at surface and top.
template <Axis a>
void vertical_shear(Range faces, const GridView &grid, const Metrics &metrics, ConstField3 wind,
                    ConstProfile base, ConstField3 w, Field3 d) {
    const AxisView ax = view_along<a>(grid, metrics);
    const int nz = grid.nz;
    for_each_row(faces.with_k(1, nz), [&](int k, int j) {
        const auto low = [j](ConstField3 q, int level) { return q.row(level, j - dj<a>) - di<a>; };
        return [w = w.row(k, j), w_low = low(w, k), above = w.row(k + 1, j), above_low = low(w, k + 1),
                below = w.row(k - 1, j), below_low = low(w, k - 1), map = ax.cell_across.row(j),
                map_low = ax.cell_across.row(j - dj<a>) - di<a>, rdz = metrics.rdz.row(k, j),
                rdz_low = low(metrics.rdz, k), slope = ax.slope.row(k, j), rd = ax.rd, wind = wind.row(k, j),
                wind_below = wind.row(k - 1, j), base = base[k] - base[k - 1], along = ax.along.row(j),
                across = ax.across.row(j), d = d.row(k, j)](int i) {
            const real per_map = 1 / map[i], per_map_low = 1 / map_low[i];
            const real per_dz = half * (rdz[i] + rdz_low[i]);
            const real w_above = above[i] * per_map + above_low[i] * per_map_low;
            const real w_below = below[i] * per_map + below_low[i] * per_map_low;
            const real tilt = quarter * (w_above - w_below) * per_dz * slope[i];
            const real w_along = rd * (w[i] * per_map - w_low[i] * per_map_low) - tilt;
            const real wind_up = ((wind[i] - wind_below[i]) - base) * per_dz;
            d[i] = along[i] * across[i] * w_along + wind_up;
        };
    });
    for_each_column(faces, [=](int i, int j) { d(i, 0, j) = d(i, nz, j) = 0; });
}

} // namespace

void compute_horizontal_deformation(Range cells, Range edges, const GridView &grid, const Metrics &metrics,
                                    ConstField3 u, ConstField3 v, const SymmetricTensor &d) {
    const Range layers = cells.with_k(0, grid.nz);
    horizontal_shear(edges.with_k(0, grid.nz), grid, metrics, u, v, d.xy);
    normal_strain<Axis::x>(layers, grid, metrics, u, d.xx);
    normal_strain<Axis::y>(layers, grid, metrics, v, d.yy);
}

void compute_vertical_deformation(Range cells, Range faces, const GridView &grid, const Metrics &metrics,
                                  ConstField3 u, ConstField3 v, ConstField3 w, ConstProfile u_base,
                                  ConstProfile v_base, const SymmetricTensor &d) {
    const Range layers = cells.with_k(0, grid.nz);
    const ConstField3 rdzw = metrics.rdzw;
    const Field3 zz = d.zz;
    for_each(layers,
             [=](int i, int k, int j) { zz(i, k, j) = 2 * (w(i, k + 1, j) - w(i, k, j)) * rdzw(i, k, j); });
    vertical_shear<Axis::x>(faces, grid, metrics, u, u_base, w, d.xz);
    vertical_shear<Axis::y>(faces, grid, metrics, v, v_base, w, d.yz);
}

} // namespace squall::diffusion
