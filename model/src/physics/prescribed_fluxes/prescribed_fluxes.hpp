/// A surface layer whose fluxes of heat and vapour are prescribed, as single-column and large-eddy cases have
/// them.
///
/// The profiles of wind, heat and vapour follow from the fluxes by Monin-Obukhov similarity, with the
/// functions of the revised MM5 scheme. The friction velocity is that of the roughness or, where the
/// roughness is 0, prescribed too; convective gusts widen the wind (Beljaars 1995, QJRMS 121, 255-270). In
/// stable air z/L in the middle of the lowest layer is at most 1: beyond that turbulence has no friction
/// velocity that could carry a flux that is given. The skin gets the temperature and vapour that the fluxes
/// need, for heat the roughness of momentum.
#pragma once

#include "physics/surface_layer_scheme.hpp"

namespace squall {

SurfaceLayerEntry prescribed_fluxes_scheme();

} // namespace squall
