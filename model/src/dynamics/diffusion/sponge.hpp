/// The sponge below the model top that mixes (WRF damp_opt = 1).
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/viscosity.hpp"
#include "grid/grid_view.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall::diffusion {

/// damping.scheme = "diffusion".
struct Sponge {
    real depth = 0;  ///< below the top [m]; 0: there is none
    real number = 0; ///< K dt / l^2 at the top
    bool as_wrf =
        false;   ///< a layer's distance from the top as WRF counts it: half a layer to a whole one more
    Range cells; ///< of the patch that it reaches: none near sides that follow a file or a parent

    /// Of damping.scheme, where that is "diffusion". `rows` at those sides, "specified" ones, are left out.
    static Sponge of(const Config &config, const Patch &patch);
    bool on() const { return depth > 0; }
};

/// Raises all of k that there is on `around` to
///   K_h = number cos^2(pi/2 d / depth) l^2 / dt,  K_v = min(number cos^2(...) dz^2 / dt, K_h),
/// where d is the distance of the layer's middle from the top, l the shorter side of a cell on the Earth.
/// `ph`: perturbation geopotential.
void raise_in_sponge(Range around, const GridView &grid, ConstField3 ph, const Sponge &sponge, real dt,
                     const Viscosity &k);

} // namespace squall::diffusion
