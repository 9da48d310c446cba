#include "dynamics/diffusion/scalar.hpp"

#include "core/constants.hpp"
#include "dynamics/diffusion/axis.hpp"
#include "dynamics/diffusion/interfaces.hpp"

namespace squall::diffusion {
namespace {

constexpr real g = constants::g;
constexpr real half = real(0.5), quarter = real(0.25);

/// Flux along the axis through its faces.
template <Axis a>
void horizontal_flux(Range faces, const GridView &grid, const Metrics &metrics, ConstField3 q,
                     ConstField3 rho, ConstField3 k_h, Field3 interfaces, Field3 flux) {
    const AxisView ax = view_along<a>(grid, metrics);
    const ConstField3 rdzw = metrics.rdzw, at = interfaces;
    const auto on_face = [](ConstField3 x, int i, int k, int j) {
        return half * (x(i, k, j) + before<a>(x, i, k, j));
    };
    extrapolate_to_interfaces(
        faces, grid, [=](int i, int k, int j) { return on_face(q, i, k, j); }, interfaces);
    for_each(faces, [=](int i, int k, int j) {
        const real slope = half * (ax.slope(i, k, j) + ax.slope(i, k + 1, j));
        const real per_dz = 2 / (1 / rdzw(i, k, j) + 1 / before<a>(rdzw, i, k, j));
        const real gradient =
            ax.rd * (q(i, k, j) - before<a>(q, i, k, j)) - slope * (at(i, k + 1, j) - at(i, k, j)) * per_dz;
        flux(i, k, j) = -ax.along(i, j) * on_face(k_h, i, k, j) * on_face(rho, i, k, j) * gradient;
    });
}

template <Axis a>
void add_flux_divergence(Range cells, const GridView &grid, const Metrics &metrics, ConstField3 flux,
                         Field3 interfaces, Field3 tend) {
    const AxisView ax = view_along<a>(grid, metrics);
    const ConstField3 rdzw = metrics.rdzw, at = interfaces;
    const ConstField2 my = grid.msfty;
    const ConstProfile rdnw = grid.rdnw;
    close_at_interfaces(
        cells, grid, [=](int i, int k, int j) { return half * (after<a>(flux, i, k, j) + flux(i, k, j)); },
        interfaces);
    for_each(cells, [=](int i, int k, int j) {
        const real slope = quarter * (ax.slope(i, k, j) + after<a>(ax.slope, i, k, j) +
                                      ax.slope(i, k + 1, j) + after<a>(ax.slope, i, k + 1, j));
        const real across = ax.rd * (after<a>(flux, i, k, j) - flux(i, k, j)) / rdzw(i, k, j) -
                            slope * (at(i, k + 1, j) - at(i, k, j));
        tend(i, k, j) += g * rdnw[k] * ax.cell_along(i, j) * across / my(i, j);
    });
}

} // namespace

void add_horizontal_scalar_mixing(Range tile, const GridView &grid, const Metrics &metrics, ConstField3 q,
                                  ConstField3 rho, ConstField3 k_h, Field3 flux, Field3 interfaces,
                                  Field3 tend) {
    const Range cells = tile.with_k(0, grid.nz), faces = widened(cells, 0, 1);
    horizontal_flux<Axis::x>(faces, grid, metrics, q, rho, k_h, interfaces, flux);
    add_flux_divergence<Axis::x>(cells, grid, metrics, flux, interfaces, tend);
    horizontal_flux<Axis::y>(faces, grid, metrics, q, rho, k_h, interfaces, flux);
    add_flux_divergence<Axis::y>(cells, grid, metrics, flux, interfaces, tend);
}

void add_vertical_scalar_mixing(Range tile, const GridView &grid, const Metrics &metrics, ConstField3 q,
                                ConstProfile base, ConstField3 rho, ConstField3 k_v, Field3 tend) {
    const ConstProfile fnm = grid.fnm, fnp = grid.fnp, rdnw = grid.rdnw;
    const ConstField3 rdz = metrics.rdz;
    const ConstField2 my = grid.msfty;
    const auto flux = [=](int i, int k, int j) { // through inner interface k
        const real k_rho = (fnm[k] * k_v(i, k, j) + fnp[k] * k_v(i, k - 1, j)) *
                           (fnm[k] * rho(i, k, j) + fnp[k] * rho(i, k - 1, j));
        return -k_rho * ((q(i, k, j) - q(i, k - 1, j)) - (base[k] - base[k - 1])) * rdz(i, k, j);
    };
    with_flux_differences(tile, grid, flux, [=](int i, int k, int j, real difference) {
        tend(i, k, j) += g * rdnw[k] * difference / my(i, j);
    });
}

} // namespace squall::diffusion
