/// The simple boundary layer of Reed and Jablonowski (2012, JAMES 4, M04001, section 3): bulk
/// aerodynamic fluxes of momentum, heat and vapour, and mixing whose strength follows from them up to
/// 850 hPa and decays above.
///
/// Surface fluxes and mixing are one implicit step (backward Euler), stable at any time step and
/// never creating new extremes. Flux form over layers: the fluxes enter the lowest layer, whose depth
/// stands where the paper has the height of its middle.
#pragma once

#include "physics/boundary_layer_scheme.hpp"

namespace squall {

BoundaryLayerEntry bulk_scheme();

} // namespace squall
