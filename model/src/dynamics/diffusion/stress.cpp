#include "dynamics/diffusion/stress.hpp"

#include "core/constants.hpp"
#include "dynamics/diffusion/axis.hpp"
#include "dynamics/diffusion/interfaces.hpp"

namespace squall::diffusion {
namespace {

constexpr real g = constants::g;
constexpr real half = real(0.5), quarter = real(0.25), eighth = real(0.125);

template <Axis a>
void vertical_shear_stress(Range faces, const GridView &grid, ConstField3 rho, ConstField3 k_v, Field3 tau) {
    const ConstProfile fnm = grid.fnm, fnp = grid.fnp;
    const auto on_face = [=](ConstField3 q, int i, int k, int j) {
        return half * (fnm[k] * (q(i, k, j) + before<a>(q, i, k, j)) +
                       fnp[k] * (q(i, k - 1, j) + before<a>(q, i, k - 1, j)));
    };
    for_each(faces.with_k(1, grid.nz),
             [=](int i, int k, int j) { tau(i, k, j) *= -on_face(rho, i, k, j) * on_face(k_v, i, k, j); });
}

/// u for axis x (normal stress xx), v for y (yy). On a surface of constant height
/// d/dx = d/dx|_eta - (dz/dx) d/dz, and the mass per eta over rho is -g dz/d(eta).
template <Axis a>
void add_horizontal_wind_mixing(Range faces, const GridView &grid, const Metrics &metrics, ConstField3 normal,
                                ConstField3 xy, Field3 normal_at, Field3 xy_at, Field3 tend) {
    constexpr Axis b = other<a>;
    const AxisView ax = view_along<a>(grid, metrics);
    const AxisView bx = view_along<b>(grid, metrics);
    const ConstField3 rdzw = metrics.rdzw;
    const ConstProfile rdnw = grid.rdnw;
    close_at_interfaces(
        faces, grid,
        [=](int i, int k, int j) { return half * (before<a>(normal, i, k, j) + normal(i, k, j)); },
        normal_at);
    close_at_interfaces(
        faces, grid, [=](int i, int k, int j) { return half * (after<b>(xy, i, k, j) + xy(i, k, j)); },
        xy_at);
    const auto cross_slope = [=](int i, int k, int j) { // over the four faces of the other axis around
        return before<a>(bx.slope, i, k, j) + bx.slope(i, k, j) +
               bx.slope(i - di<a> + di<b>, k, j - dj<a> + dj<b>) + after<b>(bx.slope, i, k, j);
    };
    for_each(faces, [=](int i, int k, int j) {
        const real dz = half * (1 / rdzw(i, k, j) + 1 / before<a>(rdzw, i, k, j));
        const real slope_a = half * (ax.slope(i, k, j) + ax.slope(i, k + 1, j));
        const real slope_b = eighth * (cross_slope(i, k, j) + cross_slope(i, k + 1, j));
        const real along = ax.rd * (normal(i, k, j) - before<a>(normal, i, k, j)) * dz -
                           slope_a * (normal_at(i, k + 1, j) - normal_at(i, k, j));
        const real across = bx.rd * (after<b>(xy, i, k, j) - xy(i, k, j)) * dz -
                            slope_b * (xy_at(i, k + 1, j) - xy_at(i, k, j));
        tend(i, k, j) += g * rdnw[k] * (ax.along(i, j) * along + ax.across(i, j) * across) / ax.across(i, j);
    });
}

void add_horizontal_w_mixing(Range cells, const GridView &grid, const Metrics &metrics, ConstField3 xz,
                             ConstField3 yz, Field3 tend) {
    const ConstField3 zx = metrics.zx, zy = metrics.zy, rdz = metrics.rdz;
    const ConstField2 mx = grid.msftx, my = grid.msfty;
    const ConstProfile rdn = grid.rdn;
    const real rdx = grid.rdx, rdy = grid.rdy;
    for_each(cells.with_k(1, grid.nz), [=](int i, int k, int j) {
        const real dz = 1 / rdz(i, k, j);
        const real slope_x = half * (zx(i, k, j) + zx(i + 1, k, j));
        const real slope_y = half * (zy(i, k, j) + zy(i, k, j + 1));
        const real xz_up =
            quarter * (xz(i, k + 1, j) + xz(i + 1, k + 1, j) - xz(i, k - 1, j) - xz(i + 1, k - 1, j));
        const real yz_up =
            quarter * (yz(i, k + 1, j) + yz(i, k + 1, j + 1) - yz(i, k - 1, j) - yz(i, k - 1, j + 1));
        const real in_x = rdx * (xz(i + 1, k, j) - xz(i, k, j)) * dz - slope_x * xz_up;
        const real in_y = rdy * (yz(i, k, j + 1) - yz(i, k, j)) * dz - slope_y * yz_up;
        tend(i, k, j) += g * rdn[k] * (mx(i, j) * in_x + my(i, j) * in_y) / my(i, j);
    });
}

void add_vertical_wind_mixing(Range faces, const GridView &grid, ConstField2 map_across, ConstField3 tau,
                              Field3 tend) {
    const ConstProfile rdnw = grid.rdnw;
    for_each(faces, [=](int i, int k, int j) {
        tend(i, k, j) += g * rdnw[k] * (tau(i, k + 1, j) - tau(i, k, j)) / map_across(i, j);
    });
}

} // namespace

void stress_from_deformation(Range tile, const GridView &grid, ConstField3 rho, const Viscosity &k,
                             const SymmetricTensor &tensor) {
    const Range layers = tile.with_k(0, grid.nz), edges = widened(layers, 0, 1);
    const ConstField3 k_h = k.momentum_h;
    const SymmetricTensor t = tensor;
    for_each(widened(layers, 1, 0), [=](int i, int kk, int j) {
        const real factor = -rho(i, kk, j) * k_h(i, kk, j);
        t.xx(i, kk, j) *= factor;
        t.yy(i, kk, j) *= factor;
        t.zz(i, kk, j) *= factor;
    });
    const auto on_edge = [](ConstField3 q, int i, int kk, int j) {
        return quarter * (q(i - 1, kk, j) + q(i, kk, j) + q(i - 1, kk, j - 1) + q(i, kk, j - 1));
    };
    for_each(edges, [=](int i, int kk, int j) {
        t.xy(i, kk, j) *= -on_edge(rho, i, kk, j) * on_edge(k_h, i, kk, j);
    });
    vertical_shear_stress<Axis::x>(edges, grid, rho, k.momentum_v, t.xz);
    vertical_shear_stress<Axis::y>(edges, grid, rho, k.momentum_v, t.yz);
}

void add_horizontal_stress_divergence(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                      const Metrics &metrics, const SymmetricTensor &stress,
                                      Field3 interfaces_1, Field3 interfaces_2, Tendencies &t) {
    const int nz = grid.nz;
    add_horizontal_wind_mixing<Axis::x>(u_faces.with_k(0, nz), grid, metrics, stress.xx, stress.xy,
                                        interfaces_1, interfaces_2, t.u.view());
    add_horizontal_wind_mixing<Axis::y>(v_faces.with_k(0, nz), grid, metrics, stress.yy, stress.xy,
                                        interfaces_1, interfaces_2, t.v.view());
    add_horizontal_w_mixing(cells, grid, metrics, stress.xz, stress.yz, t.w.view());
}

void add_vertical_stress_divergence(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                    const SymmetricTensor &stress, Tendencies &t) {
    add_vertical_wind_mixing(u_faces.with_k(0, grid.nz), grid, grid.msfuy, stress.xz, t.u.view());
    add_vertical_wind_mixing(v_faces.with_k(0, grid.nz), grid, grid.msfvx, stress.yz, t.v.view());
    const ConstProfile rdn = grid.rdn;
    const ConstField3 zz = stress.zz;
    const ConstField2 my = grid.msfty;
    const Field3 w = t.w.view();
    for_each(cells.with_k(1, grid.nz), [=](int i, int k, int j) {
        w(i, k, j) += g * rdn[k] * (zz(i, k, j) - zz(i, k - 1, j)) / my(i, j);
    });
}

} // namespace squall::diffusion
