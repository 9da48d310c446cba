/// How strongly a patch mixes: the viscosities of any of the schemes, and what they are found from.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/deformation.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "dynamics/diffusion/sponge.hpp"
#include "dynamics/diffusion/stability.hpp"
#include "dynamics/diffusion/tke.hpp"
#include "dynamics/diffusion/viscosity.hpp"
#include "grid/grid_view.hpp"

namespace squall::diffusion {

enum class Scheme { none, constant, smagorinsky_2d, smagorinsky_3d, tke };

/// Whether K, or what feeds turbulence, depends on how stable the air is.
inline bool needs_stability(Scheme scheme, bool on_physical_surfaces) {
    return on_physical_surfaces && (scheme == Scheme::smagorinsky_3d || scheme == Scheme::tke);
}

/// As kernels hold it.
struct Closure {
    Scheme scheme;
    bool physical; ///< on physical surfaces
    /// K of the scheme `constant` [m2 s-1].
    struct Constants {
        real momentum_h, momentum_v, scalar_h, scalar_v;
    } constants;
    real c_s, prandtl, dt;
    Range inner; ///< the cells (i and j) that are mixed: others have a constant K only
    Sponge sponge;
    GridView grid;
    Metrics metrics;
    SymmetricTensor tensor; ///< the deformation
    MoistAir air;
    ConstField3 ph, tke;
    TkeSettings tke_settings;
    Viscosity viscosity;
    Thermodynamics thermodynamics;
    Field3 n2;

    /// Whether find() has anything to do: constant viscosities were set once.
    bool varies() const { return scheme != Scheme::constant || sponge.on(); }

    /// Sets viscosities in columns of cells, and N^2 with what it takes, where the scheme asks for it; of
    /// `tke`, whose sources alone ask, on those that are in `tile`. Reads metrics and deformation one column
    /// further.
    void find(Range columns, Range tile) const;

  private:
    void set_constant(Range columns) const;
    void clear_rim(Range columns) const;
};

/// Density with its vapour (without data: dry) in columns of cells [kg m-3].
void compute_density(Range columns, int nz, ConstField3 alt, ConstField3 vapour, Field3 rho);

} // namespace squall::diffusion
