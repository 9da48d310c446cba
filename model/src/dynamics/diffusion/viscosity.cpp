#include "dynamics/diffusion/viscosity.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/diffusion/numbers.hpp"

namespace squall::diffusion {
namespace {

/// Upper bound of the two-dimensional closure as a velocity.
constexpr real max_velocity = 10;

/// Square of the horizontal grid length, map factors applied.
inline auto horizontal_length2(const GridView &g) {
    const ConstField2 mx = g.msftx, my = g.msfty;
    return [mx, my, dx = g.dx, dy = g.dy](int i, int j) { return dx / mx(i, j) * (dy / my(i, j)); };
}

/// Components on edges and faces, averaged to cells.
inline real xy_on_cell(ConstField3 d, int i, int k, int j) {
    return quarter * (d(i, k, j) + d(i, k, j + 1) + d(i + 1, k, j) + d(i + 1, k, j + 1));
}
inline real xz_on_cell(ConstField3 d, int i, int k, int j) {
    return quarter * (d(i, k, j) + d(i, k + 1, j) + d(i + 1, k, j) + d(i + 1, k + 1, j));
}
inline real yz_on_cell(ConstField3 d, int i, int k, int j) {
    return quarter * (d(i, k, j) + d(i, k + 1, j) + d(i, k, j + 1) + d(i, k + 1, j + 1));
}

/// Callable: magnitude of the horizontal deformation on a cell.
inline auto horizontal_magnitude(const SymmetricTensor &d) {
    return [xx = ConstField3(d.xx), yy = ConstField3(d.yy), xy = ConstField3(d.xy)](int i, int k, int j) {
        return std::sqrt(quarter * square(xx(i, k, j) - yy(i, k, j)) + square(xy_on_cell(xy, i, k, j)));
    };
}

/// Callable: |D|^2 on a cell.
inline auto squared_magnitude(const SymmetricTensor &d) {
    return [xx = ConstField3(d.xx), yy = ConstField3(d.yy), zz = ConstField3(d.zz), xy = ConstField3(d.xy),
            xz = ConstField3(d.xz), yz = ConstField3(d.yz)](int i, int k, int j) {
        return half * (square(xx(i, k, j)) + square(yy(i, k, j)) + square(zz(i, k, j))) +
               square(xy_on_cell(xy, i, k, j)) + square(xz_on_cell(xz, i, k, j)) +
               square(yz_on_cell(yz, i, k, j));
    };
}

} // namespace

void smagorinsky_2d(Range cells, const GridView &grid, const SymmetricTensor &deformation, real c_s,
                    real prandtl, const Viscosity &viscosity) {
    const auto length2 = horizontal_length2(grid);
    const auto magnitude = horizontal_magnitude(deformation);
    const Field3 momentum = viscosity.momentum_h, scalar = viscosity.scalar_h;
    for_each(cells.with_k(0, grid.nz), [=](int i, int k, int j) {
        const real l2 = length2(i, j);
        momentum(i, k, j) = std::min(c_s * c_s * l2 * magnitude(i, k, j), max_velocity * std::sqrt(l2));
        scalar(i, k, j) = momentum(i, k, j) / prandtl;
    });
}

void limit_on_slopes(Range cells, const GridView &grid, const Metrics &metrics,
                     const SymmetricTensor &deformation, const Viscosity &viscosity) {
    const auto length2 = horizontal_length2(grid);
    const auto magnitude = horizontal_magnitude(deformation);
    const ConstField3 zx = metrics.zx, zy = metrics.zy, rdzw = metrics.rdzw;
    const ConstField2 mx = grid.msftx, my = grid.msfty;
    const Field3 momentum = viscosity.momentum_h, scalar = viscosity.scalar_h;
    const real dx = grid.dx, dy = grid.dy;
    for_each(cells.with_k(0, grid.nz), [=](int i, int k, int j) {
        const real slope_x = quarter * (std::abs(zx(i, k, j)) + std::abs(zx(i + 1, k, j)) +
                                        std::abs(zx(i, k + 1, j)) + std::abs(zx(i + 1, k + 1, j)));
        const real slope_y = quarter * (std::abs(zy(i, k, j)) + std::abs(zy(i, k, j + 1)) +
                                        std::abs(zy(i, k + 1, j)) + std::abs(zy(i, k + 1, j + 1)));
        const real rise =
            rdzw(i, k, j) * std::sqrt(square(slope_x * dx / mx(i, j)) + square(slope_y * dy / my(i, j)));
        const real steepness = std::max(rise, real(1));
        const real large = std::max(max_velocity / std::sqrt(length2(i, j)), real(1e-3));
        const real factor = magnitude(i, k, j) > large ? 1 / square(steepness) : 1 / steepness;
        momentum(i, k, j) *= factor;
        scalar(i, k, j) *= factor;
    });
}

void smagorinsky_3d(Range cells, const GridView &grid, const Metrics &metrics,
                    const SymmetricTensor &deformation, ConstField3 n2, real c_s, real prandtl, real dt,
                    const Viscosity &viscosity) {
    const auto length2 = horizontal_length2(grid);
    const auto magnitude2 = squared_magnitude(deformation);
    const ConstField3 rdzw = metrics.rdzw;
    const Viscosity out = viscosity;
    for_each(cells.with_k(0, grid.nz), [=](int i, int k, int j) {
        const real excess = magnitude2(i, k, j) - n2(i, k, j) / prandtl;
        const real rate = std::max(c_s * c_s * std::sqrt(std::max(excess, real(0))), min_rate);
        const real momentum = std::min(rate, max_diffusion_number / dt);
        const real scalar = std::min(momentum / prandtl, max_diffusion_number / dt);
        const real lh2 = length2(i, j), lv2 = 1 / square(rdzw(i, k, j));
        out.momentum_h(i, k, j) = momentum * lh2;
        out.momentum_v(i, k, j) = momentum * lv2;
        out.scalar_h(i, k, j) = scalar * lh2;
        out.scalar_v(i, k, j) = scalar * lv2;
    });
}

} // namespace squall::diffusion
