/// The rows that follow the source of a domain's sides, and nothing else: its tendencies in acoustic
/// substeps, its values at the end of a step.
#pragma once

#include "boundary/rim_source.hpp"
#include "dynamics/acoustic.hpp"
#include "grid/grid_view.hpp"
#include "grid/state.hpp"

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

/// What a scalar is in air that flows in: a field's value, or `constant` where that has no data.
struct Inflow {
    real constant = 0;
    ConstField3 field = {};
};

/// As kernels hold them. Ranges are tiles of cells, their k unused.
struct SpecifiedRows {
    GridView grid;
    Rim rim;
    int rows;             ///< that are specified
    RimFieldViews source; ///< w without levels where it does not know it

    /// Of u and v on the specified faces of the tile, for `dts` seconds; a tile that ends with the patch has
    /// the faces beyond its last cells too.
    void advance_momentum(const Range &tile, real dts, const AcousticFields &a) const {
        add_tendency(rim, faces_u(tile), rows, source.u, dts, a.u);
        add_tendency(rim, faces_v(tile), rows, source.v, dts, a.v);
    }

    /// Of mu, theta and geopotential in the specified columns; ph_ref and mu_ref are the stage's reference
    /// state.
    void advance_columns(const Range &tile, real dts, ConstField3 ph_ref, ConstField2 mu_ref,
                         const AcousticFields &a) const;

    /// Runs f(range) for each line of specified cells in the tile.
    template <class F> void for_each_line(const Range &tile, F f) const {
        rim.for_each_line(tile, Points::cells, 0, rows, [&](const RimLine &l) { f(l.points); });
    }

    /// The departure of w in the specified columns at the end of a stage of `dt` seconds: by the source's
    /// tendency, or a copy of the nearest column inside. Reads other tiles.
    void finish_w(const Range &tile, real dt, Field3 departure) const;

    /// Sets a scalar that the source knows, `elapsed` seconds into its record.
    void set_scalar(const Range &tile, const RimFieldView &of_source, real elapsed, Field3 scalar) const;

    /// Sets a scalar that the source does not know: `inflow` where air flows in through the cell's outer
    /// face, the nearest column's inside where it flows out. Only the signs of the fluxes are used, which
    /// must be current on the tile's faces on all sides. Reads other tiles.
    void set_by_flow(const Range &tile, ConstField3 ru, ConstField3 rv, const Inflow &inflow,
                     Field3 scalar) const;

    /// Sets u, v, w where the source knows it, theta, ph and mu to the source's, `elapsed` seconds into its
    /// record; faces as in advance_momentum.
    void impose(const Range &tile, real elapsed, const StateFields &state) const;

  private:
    Range faces_u(const Range &tile) const {
        return tile.with_i(tile.i0, tile.i1 == grid.nx ? tile.i1 + 1 : tile.i1);
    }
    Range faces_v(const Range &tile) const {
        return tile.with_j(tile.j0, tile.j1 == grid.ny ? tile.j1 + 1 : tile.j1);
    }
    /// Full mass of the column at a cell near the rim, `elapsed` into the record.
    real column_mass(int i, int j, real elapsed) const {
        return grid.mub(i, j) + source.mu.at(rim.locate(i, j), 0, elapsed);
    }
    template <class Metric, class Column>
    void decouple(const Range &points, const RimFieldView &field, real elapsed, ConstProfile c1,
                  ConstProfile c2, Metric metric, Column column, Field3 into) const;
};

} // namespace squall
