#include "dynamics/diffusion/deformation.hpp"

#include "dynamics/diffusion/axis.hpp"
#include "dynamics/diffusion/interfaces.hpp"

namespace squall::diffusion {
namespace {

constexpr real half = real(0.5), quarter = real(0.25);

/// 2 du/dx for axis x, 2 dv/dy for y. Derivatives are those of the wind over the map factor
/// across it, times both map factors (divergence form).
template <Axis a>
void normal_strain(Range cells, const GridView &grid, const Metrics &metrics, ConstField3 wind, Field3 d,
                   Field3 interfaces) {
    const AxisView ax = view_along<a>(grid, metrics);
    const ConstField3 rdzw = metrics.rdzw, at = interfaces;
    const auto low = [=](int i, int k, int j) { return wind(i, k, j) / ax.across(i, j); };
    const auto high = [=](int i, int k, int j) { return low(i + di<a>, k, j + dj<a>); };
    extrapolate_to_interfaces(
        cells, grid, [=](int i, int k, int j) { return half * (low(i, k, j) + high(i, k, j)); }, interfaces);
    for_each(cells, [=](int i, int k, int j) {
        const real slope = quarter * (ax.slope(i, k, j) + after<a>(ax.slope, i, k, j) +
                                      ax.slope(i, k + 1, j) + after<a>(ax.slope, i, k + 1, j));
        const real on_surface = ax.rd * (high(i, k, j) - low(i, k, j));
        const real tilt = (at(i, k + 1, j) - at(i, k, j)) * rdzw(i, k, j) * slope;
        d(i, k, j) = 2 * ax.cell_along(i, j) * ax.cell_across(i, j) * (on_surface - tilt);
    });
}

/// out = derivative along axis a, on vertical edges, of the wind component across it over that
/// component's own map factor: du/dy for y, dv/dx for x.
template <Axis a>
void cross_derivative(Range edges, const GridView &grid, const Metrics &metrics, ConstField3 wind, Field3 out,
                      Field3 interfaces) {
    const AxisView ax = view_along<a>(grid, metrics);
    const ConstField2 map = view_along<other<a>>(grid, metrics).along;
    const ConstField3 rdzw = metrics.rdzw, at = interfaces;
    const auto high = [=](int i, int k, int j) { return wind(i, k, j) / map(i, j); };
    const auto low = [=](int i, int k, int j) { return high(i - di<a>, k, j - dj<a>); };
    extrapolate_to_interfaces(
        edges, grid, [=](int i, int k, int j) { return half * (low(i, k, j) + high(i, k, j)); }, interfaces);
    for_each(edges, [=](int i, int k, int j) {
        const real slope = quarter * (before<other<a>>(ax.slope, i, k, j) + ax.slope(i, k, j) +
                                      before<other<a>>(ax.slope, i, k + 1, j) + ax.slope(i, k + 1, j));
        const real per_dz =
            quarter * (rdzw(i, k, j) + rdzw(i - 1, k, j) + rdzw(i - 1, k, j - 1) + rdzw(i, k, j - 1));
        out(i, k, j) =
            ax.rd * (high(i, k, j) - low(i, k, j)) - (at(i, k + 1, j) - at(i, k, j)) * per_dz * slope;
    });
}

/// dw/dx + du/dz for axis x, dw/dy + dv/dz for y, on inner interfaces; 0 at surface and top.
template <Axis a>
void vertical_shear(Range faces, const GridView &grid, const Metrics &metrics, ConstField3 wind,
                    ConstProfile base, ConstField3 w, Field3 d) {
    const AxisView ax = view_along<a>(grid, metrics);
    const ConstField3 rdz = metrics.rdz;
    const int nz = grid.nz;
    const auto high = [=](int i, int k, int j) { return w(i, k, j) / ax.cell_across(i, j); };
    const auto low = [=](int i, int k, int j) { return high(i - di<a>, k, j - dj<a>); };
    for_each(faces.with_k(1, nz), [=](int i, int k, int j) {
        const real per_dz = half * (rdz(i, k, j) + before<a>(rdz, i, k, j));
        const real w_above = high(i, k + 1, j) + low(i, k + 1, j);
        const real w_below = high(i, k - 1, j) + low(i, k - 1, j);
        const real tilt = quarter * (w_above - w_below) * per_dz * ax.slope(i, k, j);
        const real w_along = ax.rd * (high(i, k, j) - low(i, k, j)) - tilt;
        const real wind_up = ((wind(i, k, j) - wind(i, k - 1, j)) - (base[k] - base[k - 1])) * per_dz;
        d(i, k, j) = ax.along(i, j) * ax.across(i, j) * w_along + wind_up;
    });
    for_each_column(faces, [=](int i, int j) { d(i, 0, j) = d(i, nz, j) = 0; });
}

} // namespace

void compute_horizontal_deformation(Range cells, const GridView &grid, const Metrics &metrics, ConstField3 u,
                                    ConstField3 v, const SymmetricTensor &d, Field3 interfaces) {
    const Range layers = cells.with_k(0, grid.nz), edges = widened(layers, 0, 1);
    // du/dy waits in the place of xx until dv/dx is there too.
    const Field3 xy = d.xy;
    const ConstField3 du_dy = d.xx;
    const ConstField2 msfux = grid.msfux, msfvy = grid.msfvy;
    cross_derivative<Axis::y>(edges, grid, metrics, u, d.xx, interfaces);
    cross_derivative<Axis::x>(edges, grid, metrics, v, d.xy, interfaces);
    for_each(edges, [=](int i, int k, int j) {
        const real mm = quarter * (msfux(i, j - 1) + msfux(i, j)) * (msfvy(i - 1, j) + msfvy(i, j));
        xy(i, k, j) = mm * (du_dy(i, k, j) + xy(i, k, j));
    });
    normal_strain<Axis::x>(layers, grid, metrics, u, d.xx, interfaces);
    normal_strain<Axis::y>(layers, grid, metrics, v, d.yy, interfaces);
}

void compute_vertical_deformation(Range cells, const GridView &grid, const Metrics &metrics, ConstField3 u,
                                  ConstField3 v, ConstField3 w, ConstProfile u_base, ConstProfile v_base,
                                  const SymmetricTensor &d) {
    const Range layers = cells.with_k(0, grid.nz), faces = widened(layers, 0, 1);
    const ConstField3 rdzw = metrics.rdzw;
    const Field3 zz = d.zz;
    for_each(layers,
             [=](int i, int k, int j) { zz(i, k, j) = 2 * (w(i, k + 1, j) - w(i, k, j)) * rdzw(i, k, j); });
    vertical_shear<Axis::x>(faces, grid, metrics, u, u_base, w, d.xz);
    vertical_shear<Axis::y>(faces, grid, metrics, v, v_base, w, d.yz);
}

} // namespace squall::diffusion
