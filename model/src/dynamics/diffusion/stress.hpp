/// Mixing of momentum in physical space: the divergence of the stress
/// tau_ij = -rho K D_ij with the metric terms of terrain-following coordinates
/// (NCAR/TN-556, section 4.2.2; Klemp and Wilhelmson 1978). No stress acts at the surface and
/// the top.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/deformation.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "dynamics/diffusion/viscosity.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid_view.hpp"

namespace squall::diffusion {

/// Turns the deformation into the stress [Pa], in place: xx, yy and zz on `cells`, the others on `edges` (i
/// and j).
/// xx, yy, xy and zz use the horizontal viscosity, xz and yz the vertical one, as in WRF since
/// 2013 (its Tech Note has the vertical one in zz).
/// rho and the viscosity must be set one cell around.
void stress_from_deformation(Range cells, Range edges, const GridView &grid, ConstField3 rho,
                             const Viscosity &k, const SymmetricTensor &tensor);

/// The part of the stress divergence from horizontal derivatives. u_faces and v_faces are the
/// faces to compute.
void add_horizontal_stress_divergence(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                      const Metrics &metrics, const SymmetricTensor &stress,
                                      const TendencyFields &t);

/// The part from vertical derivatives.
void add_vertical_stress_divergence(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                    const SymmetricTensor &stress, const TendencyFields &t);

} // namespace squall::diffusion
