/// Mixing along coordinate surfaces and, by a constant viscosity, across them (NCAR/TN-556,
/// section 4.2.1; WRF diff_opt = 1).
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid_view.hpp"
#include "grid/state_view.hpp"

namespace squall::diffusion {

/// Adds div(M K grad q), derivatives taken along coordinate surfaces, for u, v and w. k_momentum is on
/// cells, set one cell around the tile.
/// WRF 4.7.1 leaves M out of the south-north flux of v, which makes that mixing 1e5 times too
/// weak; here it is in, unless `as_wrf`.
void add_wind_mixing_on_surfaces(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                 const StateView &s, ConstField3 k_momentum, bool as_wrf,
                                 const TendencyFields &t);

/// Adds M d/dz (K dq/dz) with constant K for the wind, u and v being the departures from the profiles
/// (layers). alt is the inverse density on layers [m3 kg-1], set one cell around the tile. Nothing flows
/// through the surface and the top. `as_wrf`: as in WRF's vertical_diffusion, none in the lowest layer, and
/// of u and v none in the highest; w meets no stress in the highest layer.
void add_constant_vertical_wind_mixing(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                       const StateView &s, ConstField3 alt, real k_momentum,
                                       ConstProfile u_base, ConstProfile v_base, bool as_wrf,
                                       const TendencyFields &t);

/// What the mixing of all scalars shares: fluxes per difference of q from point to point, found once.
struct SurfaceMixing {
    Field3 west, south; ///< through west and south faces
    Field3 up;          ///< through interfaces; 0 at the surface and the top
    Field3 convergence; ///< tendency per difference of `up` fluxes over a layer
};

/// Sets west and south where the cells of `cells` need them, those in `part` (i and j), from the diffusivity
/// k_h [m2 s-1] on cells, set one cell around.
void find_surface_fluxes(Range cells, Range part, const GridView &grid, ConstField2 mu, ConstField3 k_h,
                         const SurfaceMixing &m);

/// Sets up and convergence on `cells` for constant diffusivity k_v. `as_wrf`: see above.
void find_constant_vertical_fluxes(Range cells, const GridView &grid, ConstField2 mu, ConstField3 alt,
                                   real k_v, bool as_wrf, const SurfaceMixing &m);

/// A scalar and what is subtracted before it is mixed: `weight` times a field of its shape (no data:
/// nothing), and a profile on layers.
struct Departure {
    ConstField3 q;
    ConstField3 base;
    real weight = 0;
    ConstProfile profile = nullptr;
};

/// Adds the mixing along surfaces of q - weight base to d(M q / msfty)/dt on `cells`; q must be set one
/// cell around. The profile does not matter here.
void add_scalar_mixing_on_surfaces(Range cells, const GridView &grid, const SurfaceMixing &m,
                                   const Departure &departure, Field3 tend);

/// Adds the vertical mixing of q - weight base - profile.
void add_vertical_scalar_mixing(Range cells, const GridView &grid, const SurfaceMixing &m,
                                const Departure &departure, Field3 tend);

} // namespace squall::diffusion
