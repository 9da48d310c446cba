/// The wind near the ground over hills that the grid does not resolve, with the boundary layer of YSU.
///
/// jimenez-dudhia (Jimenez and Dudhia 2012, JAMC 51, 300-316; WRF's topo_wind = 1): the drag of land is
/// multiplied by ln s where s, the standard deviation of height in a cell [m], is above e. Where the terrain
/// is convex, by its Laplacian D2 = (mean height of the four cells around) - height, that fades: D2 from -10
/// to -20 m towards a factor of 1, from -20 to -30 m towards 0, as does the weight of the surface layer's
/// wind at 10 m, which on summits is the lowest layer's.
///
/// mass-ovens (WRF's topo_wind = 2): the drag of land is multiplied by (1.175 + 0.002 s)^2, s up to 200 m.
#pragma once

#include "grid/grid.hpp"
#include "grid/ground.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// Sets drag and shelter from hills and `grid`'s terrain, of which halos of one cell are used but beyond
/// sides of the domain that are not periodic.
void set_terrain_wind(const PhysicsConfig &config, const Patch &patch, const Grid &grid, Ground &ground);

} // namespace squall
