/// No mixing of columns, for runs that resolve the eddies: the lowest layer alone gets what the surface layer
/// lets through, heat, vapour and drag; what is above is diffusion's, by TKE or Smagorinsky in three
/// dimensions.
///
/// The drag takes a backward step. The height of the boundary layer, which the surface layer's gusts want, is
/// where the virtual potential temperature first exceeds that of the lowest layer by half a kelvin.
#pragma once

#include "physics/boundary_layer_scheme.hpp"

namespace squall {

BoundaryLayerEntry resolved_scheme();

} // namespace squall
