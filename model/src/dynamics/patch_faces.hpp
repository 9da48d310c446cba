/// Which points around its cells a patch computes.
#pragma once

#include "core/loop.hpp"

namespace squall {

/// Which faces are advanced how: the pressure gradient acts on [begin, end); on [tend_begin,
/// tend_end) beyond it only the slow tendency does (open boundaries).
struct FaceRange {
    int begin, end, tend_begin, tend_end;
    int last_cells; ///< where cells end that have faces of their own beyond them
};

/// The faces that the cells of a patch's tiles compute: the western and southern of each, and those beyond
/// the last cells where the domain ends there.
struct PatchFaces {
    FaceRange u{}, v{};
    int nx = 0, ny = 0;                            ///< cells of the patch
    bool owns_last_u = false, owns_last_v = false; ///< the faces beyond the last cells are the domain's edge

    Range u_of(Range cells) const {
        return cells.with_i(cells.i0, cells.i1 == nx && owns_last_u ? cells.i1 + 1 : cells.i1);
    }
    Range v_of(Range cells) const {
        return cells.with_j(cells.j0, cells.j1 == ny && owns_last_v ? cells.j1 + 1 : cells.j1);
    }
};

/// Continues a tile of the cells and one more around them beyond the end of its rows as far as that is
/// faster: for fields of which a halo of one point is used.
struct WholeVectors {
    int nx = 0;
    int row_end = 0; ///< where the writing of a row must end (array.hpp)

    Range operator()(Range tile) const {
        if (tile.i1 == nx + 1)
            tile.i1 =
                std::max(tile.i1, std::min(tile.i0 + ((tile.i1 - tile.i0 + overrun) & ~overrun), row_end));
        return tile;
    }
};

} // namespace squall
