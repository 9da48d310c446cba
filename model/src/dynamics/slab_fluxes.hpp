/// The inside of ScalarStage that its files share: fluxes of one scalar around the cells of a slab
/// (all levels of a line j of a tile).
#pragma once

#include <algorithm>

#include "dynamics/scalar_stage.hpp"

namespace squall {

/// Full mass of layer k of a column per unit eta, as a function of i.
inline auto layer_mass(const GridView &g, ConstField2 mu, int k, int j) {
    return [mub = g.mub.row(j), mu = mu.row(j), c1 = g.c1h[k], c2 = g.c2h[k]](int i) {
        return c1 * (mub[i] + mu[i]) + c2;
    };
}

/// The mass fluxes that take half of the smaller of the cells on both sides of a face within dt, as functions
/// of i: through the western faces of a row, the southern ones, and from level k to k - 1.
inline auto half_cell_x(const GridView &g, ConstField2 mu, real dt, int k, int j) {
    return [mass = layer_mass(g, mu, k, j), my = g.msfty.row(j), dx_dt = g.dx / dt](int i) {
        return real(0.5) * (mass(i) + mass(i - 1)) * dx_dt / (my[i] + my[i - 1]);
    };
}
inline auto half_cell_y(const GridView &g, ConstField2 mu, real dt, int k, int j) {
    return [north = layer_mass(g, mu, k, j), south = layer_mass(g, mu, k, j - 1), mx = g.msftx.row(j),
            mxs = g.msftx.row(j - 1), dy_dt = g.dy / dt](int i) {
        return real(0.5) * (north(i) + south(i)) * dy_dt / (mx[i] + mxs[i]);
    };
}
inline auto half_cell_z(const GridView &g, ConstField2 mu, real dt, int k, int j) {
    return [mass = layer_mass(g, mu, k, j), d_dt = -1 / ((g.rdnw[k] + g.rdnw[k - 1]) * dt)](int i) {
        return mass(i) * d_dt;
    };
}

/// Scales of the excess that leaves and enters the cells of a row; `in` may be without data.
struct ScaleRows {
    const real *out, *in;
};

/// What lies on both sides of a row of faces: a positive flux goes from the one to the other.
struct ScalarStage::Sides {
    const real *from, *to; ///< values at the beginning of the step
    ScaleRows scale_from, scale_to;
};

/// Where fluxes go from the cells of one row, `i` cells further east, to those of another.
inline ScalarStage::Sides ScalarStage::sides(const ExcessScales &scales, int k_from, int j_from, int k_to,
                                             int j_to, int i) const {
    const auto scales_of = [&scales](int k, int j, int shift) {
        return ScaleRows{scales.out.origin ? scales.out.row(k, j) + shift : nullptr,
                         scales.in.origin ? scales.in.row(k, j) + shift : nullptr};
    };
    return {old.row(k_from, j_from) + i, old.row(k_to, j_to), scales_of(k_from, j_from, i),
            scales_of(k_to, j_to, 0)};
}

/// Rows of upwind and of excess (higher-order less upwind) fluxes around the cells of one slab, the latter
/// all that may pass where that is known; those to the north are there as those to the south when the next
/// slab comes.
struct ScalarStage::SlabFluxes {
    SlabFluxes(const Scratch &scratch, int first, int nz, int i0) {
        int n = first;
        for (real **row : {&x_low, &x_excess, &z_low[0], &z_low[1], &z_excess[0], &z_excess[1]})
            *row = scratch.row(n++, i0);
        for (real **plane : {&low_[0], &low_[1], &excess_[0], &excess_[1]}) {
            *plane = scratch.row(n, i0);
            n += nz;
        }
        width = scratch.row(1, i0) - scratch.row(0, i0);
    }
    static int count(int nz) { return 6 + 4 * nz; }
    /// What crosses the southern faces of line j, level k.
    real *south_low(int k, int j) const { return low_[j & 1] + width * k; }
    real *south_excess(int k, int j) const { return excess_[j & 1] + width * k; }

    real *x_low, *x_excess;
    real *z_low[2], *z_excess[2]; ///< below and above
    std::ptrdiff_t width;

  private:
    real *low_[2], *excess_[2];
};

/// The same as seen from the cells of one row, with its metric: what crosses their faces, as mass-coupled
/// change per second.
struct ScalarStage::CellFluxes {
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
void ScalarStage::visit_slab(Range slab, bool first, const ExcessScales &scales, SlabFluxes &f,
                             Visit visit) const {
    const int j = slab.j0;
    const auto across_y = [&](int k, int face) {
        y_fluxes(slab, k, face, scales, f.south_low(k, face), f.south_excess(k, face));
    };
    int below = 0;
    if (rows.near(0, j)) z_fluxes(slab, 0, j, scales, f.z_low[below], f.z_excess[below]);
    for (int k = 0; k < grid.nz; ++k) {
        const int above = 1 - below;
        const bool here = rows.near(k, j), next = k + 1 < grid.nz && rows.near(k + 1, j);
        if (here && first) across_y(k, j);
        if (here || rows.near(k, j + 1)) across_y(k, j + 1);
        if (here) x_fluxes(slab, k, j, scales, f.x_low, f.x_excess);
        if (here || next) z_fluxes(slab, k + 1, j, scales, f.z_low[above], f.z_excess[above]);
        if (here)
            visit(k, CellFluxes{f.x_low, f.x_excess, f.south_low(k, j), f.south_excess(k, j),
                                f.south_low(k, j + 1), f.south_excess(k, j + 1), f.z_low[below],
                                f.z_excess[below], f.z_low[above], f.z_excess[above], grid.msftx.row(j),
                                grid.rdx, grid.rdy, grid.rdnw[k]});
        below = above;
    }
}

} // namespace squall
