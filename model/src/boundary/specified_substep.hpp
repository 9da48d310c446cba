/// An acoustic substep of the rows that follow the source of a domain's sides: its tendencies, and nothing
/// else.
#pragma once

#include "boundary/rim_field.hpp"
#include "dynamics/acoustic.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// Adds a tendency of the source's in some levels of a field over `dts` seconds, in the outermost `rows`.
inline void add_tendency(const Rim &rim, const Range &points, int rows, const RimFieldView &field, real dts,
                         Field3 into) {
    rim.for_each_line(points.with_k(0, field.levels()), field.points(), 0, rows, [&](const RimLine &line) {
        for_each_row(line.points, [&](int k, int j) {
            return [q = into.row(k, j), tendency = field.row(line, k, j).tendency, dts](int i) {
                q[i] += dts * tendency[i];
            };
        });
    });
}

/// As kernels hold it.
struct SpecifiedSubstep {
    GridView grid;
    Rim rim;
    int rows; ///< that are specified
    RimFieldView u, v, theta, ph, mu;

    /// Of u and v on the specified faces of the tile, for `dts` seconds; a tile that ends with the patch has
    /// the faces beyond its last cells too.
    void advance_momentum(const Range &tile, real dts, const AcousticFields &a) const {
        const Range u_faces = tile.with_i(tile.i0, tile.i1 == grid.nx ? tile.i1 + 1 : tile.i1),
                    v_faces = tile.with_j(tile.j0, tile.j1 == grid.ny ? tile.j1 + 1 : tile.j1);
        add_tendency(rim, u_faces, rows, u, dts, a.u);
        add_tendency(rim, v_faces, rows, v, dts, a.v);
    }

    /// Of mu, theta and geopotential in the specified columns; ph_ref and mu_ref are the stage's reference
    /// state.
    void advance_columns(const Range &tile, real dts, ConstField3 ph_ref, ConstField2 mu_ref,
                         const AcousticFields &a) const;

    /// Runs f(range) for each line of specified cells in the tile.
    template <class F> void for_each_line(const Range &tile, F f) const {
        rim.for_each_line(tile, Points::cells, 0, rows, [&](const RimLine &l) { f(l.points); });
    }
};

inline void SpecifiedSubstep::advance_columns(const Range &tile, real dts, ConstField3 ph_ref,
                                              ConstField2 mu_ref, const AcousticFields &a) const {
    const GridView &g = grid;
    rim.for_each_line(tile.with_k(0, 1), Points::cells, 0, rows, [&](const RimLine &line) {
        for_each_row(line.points, [&](int, int j) {
            return [q = a.mu.row(j), tendency = mu.row(line, 0, j).tendency, dts](int i) {
                q[i] += dts * tendency[i];
            };
        });
    });
    add_tendency(rim, tile, rows, theta, dts, a.theta);
    // M phi changes by dts times its tendency, M being the full mass and phi reference and departure.
    rim.for_each_line(tile.with_k(0, g.nz + 1), Points::cells, 0, rows, [&](const RimLine &line) {
        for_each_row(line.points, [&](int k, int j) {
            return [q = a.ph.row(k, j), ref = ph_ref.row(k, j), tendency = ph.row(line, k, j).tendency,
                    mu_tendency = mu.row(line, 0, j).tendency, mub = g.mub.row(j), mu_ref = mu_ref.row(j),
                    departure = a.mu.row(j), c1 = g.c1f[k], c2 = g.c2f[k], dts](int i) {
                const real column = mub[i] + mu_ref[i] + departure[i];
                const real mass = c1 * column + c2, before = c1 * (column - dts * mu_tendency[i]) + c2;
                const real share = before / mass;
                q[i] = q[i] * share + dts * tendency[i] / mass + ref[i] * (share - 1);
            };
        });
    });
}

} // namespace squall
