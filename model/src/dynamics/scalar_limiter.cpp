// The limiters of ScalarTransport.
#include <algorithm>
#include <utility>

#include "dynamics/slab_fluxes.hpp"

namespace squall {
namespace {

constexpr real tiny = real(1e-20); // keeps 0 / 0 away

} // namespace

/// How much of its outgoing excess a cell can afford, and of the incoming it can hold.
void ScalarTransport::find_scales(const Update &u, int n) {
    const GridView &g = grid_;
    const Field3 out = out_[static_cast<std::size_t>(n)].view();
    const Field3 in = in_.empty() ? Field3{} : in_[static_cast<std::size_t>(n)].view();
    for_each_tile(tiles_, [&](const Range &tile) {
        SlabFluxes fluxes(scratch(), 0, g.nz, tile.i0);
        for (int j = tile.j0; j < tile.j1; ++j) {
            const Range slab = tile.with_j(j, j + 1);
            const int i0 = scheme_.y.crossed(j) ? std::max(tile.i0, scheme_.x.crossed_begin) : tile.i1;
            const int i1 = std::max(i0, std::min(tile.i1, scheme_.x.crossed_end));
            for (const Field3 &scale : {out, in}) // of cells that are outermost, or where nothing is
                for (int k = 0; k < g.nz && scale.origin; ++k)
                    std::fill(scale.row(k, j) + tile.i0, scale.row(k, j) + tile.i1, real(1));
            visit_slab(slab, j == tile.j0, u, fluxes, [&](int k, const CellFluxes &c) {
                real *o = out.row(k, j);
                const auto left = [c, mass = layer_mass(g, u.mu_old, k, j), q = u.old.row(k, j),
                                   my = g.msfty.row(j), dt = u.dt](int i) {
                    return mass(i) * q[i] - dt * my[i] * c.upwind_divergence(i);
                };
                if (in.origin)
                    find_monotonic_scales({i0, i1, j, j + 1, k, k + 1}, u, c, left, o, in.row(k, j));
                else
                    for_each_i(i0, i1, [=, my = g.msfty.row(j), dt = u.dt](int i) {
                        const real going = dt * my[i] * c.outgoing_excess(i);
                        o[i] = std::clamp(left(i) / (going + tiny), real(0), real(1));
                    });
            });
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

namespace {

/// Of the excess fluxes of a row of faces what may pass, and the upwind fluxes, in place of the excess. A
/// positive flux goes from the cells `from` to the cells `to`.
template <class Room>
void pass_row(int i0, int i1, ScaleRows from, ScaleRows to, Room room, const real *low, real *excess) {
    for_each_i_ahead(i0, i1, [=](int i) {
        const real share =
            excess[i] > 0 ? std::min(from.out[i], room(to.in, i)) : std::min(to.out[i], room(from.in, i));
        excess[i] = low[i] + excess[i] * share;
    });
}

} // namespace

void ScalarTransport::pass_excess(Range row, const Update &u, ScaleRows from, ScaleRows to, const real *low,
                                  real *excess) const {
    if (u.in.origin)
        pass_row(
            row.i0, row.i1, from, to, [](const real *in, int i) { return in[i]; }, low, excess);
    else
        pass_row(
            row.i0, row.i1, from, to, [](const real *, int) { return real(1); }, low, excess);
}

} // namespace squall
