/// Eddy viscosities and diffusivities.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/deformation.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "grid/grid_view.hpp"

namespace squall::diffusion {

/// On cells [m2 s-1]: horizontal and vertical, for momentum and for scalars.
struct Viscosity {
    Field3 momentum_h, momentum_v, scalar_h, scalar_v;
};

/// Two-dimensional Smagorinsky (1963) closure (WRF km_opt = 4): with l^2 = dx dy,
///   K = min(c_s^2 l^2 sqrt((D_xx - D_yy)^2 / 4 + D_xy^2), 10 m s-1 l),  K_scalar = K / prandtl.
/// Fills momentum_h and scalar_h on `cells`; reads xx, yy, xy.
void smagorinsky_2d(Range cells, const GridView &grid, const SymmetricTensor &deformation, real c_s,
                    real prandtl, const Viscosity &k);

/// Reduces momentum_h and scalar_h where coordinate surfaces are steep: divided by the rise over
/// one cell in layers if above 1, by its square where the deformation is large too.
void limit_on_slopes(Range cells, const GridView &grid, const Metrics &metrics,
                     const SymmetricTensor &deformation, const Viscosity &k);

/// Three-dimensional Smagorinsky-Lilly closure with separate lengths in the horizontal and the
/// vertical (NCAR/TN-556, section 4.2.3; WRF km_opt = 3, mix_isotropic = 0): with
/// l_h^2 = dx dy, l_v = dz and |D|^2 = D_ij D_ij / 2,
///   K = c_s^2 l^2 sqrt(max(0, |D|^2 - N^2 / prandtl)),
/// at least 1e-6 l^2 s-1, and K and K / prandtl at most 0.1 l^2 / dt. n2 is N^2 (find_stability). Fills
/// all of k on `cells`; reads the whole deformation.
void smagorinsky_3d(Range cells, const GridView &grid, const Metrics &metrics,
                    const SymmetricTensor &deformation, ConstField3 n2, real c_s, real prandtl, real dt,
                    const Viscosity &k);

} // namespace squall::diffusion
