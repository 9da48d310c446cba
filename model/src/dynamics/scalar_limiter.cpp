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
            const int i0 = j < crossed_.j0 || j >= crossed_.j1 ? tile.i1 : std::max(tile.i0, crossed_.i0);
            const int i1 = std::max(i0, std::min(tile.i1, crossed_.i1));
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

/// tend = -(divergence of the upwind fluxes and of the share of the excess that may pass).
void ScalarTransport::limited_tendency(Range slab, bool first, const Update &u, SlabFluxes &fluxes,
                                       Field3 tend) const {
    const int j = slab.j0;
    const bool y = j >= crossed_.j0 && j < crossed_.j1;
    const int i0 = std::max(slab.i0, crossed_.i0), i1 = std::min(slab.i1, crossed_.i1);
    const auto run = [&](auto room) {
        // What passes a face from the cell `low` below it to the cell `high` above it, or back.
        const auto share = [room](real excess, real out_low, real in_high, real out_high, real in_low) {
            return excess *
                   (excess > 0 ? std::min(out_low, room(in_high)) : std::min(out_high, room(in_low)));
        };
        const ConstField3 in = u.in.origin ? u.in : u.out; // not looked at if anything may come in
        visit_slab(slab, first, u, fluxes, [&](int k, const CellFluxes &c) {
            const int lower = std::max(k - 1, 0), upper = std::min(k + 1, grid_.nz - 1);
            real *t = tend.row(k, j);
            for_each_i(slab.i0, slab.i1,
                       [=, o = u.out.row(k, j), n = in.row(k, j), ob = u.out.row(lower, j),
                        nb = in.row(lower, j), oa = u.out.row(upper, j), na = in.row(upper, j)](int i) {
                           // Positive goes down: from the cell above a face to that below it.
                           const real above = c.al[i] + share(c.ae[i], oa[i], n[i], o[i], na[i]);
                           const real below = c.bl[i] + share(c.be[i], o[i], nb[i], ob[i], n[i]);
                           t[i] = -c.rd * (above - below);
                       });
            if (y)
                for_each_i(slab.i0, slab.i1,
                           [=, o = u.out.row(k, j), n = in.row(k, j), os = u.out.row(k, j - 1),
                            ns = in.row(k, j - 1), on = u.out.row(k, j + 1), nn = in.row(k, j + 1)](int i) {
                               const real north = c.nl[i] + share(c.ne[i], o[i], nn[i], on[i], n[i]);
                               const real south = c.sl[i] + share(c.se[i], os[i], n[i], o[i], ns[i]);
                               t[i] -= c.mx[i] * c.rdy * (north - south);
                           });
            for_each_i(i0, i1, [=, o = u.out.row(k, j), n = in.row(k, j)](int i) {
                const real east = c.xl[i + 1] + share(c.xe[i + 1], o[i], n[i + 1], o[i + 1], n[i]);
                const real west = c.xl[i] + share(c.xe[i], o[i - 1], n[i], o[i], n[i - 1]);
                t[i] -= c.mx[i] * c.rdx * (east - west);
            });
        });
    };
    if (u.in.origin)
        run([](real q) { return q; });
    else
        run([](real) { return real(1); });
}

} // namespace squall
