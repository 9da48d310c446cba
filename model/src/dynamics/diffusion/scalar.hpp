/// Mixing of a scalar in physical space: the divergence of the flux -rho K grad(q) with the
/// metric terms of terrain-following coordinates (NCAR/TN-556, section 4.2.2). Nothing flows
/// through the surface and the top.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "dynamics/grid_view.hpp"

namespace squall::diffusion {

/// Adds the horizontal part to d(M q / msfty)/dt on the cells of `tile`. q, rho and k_h must be
/// set one cell around it. `flux` and `interfaces` are scratch.
void add_horizontal_scalar_mixing(Range tile, const GridView &grid, const Metrics &metrics, ConstField3 q,
                                  ConstField3 rho, ConstField3 k_h, Field3 flux, Field3 interfaces,
                                  Field3 tend);

/// Adds the vertical part, the mixing of q - base (a profile on layers).
void add_vertical_scalar_mixing(Range tile, const GridView &grid, const Metrics &metrics, ConstField3 q,
                                ConstProfile base, ConstField3 rho, ConstField3 k_v, Field3 tend);

} // namespace squall::diffusion
