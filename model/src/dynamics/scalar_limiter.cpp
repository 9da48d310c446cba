// How much of the fluxes of a ScalarStage its limiter lets pass.
#include <algorithm>
#include <cmath>

#include "dynamics/slab_fluxes.hpp"

namespace squall {
namespace {

constexpr real tiny = real(1e-20); // keeps 0 / 0 away

template <class Limit> bool exceeds(int i0, int i1, const real *velocity, Limit limit) {
    int found = 0;
#pragma omp simd reduction(| : found)
    for (int i = i0; i < i1; ++i) found |= !(std::abs(velocity[i]) <= limit(i));
    return found != 0;
}

} // namespace

void find_fast_rows(const Range &rows, const GridView &g, const MovingAir &air, FastRows *found) {
    const int j = rows.j0, nx = g.nx, ny = g.ny, nz = g.nz;
    for (int k = rows.i0; k < rows.i1; ++k) {
        FastRows fast{};
        if (k < nz && j < ny)
            fast.x = exceeds(0, nx + 1, air.ru.row(k, j), half_cell_x(g, air.mu_old, air.dt, k, j));
        if (k < nz) fast.y = exceeds(0, nx, air.rv.row(k, j), half_cell_y(g, air.mu_old, air.dt, k, j));
        if (k > 0 && k < nz && j < ny)
            fast.z = exceeds(0, nx, air.omega.row(k, j), half_cell_z(g, air.mu_old, air.dt, k, j));
        found[j * (nz + 1) + k] = fast;
    }
}

void ScalarStage::find_scales(const Range &tile, Field3 out, Field3 in, const Scratch &scratch) const {
    SlabFluxes fluxes(scratch, 0, grid.nz, tile.i0);
    for (int j = tile.j0; j < tile.j1; ++j) {
        const Range slab = tile.with_j(j, j + 1);
        visit_slab(slab, j == tile.j0, {}, fluxes, [&](int k, const CellFluxes &c) {
            real *o = out.row(k, j);
            const auto left = [c, mass = layer_mass(grid, air.mu_old, k, j), q = old.row(k, j),
                               my = grid.msfty.row(j), dt = air.dt](int i) {
                return mass(i) * q[i] - dt * my[i] * c.upwind_divergence(i);
            };
            if (in.origin)
                find_monotonic_scales(slab.with_k(k, k + 1), c, left, o, in.row(k, j));
            else
                for_each_i(slab.i0, slab.i1, [=, my = grid.msfty.row(j), dt = air.dt](int i) {
                    const real going = dt * my[i] * c.outgoing_excess(i);
                    o[i] = std::clamp(left(i) / (going + tiny), real(0), real(1));
                });
        });
        for (const Field3 &scale : {out, in})
            for (int k = 0; k < grid.nz && scale.origin; ++k) {
                real *row = scale.row(k, j);
                if (rows.near(k, j) && scheme.y.crossed(j))
                    scheme.x.for_each_outermost(slab.i0, slab.i1, [row](int i) { row[i] = 1; });
                else // nothing is here, or it is outermost
                    std::fill(row + slab.i0, row + slab.i1, real(1));
            }
    }
}

/// The same with the extremes of a cell and its neighbours as bounds.
template <class Left>
void ScalarStage::find_monotonic_scales(Range row, const CellFluxes &c, Left left, real *out,
                                        real *in) const {
    const int k = row.k0, j = row.j0, lower = std::max(k - 1, 0), upper = std::min(k + 1, grid.nz - 1);
    for_each_i(row.i0, row.i1,
               [=, q = old.row(k, j), s = old.row(k, j - 1), n = old.row(k, j + 1), b = old.row(lower, j),
                a = old.row(upper, j), mass = layer_mass(grid, air.mu_new, k, j), my = grid.msfty.row(j),
                dt = air.dt](int i) {
                   const real least = std::min(std::min(std::min(q[i], q[i - 1]), std::min(q[i + 1], s[i])),
                                               std::min(std::min(n[i], b[i]), a[i]));
                   const real most = std::max(std::max(std::max(q[i], q[i - 1]), std::max(q[i + 1], s[i])),
                                              std::max(std::max(n[i], b[i]), a[i]));
                   const real going = dt * my[i] * c.outgoing_excess(i);
                   const real coming = dt * my[i] * c.incoming_excess(i);
                   out[i] = std::clamp((left(i) - least * mass(i)) / (going + tiny), real(0), real(1));
                   in[i] = std::clamp((most * mass(i) - left(i)) / (coming + tiny), real(0), real(1));
               });
}

} // namespace squall
