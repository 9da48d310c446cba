/// The inside of ScalarTransport that its files share: fluxes of one scalar around the cells of a slab
/// (all levels of a line j of a tile).
#pragma once

#include <algorithm>

#include "dynamics/scalar_transport.hpp"

namespace squall {

/// Full mass of layer k of a column per unit eta, as a function of i.
inline auto layer_mass(const GridView &g, ConstField2 mu, int k, int j) {
    return [mub = g.mub.row(j), mu = mu.row(j), c1 = g.c1h[k], c2 = g.c2h[k]](int i) {
        return c1 * (mub[i] + mu[i]) + c2;
    };
}

/// What a stage works with for one scalar.
struct ScalarTransport::Update {
    ConstField3 ru, rv, omega;
    ConstField3 old, stage, held;
    ConstField2 mu_old, mu_new;
    ConstField3 out, in; ///< scales, in the last stage
    Range inner;
    real dt;
    bool limited;
    const ActiveRows *rows;
};

/// Rows of upwind and of excess (higher-order less upwind) fluxes around the cells of one slab.
struct ScalarTransport::SlabFluxes {
    SlabFluxes(Scratch &scratch, int first, int nz, int i0) {
        int n = first;
        const auto row = [&] { return scratch.row(n++, i0); };
        for (real **r :
             {&x_low, &x_excess, &north_low, &north_excess, &z_low[0], &z_low[1], &z_excess[0], &z_excess[1]})
            *r = row();
        south_low = row();
        width = scratch.row(1, i0) - scratch.row(0, i0);
        south_excess = south_low + width * nz;
    }
    real *x_low, *x_excess, *north_low, *north_excess;
    real *z_low[2], *z_excess[2];   ///< below and above
    real *south_low, *south_excess; ///< nz rows each
    std::ptrdiff_t width;
};

/// The same as seen from the cells of one row, with its metric: what crosses their faces, as mass-coupled
/// change per second.
struct ScalarTransport::CellFluxes {
    const real *xl, *xe, *sl, *se, *nl, *ne, *bl, *be, *al, *ae; ///< below and above by height
    const real *mx;
    real rdx, rdy, rd; ///< rd < 0: eta falls with height

    real upwind_divergence(int i) const {
        return mx[i] * (rdx * (xl[i + 1] - xl[i]) + rdy * (nl[i] - sl[i])) + rd * (al[i] - bl[i]);
    }
    real outgoing_excess(int i) const {
        return mx[i] * (rdx * (plus(xe[i + 1]) - minus(xe[i])) + rdy * (plus(ne[i]) - minus(se[i]))) +
               rd * (minus(ae[i]) - plus(be[i]));
    }
    real incoming_excess(int i) const {
        return mx[i] * (rdx * (plus(xe[i]) - minus(xe[i + 1])) + rdy * (plus(se[i]) - minus(ne[i]))) +
               rd * (minus(be[i]) - plus(ae[i]));
    }
    static real plus(real q) { return std::max(q, real(0)); }
    static real minus(real q) { return std::min(q, real(0)); }
};

/// Hands the fluxes around the cells of each active row of a slab to visit(k, fluxes), from the lowest up;
/// the others have none. Slabs are visited from south to north; the first must say so.
template <class Visit>
void ScalarTransport::visit_slab(Range slab, bool first, const Update &u, SlabFluxes &f, Visit visit) const {
    const int j = slab.j0;
    const auto active = [&](int k, int jj) { return u.rows->near(k, jj); };
    for (int k = 0; k < grid_.nz && first; ++k)
        if (active(k, j)) y_fluxes(slab, k, j, u, f.south_low + f.width * k, f.south_excess + f.width * k);
    int below = 0;
    if (active(0, j)) z_fluxes(slab, 0, j, u, f.z_low[below], f.z_excess[below]);
    for (int k = 0; k < grid_.nz; ++k) {
        const int above = 1 - below;
        const bool here = active(k, j), next = k + 1 < grid_.nz && active(k + 1, j), north = active(k, j + 1);
        real *south_low = f.south_low + f.width * k, *south_excess = f.south_excess + f.width * k;
        if (here) x_fluxes(slab, k, j, u, f.x_low, f.x_excess);
        if (here || north) y_fluxes(slab, k, j + 1, u, f.north_low, f.north_excess);
        if (here || next) z_fluxes(slab, k + 1, j, u, f.z_low[above], f.z_excess[above]);
        if (here)
            visit(k, CellFluxes{f.x_low, f.x_excess, south_low, south_excess, f.north_low, f.north_excess,
                                f.z_low[below], f.z_excess[below], f.z_low[above], f.z_excess[above],
                                grid_.msftx.row(j), grid_.rdx, grid_.rdy, grid_.rdnw[k]});
        if (north) {
            std::copy_n(f.north_excess + slab.i0, slab.i1 - slab.i0, south_excess + slab.i0);
            if (u.limited) std::copy_n(f.north_low + slab.i0, slab.i1 - slab.i0, south_low + slab.i0);
        }
        below = above;
    }
}

} // namespace squall
