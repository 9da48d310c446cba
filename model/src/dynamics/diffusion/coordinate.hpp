/// Mixing along coordinate surfaces and, by a constant viscosity, across them (NCAR/TN-556,
/// section 4.2.1; WRF diff_opt = 1).
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/grid_view.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/state.hpp"

namespace squall::diffusion {

/// Adds div(M K grad q), derivatives taken along coordinate surfaces, for u, v, w and
/// theta - theta_init. k_momentum and k_scalar are on cells, set one cell around the tile.
/// WRF 4.7.1 leaves M out of the south-north flux of v, which makes that mixing 1e5 times too
/// weak; here it is in.
void add_mixing_on_surfaces(Range u_faces, Range v_faces, Range cells, const GridView &grid, const State &s,
                            ConstField3 k_momentum, ConstField3 k_scalar, Tendencies &t);

/// What vertical mixing takes as its resting state: the profiles (layers) and, times
/// `theta_weight`, grid.theta_init are subtracted first.
struct MixingBase {
    ConstProfile u, v;
    real theta_weight;
};

/// Adds M d/dz (K dq/dz) with constant K for all four, q being the departure from `base`.
/// alt is the inverse density on layers [m3 kg-1], set one cell around the tile. Nothing flows
/// through the surface and the top (WRF makes the flux constant over the lowest layer).
void add_constant_vertical_mixing(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                  const State &s, ConstField3 alt, real k_momentum, real k_scalar,
                                  MixingBase base, Tendencies &t);

} // namespace squall::diffusion
