/// The closure of order 1.5: eddy viscosity from prognostic subgrid kinetic energy e (Deardorff 1980;
/// Klemp and Wilhelmson 1978; Skamarock et al. 2019, NCAR/TN-556, section 4.2.4; WRF km_opt = 2,
/// mix_isotropic = 0).
#pragma once

#include <algorithm>

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
/// What the closure takes e for where it is less and nothing feeds it from the surface, so that turbulence
/// may grow where there is none yet [m2 s-2].
inline constexpr real tke_seed = real(1e-6);

/// Brings e back between 0 and max_tke, as is due after each Runge-Kutta stage.
inline void bound_tke(Range cells, Field3 tke) {
    for_each_row(cells, [=](int k, int j) {
        return [e = tke.row(k, j)](int i) { e[i] = std::min(std::max(e[i], real(0)), max_tke); };
    });
}

} // namespace squall

namespace squall::diffusion {

struct TkeSettings {
    real c_k;     ///< K = c_k l sqrt(e)
    real prandtl; ///< K / K_heat in the horizontal
    real dt;      ///< time step [s]
    real seed;    ///< of turbulence: tke_seed, or 0 where the surface feeds it [m2 s-2]
};

/// Fills all of `viscosity` on `cells`. With l_h^2 = dx dy, l_v = min(dz, 0.76 sqrt(e) / N) where air
/// is stable (N from the dry theta), and e at least settings.seed,
///   K_h = c_k l_h sqrt(e), K_v = c_k l_v sqrt(e), between 1e-6 l^2 s-1 and 0.1 l^2 / dt (l = l_h, dz);
/// heat and other scalars have K_h / prandtl and K_v (1 + 2 l_v / dz).
void find_tke_viscosity(Range cells, const GridView &grid, const Metrics &metrics, ConstField3 tke,
                        const Thermodynamics &t, ConstField3 p, const TkeSettings &settings,
                        const Viscosity &viscosity);

/// Fills momentum_h and scalar_h alone, from e as above: mixing along coordinate surfaces wants no more.
void find_tke_viscosity_on_surfaces(Range cells, const GridView &grid, ConstField3 tke,
                                    const TkeSettings &settings, const Viscosity &viscosity);

/// The air that turbulence has its energy from, on layers.
struct Turbulence {
    ConstField3 tke;   ///< [m2 s-2]
    ConstField2 mu;    ///< perturbation column mass [Pa]
    ConstField3 theta; ///< of dry air [K]
    ConstField3 n2;    ///< [s-2]
};

/// What a surface layer gives to turbulence above it. Null: there is none.
struct SurfaceProduction {
    ConstField2 friction_velocity; ///< [m s-1]
    ConstField2 sensible_heat;     ///< upward [W m-2]
    ConstField3 u, v;              ///< wind [m s-1]
    ConstField3 alt;               ///< inverse density of dry air [m3 kg-1]
    ConstField3 vapour;            ///< null in dry air
};

/// Adds to d(M e / msfty)/dt on `cells` production by shear (of the stresses of stress.hpp), by
/// buoyancy -K_v,heat N^2 (half of it in the lowest layer), and dissipation c e^1.5 / l with
///   l = (dx dy dz)^(1/3), where N^2 > 1e-6 at most 0.76 sqrt(e) / N, but at least 0.001 of it,
///   c = 1.9 c_k + max(0, 0.93 - 1.9 c_k) l / (dx dy dz)^(1/3); 3.9 in the lowest and highest layer.
/// A surface adds to the lowest layer, as in WRF, what its drag makes with the shear at the layer's top,
/// (u*^2 / |V|) V dV/dz, and half of what its heat makes, g / theta H / (rho c_p).
/// Together they take no more than e within a time step. `length` is scratch.
void add_tke_sources(Range cells, const GridView &grid, const Metrics &metrics, const Turbulence &air,
                     const SymmetricTensor &deformation, const Viscosity &viscosity,
                     const TkeSettings &settings, const SurfaceProduction &surface, Field3 length,
                     Field3 tend);

} // namespace squall::diffusion
