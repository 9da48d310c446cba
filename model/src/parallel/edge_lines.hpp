/// Halo lines that a patch makes from its own points: the lateral boundary conditions, and a
/// periodic direction that one patch spans alone.
///
/// Works on one direction; a line is all points of one i (west-east) or of one j (south-north).
#pragma once

#include <array>

#include "core/array.hpp"
#include "grid/grid.hpp"

namespace squall {

/// A patch along one axis.
struct PatchAxis {
    int n = 0; ///< owned cells
    Boundary low = Boundary::periodic, high = Boundary::periodic;
    bool low_edge = false; ///< no neighbour on the low side: its boundary condition holds
    bool high_edge = false;
    bool wraps = false; ///< the patch is its own neighbour
};

/// Line `to` is `sign` times line `from`.
struct EdgeLine {
    int to, from;
    real sign;
};

/// What to do to a field's lines; applied in the order: walls to zero, then lines.
struct EdgeLines {
    std::array<EdgeLine, 2 * halo_width> lines;
    int line_count = 0;
    std::array<int, 2> walls; ///< faces on which the normal wind vanishes
    int wall_count = 0;
};

/// Where along a direction a field lives, and how a symmetric mirror turns it.
enum class Line {
    cells, ///< of cells: even
    wind,  ///< of the faces normal to the direction: odd, zero on a wall
    metric ///< of the same faces: even, kept on a wall
};

/// The lines `width` deep beyond the edges. Domains narrower than the halo are folded
/// or wrapped as often as needed. Where a neighbour holds the other side, lines may refer to
/// halo lines received from it, so messages must have arrived before.
EdgeLines edge_lines(const PatchAxis &axis, Line kind, int width);

} // namespace squall
