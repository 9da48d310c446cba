/// From the atmosphere's cells to the fire's.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/fire_grid.hpp"
#include "grid/grid_view.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"

namespace squall::fire {

/// Where a plane of the atmosphere has its points: in the middle of cells, on their western or southern
/// sides.
enum class Lies { middle, west, south };

/// Interpolates linearly to the middle of the fire's cells, of `cells` of them: those of a plane whose points
/// lie around them, its halo filled, and continued beyond the domain.
void to_fire_cells(Range cells, const FireGrid &grid, Lies lies, ConstField2 plane, Field2 result);

/// Continues a plane of the atmosphere's cells, or of their sides, linearly by one beyond the points where
/// the air is known: the sides of the domain itself are beyond them.
void continue_linearly(const Patch &patch, Lies lies, Field2 plane);

/// The wind at `height` above the ground on the sides of cells, which continue_linearly() continues: between
/// layers, and below the lowest down to the roughness length, where it is none, linear in the logarithm of
/// height. Of `columns`, which may be of the first ring of the halo; `u` not west of the patch, `v` not south
/// of it. `roughness`: [m], on two cells of the halo. The halos of `state` must be filled.
void wind_at_height(Range columns, const GridView &grid, const State &state, real height,
                    ConstField2 roughness, Field2 u, Field2 v);

} // namespace squall::fire
