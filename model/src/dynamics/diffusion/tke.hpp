/// The closure of order 1.5: eddy viscosity from prognostic subgrid kinetic energy e (Deardorff 1980;
/// Klemp and Wilhelmson 1978; Skamarock et al. 2019, NCAR/TN-556, section 4.2.4; WRF km_opt = 2,
/// mix_isotropic = 0).
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/deformation.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "dynamics/diffusion/stability.hpp"
#include "dynamics/diffusion/viscosity.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// The most subgrid kinetic energy there can be [m2 s-2] (WRF's tke_upper_bound).
inline constexpr real max_tke = 1000;

/// Brings e back between 0 and max_tke, as is due after each Runge-Kutta stage.
void bound_tke(Range cells, Field3 tke);

} // namespace squall

namespace squall::diffusion {

struct TkeSettings {
    real c_k;     ///< K = c_k l sqrt(e)
    real prandtl; ///< K / K_heat in the horizontal
    real dt;      ///< time step [s]
};

/// Fills all of `viscosity` on `cells`. With l_h^2 = dx dy, l_v = min(dz, 0.76 sqrt(e) / N) where air
/// is stable (N from the dry theta), and e at least 1e-6 m2 s-2, there being no turbulence from
/// surface fluxes to begin with,
///   K_h = c_k l_h sqrt(e), K_v = c_k l_v sqrt(e), between 1e-6 l^2 s-1 and 0.1 l^2 / dt (l = l_h, dz);
/// heat and other scalars have K_h / prandtl and K_v (1 + 2 l_v / dz).
void find_tke_viscosity(Range cells, const GridView &grid, const Metrics &metrics, ConstField3 tke,
                        const Thermodynamics &t, ConstField3 p, const TkeSettings &settings,
                        const Viscosity &viscosity);

/// Adds to d(M e / msfty)/dt on `cells` production by shear (of the stresses of stress.hpp), by
/// buoyancy -K_v,heat N^2 (half of it in the lowest layer), and dissipation c e^1.5 / l with
///   l = (dx dy dz)^(1/3), where N^2 > 1e-6 at most 0.76 sqrt(e) / N, but at least 0.001 of it,
///   c = 1.9 c_k + max(0, 0.93 - 1.9 c_k) l / (dx dy dz)^(1/3); 3.9 in the lowest and highest layer.
/// Together they take no more than e within a time step. mu is the perturbation column mass; `length` is
/// scratch.
void add_tke_sources(Range cells, const GridView &grid, const Metrics &metrics, ConstField3 tke,
                     ConstField2 mu, const SymmetricTensor &deformation, ConstField3 n2,
                     const Viscosity &viscosity, const TkeSettings &settings, Field3 length, Field3 tend);

} // namespace squall::diffusion
