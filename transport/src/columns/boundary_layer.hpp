/// Mixing of the boundary layer by a profile of diffusivities.
///
/// Holtslag, A. A. M., and B. A. Boville (1993): Local versus nonlocal boundary-layer diffusion in a global
/// climate model. J. Climate 6, 1825-1842: a diffusivity that depends on the layer's height and on the fluxes
/// at the ground, K = k w z (1 - z / h)^2. Their flux against the gradient, a multiple of a tracer's own flux
/// at the ground, is left out: no matrix of the air has it.
#pragma once

#include "columns/exchange.hpp"

namespace squall::transport {

/// What the ground gives to the air above it.
struct GroundFluxes {
    double height;            ///< of the boundary layer above the ground [m]
    double friction_velocity; ///< [m s-1]
    double heat;              ///< of virtual temperature, upwards [K m s-1]
    double temperature;       ///< virtual, of the lowest layer [K]
};

/// Of heat and tracers, at a height above the ground [m2 s-1]; 0 above the boundary layer.
double diffusivity(const GroundFluxes &ground, double height);

/// The ground's fluxes in column i of row j.
GroundFluxes ground_fluxes(const ColumnAir &air, const Weather &weather, int i, int j);

/// Adds what the eddies of a boundary layer exchange.
void mix_boundary_layer(const GroundFluxes &ground, Exchange &exchange);

} // namespace squall::transport
