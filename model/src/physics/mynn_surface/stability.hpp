/// The stability that a bulk Richardson number means where heat has a roughness of its own.
#pragma once

#include "core/real.hpp"

namespace squall::mynn_surface {

/// A height over its roughness for momentum and heat [m].
struct Layer {
    real z, z0, z0_heat;
};

/// z/L of the layer: root of Ri = zeta psi_h / psi_m^2 with the profiles of the revised MM5 scheme, by
/// iteration from `start` until it changes by 0.01; where twenty are not enough, fitted_stability.
real stability_of(real richardson, const Layer &layer, real start);

/// A fit of it: Li et al. (2010, BLM 137, 153-158).
real fitted_stability(real richardson, const Layer &layer);

} // namespace squall::mynn_surface
