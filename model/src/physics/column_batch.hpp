/// Some neighbouring columns of a row of a patch, as the drivers of columns' physics hand them to schemes,
/// and the air of theirs that several drivers want.
#pragma once

#include <algorithm>

#include "core/loop.hpp"
#include "grid/grid_view.hpp"
#include "grid/state.hpp"
#include "physics/column.hpp"

namespace squall {

/// The columns [i0, i0 + n) of row j, and what they are part of. What is read from it begins with column i0.
struct ColumnBatch {
    int i0, n, j;
    const GridView &grid;
    const State &state;
    ConstField3 p, al; ///< perturbation pressure [Pa] and inverse density [m3 kg-1] of the state

    const real *row(ConstField3 field, int k) const { return field.row(k, j) + i0; }
    const real *row(ConstField2 plane) const { return plane.row(j) + i0; }
    /// Of a plane of the patch, which may be const.
    template <class Plane> auto *of(Plane &plane) const { return plane.view().row(j) + i0; }
    /// A scalar of the state; a null origin for index -1.
    ConstColumns species(int index) const;
};

/// Runs f(i0, n, j) for batches that cover the columns of a range.
template <class F> void for_each_batch(const Range &columns, F f) {
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i0 = columns.i0; i0 < columns.i1; i0 += columns_at_a_time)
            f(i0, std::min(columns_at_a_time, columns.i1 - i0), j);
}

/// Hydrostatic pressure of all that lies above the interfaces 0 ... nz, the first `waters` scalars included
/// (WRF's phy_prep) [Pa].
void find_weight(const ColumnBatch &batch, int nz, int waters, Columns weight);

/// Wind in the middle of the cells of layer k, along x and y [m s-1].
void find_wind(const ColumnBatch &batch, int k, real *u, real *v);

} // namespace squall
