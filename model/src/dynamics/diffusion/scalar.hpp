/// Mixing of scalars in physical space: the divergence of the flux -rho K grad(q) with the
/// metric terms of terrain-following coordinates (NCAR/TN-556, section 4.2.2). Nothing flows
/// through the surface and the top.
///
/// In flux form, unlike WRF's: with z_eta the thickness of a layer,
///     z_eta div F = d/dx(z_eta F_x) + d/dy(z_eta F_y) + d/deta(F_z - z_x F_x - z_y F_y),
/// so that what leaves a cell enters its neighbour and a scalar's mass is kept to rounding.
///
/// What all scalars share, metric terms and rho K, is found once; each scalar is then mixed row by row,
/// its fluxes staying in cache.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "core/scratch.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "grid/grid_view.hpp"

namespace squall::diffusion {

/// What turns scalars into fluxes and fluxes into tendencies.
struct ScalarMixing {
    // Fluxes, per difference of q from point to point and per twice its difference from the bottom
    // to the top of a layer; those through sides times thickness over the map factor across.
    Field3 west, west_slope;   ///< through west faces
    Field3 south, south_slope; ///< through south faces
    Field3 up;                 ///< through interfaces; 0 at the surface and the top
    /// What the fluxes through sides send through interfaces, per sum of the four around.
    /// Interfaces 1 to nz - 1.
    Field3 tilt_x, tilt_y;
};

/// How the divergence of the fluxes is found.
enum class MixingForm {
    flux, ///< as above
    wrf   ///< as in WRF 4.7.1: d F_x/dx - z_x dF_x/dz + d F_y/dy - z_y dF_y/dz + dF_z/dz
};

/// Sets tilt_x and tilt_y on `cells`. Not for MixingForm::wrf.
void find_mixing_geometry(Range cells, const GridView &grid, const Metrics &metrics, const ScalarMixing &m);

/// Sets west, south and up where the cells of `cells` need them, those in `part` (i and j), from rho and the
/// diffusivities [m2 s-1], which must be set one cell around, times `factor`. No vertical mixing where k_v
/// has no data. MixingForm::wrf: fluxes through sides are those through a unit of area.
void find_mixing_fluxes(Range cells, Range part, const GridView &grid, const Metrics &metrics,
                        ConstField3 rho, ConstField3 k_h, ConstField3 k_v, real factor, MixingForm form,
                        const ScalarMixing &m);

/// Adds to d(M q / msfty)/dt on `cells`; q must be set one cell around. Vertical mixing is that of
/// q - base, a profile on layers.
void add_scalar_mixing(Range cells, const GridView &grid, const ScalarMixing &m, ConstField3 q,
                       ConstProfile base, const Scratch &rows, Field3 tend);

/// Rows of scratch that it needs, one point longer than those of `cells`.
inline int mixing_rows(int nz) { return 4 * (nz + 1); }

/// The same with MixingForm::wrf.
void add_scalar_mixing_as_wrf(Range cells, const GridView &grid, const Metrics &metrics,
                              const ScalarMixing &m, ConstField3 q, ConstProfile base, const Scratch &rows,
                              Field3 tend);

} // namespace squall::diffusion
