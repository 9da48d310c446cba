// The limiters of ScalarTransport.
#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/slab_fluxes.hpp"

namespace squall {
namespace {

constexpr real tiny = real(1e-20); // keeps 0 / 0 away

} // namespace

/// Which rows of faces have a velocity that would take more than half a cell.
void ScalarTransport::find_fast_rows(ConstField2 mu, real dt) {
    const auto fast = [](int i0, int i1, const real *velocity, auto limit) {
        int found = 0;
#pragma omp simd reduction(| : found)
        for (int i = i0; i < i1; ++i) found |= !(std::abs(velocity[i]) <= limit(i));
        return found != 0;
    };
    const int nx = grid_.nx, ny = grid_.ny, nz = grid_.nz;
#pragma omp parallel for schedule(static)
    for (int j = 0; j <= ny; ++j)
        for (int k = 0; k <= nz; ++k) {
            FastRows rows{};
            if (k < nz && j < ny) rows.x = fast(0, nx + 1, ru().row(k, j), half_cell_x(grid_, mu, dt, k, j));
            if (k < nz) rows.y = fast(0, nx, rv().row(k, j), half_cell_y(grid_, mu, dt, k, j));
            if (k > 0 && k < nz && j < ny)
                rows.z = fast(0, nx, omega().row(k, j), half_cell_z(grid_, mu, dt, k, j));
            fast_[static_cast<std::size_t>(j * (nz + 1) + k)] = rows;
        }
}

/// How much of its outgoing excess a cell can afford, and of the incoming it can hold.
void ScalarTransport::find_scales(const Update &u, int n) {
    const GridView &g = grid_;
    const Field3 out = out_[static_cast<std::size_t>(n)].view();
    const Field3 in = in_.empty() ? Field3{} : in_[static_cast<std::size_t>(n)].view();
    for_each_tile(tiles_, [&](const Range &tile) {
        SlabFluxes fluxes(scratch(), 0, g.nz, tile.i0);
        for (int j = tile.j0; j < tile.j1; ++j) {
            const Range slab = tile.with_j(j, j + 1);
            visit_slab(slab, j == tile.j0, u, fluxes, [&](int k, const CellFluxes &c) {
                real *o = out.row(k, j);
                const auto left = [c, mass = layer_mass(g, u.mu_old, k, j), q = u.old.row(k, j),
                                   my = g.msfty.row(j), dt = u.dt](int i) {
                    return mass(i) * q[i] - dt * my[i] * c.upwind_divergence(i);
                };
                if (in.origin)
                    find_monotonic_scales(slab.with_k(k, k + 1), u, c, left, o, in.row(k, j));
                else
                    for_each_i(slab.i0, slab.i1, [=, my = g.msfty.row(j), dt = u.dt](int i) {
                        const real going = dt * my[i] * c.outgoing_excess(i);
                        o[i] = std::clamp(left(i) / (going + tiny), real(0), real(1));
                    });
            });
            for (const Field3 &scale : {out, in})
                for (int k = 0; k < g.nz && scale.origin; ++k) {
                    real *row = scale.row(k, j);
                    if (u.rows->near(k, j) && scheme_.y.crossed(j))
                        scheme_.x.for_each_outermost(slab.i0, slab.i1, [row](int i) { row[i] = 1; });
                    else // nothing is here, or it is outermost
                        std::fill(row + slab.i0, row + slab.i1, real(1));
                }
        }
    });
}

/// The same with the extremes of a cell and its neighbours as bounds.
template <class Left>
void ScalarTransport::find_monotonic_scales(Range row, const Update &u, const CellFluxes &c, Left left,
                                            real *out, real *in) const {
    const GridView &g = grid_;
    const int k = row.k0, j = row.j0, lower = std::max(k - 1, 0), upper = std::min(k + 1, g.nz - 1);
    for_each_i(row.i0, row.i1,
               [=, q = u.old.row(k, j), s = u.old.row(k, j - 1), n = u.old.row(k, j + 1),
                b = u.old.row(lower, j), a = u.old.row(upper, j), mass = layer_mass(g, u.mu_new, k, j),
                my = g.msfty.row(j), dt = u.dt](int i) {
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
