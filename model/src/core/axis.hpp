/// The two horizontal axes of a grid, and where along them the points of a field lie.
#pragma once

namespace squall {

/// x from west to east, y from south to north, as the columns and rows of a patch go.
enum class Axis { x, y };

/// Which points a horizontal field has a value on: those of cells (mass points), or the faces across an axis,
/// where u (x) and v (y) live.
enum class Points { cells, x_faces, y_faces };

} // namespace squall
