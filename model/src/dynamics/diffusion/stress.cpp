#include "dynamics/diffusion/stress.hpp"

#include "core/constants.hpp"
#include "dynamics/diffusion/axis.hpp"
#include "dynamics/diffusion/interfaces.hpp"
#include "dynamics/diffusion/numbers.hpp"

namespace squall::diffusion {
namespace {

using constants::g;

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

/// The derivative at constant height of a stress on layer k, from the points `low` to the points `high`,
/// times the layer's thickness: a function of i, the inverse distance, the thickness and the slope. No stress
/// acts at the surface and the top.
inline auto difference_at_height(const GridView &grid, ConstField3 tau, Offset low, Offset high, int k,
                                 int j) {
    const AroundLayer around = closed_around_layer(grid, k);
    const auto row = [&](int level, Offset o) { return tau.row(level, j + o.j) + o.i; };
    const int k0 = around.first;
    return [over = difference_over(around), low_here = row(k, low), high_here = row(k, high),
            low_0 = row(k0, low), high_0 = row(k0, high), low_1 = row(k0 + 1, low),
            high_1 = row(k0 + 1, high), low_2 = row(k0 + 2, low),
            high_2 = row(k0 + 2, high)](int i, real rd, real dz, real slope) {
        const real difference =
            over(half * (low_0[i] + high_0[i]), half * (low_1[i] + high_1[i]), half * (low_2[i] + high_2[i]));
        return rd * (high_here[i] - low_here[i]) * dz - slope * difference;
    };
}

/// u for axis x (normal stress xx), v for y (yy). On a surface of constant height
/// d/dx = d/dx|_eta - (dz/dx) d/dz, and the mass per eta over rho is -g dz/d(eta).
template <Axis a>
void add_horizontal_wind_mixing(Range faces, const GridView &grid, const Metrics &metrics, ConstField3 normal,
                                ConstField3 xy, Field3 tend) {
    constexpr Axis b = other<a>;
    const AxisView ax = view_along<a>(grid, metrics);
    const AxisView bx = view_along<b>(grid, metrics);
    for_each_row(faces, [&](int k, int j) {
        constexpr Offset here{0, 0}, back{-di<a>, -dj<a>}, on{di<b>, dj<b>};
        constexpr Offset back_on{back.i + on.i, back.j + on.j};
        const auto row = [j](ConstField3 q, int level, Offset o) { return q.row(level, j + o.j) + o.i; };
        return
            [normal = difference_at_height(grid, normal, back, here, k, j),
             xy = difference_at_height(grid, xy, here, on, k, j), rd_a = ax.rd, rd_b = bx.rd,
             rdzw = row(metrics.rdzw, k, here), rdzw_low = row(metrics.rdzw, k, back),
             z = row(ax.slope, k, here), z_up = row(ax.slope, k + 1, here), zb_back = row(bx.slope, k, back),
             zb = row(bx.slope, k, here), zb_back_on = row(bx.slope, k, back_on),
             zb_on = row(bx.slope, k, on), zb_up_back = row(bx.slope, k + 1, back),
             zb_up = row(bx.slope, k + 1, here), zb_up_back_on = row(bx.slope, k + 1, back_on),
             zb_up_on = row(bx.slope, k + 1, on), map_along = ax.along.row(j), map_across = ax.across.row(j),
             per_eta = g * grid.rdnw[k], tend = tend.row(k, j)](int i) {
                const real dz = half * (1 / rdzw[i] + 1 / rdzw_low[i]);
                const real slope_a = half * (z[i] + z_up[i]);
                const real slope_b = eighth * ((zb_back[i] + zb[i] + zb_back_on[i] + zb_on[i]) +
                                               (zb_up_back[i] + zb_up[i] + zb_up_back_on[i] + zb_up_on[i]));
                const real along = normal(i, rd_a, dz, slope_a), across = xy(i, rd_b, dz, slope_b);
                tend[i] += per_eta * (map_along[i] * along + map_across[i] * across) / map_across[i];
            };
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

void stress_from_deformation(Range cells, Range edges, const GridView &grid, ConstField3 rho,
                             const Viscosity &k, const SymmetricTensor &tensor) {
    const ConstField3 k_h = k.momentum_h;
    const SymmetricTensor t = tensor;
    for_each(cells.with_k(0, grid.nz), [=](int i, int kk, int j) {
        const real factor = -rho(i, kk, j) * k_h(i, kk, j);
        t.xx(i, kk, j) *= factor;
        t.yy(i, kk, j) *= factor;
        t.zz(i, kk, j) *= factor;
    });
    const auto on_edge = [](ConstField3 q, int i, int kk, int j) {
        return quarter * (q(i - 1, kk, j) + q(i, kk, j) + q(i - 1, kk, j - 1) + q(i, kk, j - 1));
    };
    for_each(edges.with_k(0, grid.nz), [=](int i, int kk, int j) {
        t.xy(i, kk, j) *= -on_edge(rho, i, kk, j) * on_edge(k_h, i, kk, j);
    });
    vertical_shear_stress<Axis::x>(edges, grid, rho, k.momentum_v, t.xz);
    vertical_shear_stress<Axis::y>(edges, grid, rho, k.momentum_v, t.yz);
}

void add_horizontal_stress_divergence(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                      const Metrics &metrics, const SymmetricTensor &stress,
                                      const TendencyFields &t) {
    const int nz = grid.nz;
    add_horizontal_wind_mixing<Axis::x>(u_faces.with_k(0, nz), grid, metrics, stress.xx, stress.xy, t.u);
    add_horizontal_wind_mixing<Axis::y>(v_faces.with_k(0, nz), grid, metrics, stress.yy, stress.xy, t.v);
    add_horizontal_w_mixing(cells, grid, metrics, stress.xz, stress.yz, t.w);
}

void add_vertical_stress_divergence(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                    const SymmetricTensor &stress, const TendencyFields &t) {
    add_vertical_wind_mixing(u_faces.with_k(0, grid.nz), grid, grid.msfuy, stress.xz, t.u);
    add_vertical_wind_mixing(v_faces.with_k(0, grid.nz), grid, grid.msfvx, stress.yz, t.v);
    const ConstProfile rdn = grid.rdn;
    const ConstField3 zz = stress.zz;
    const ConstField2 my = grid.msfty;
    const Field3 w = t.w;
    for_each(cells.with_k(1, grid.nz), [=](int i, int k, int j) {
        w(i, k, j) += g * rdn[k] * (zz(i, k, j) - zz(i, k - 1, j)) / my(i, j);
    });
}

} // namespace squall::diffusion
