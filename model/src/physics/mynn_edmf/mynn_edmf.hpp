/// Boundary layer of predicted turbulence with plumes, as WRF 4.7 has it (bl_pbl_physics = 5): the closure of
/// Nakanishi and Niino (2009) with the lengths, plumes and clouds of Olson et al. (2019, NOAA Technical
/// Memorandum OAR GSD-61).
///
/// It predicts twice the kinetic energy of turbulence and the variance of water in eddies (level 2.6), or has
/// that in balance (level 2.5; TurbulentColumns::balanced_variance). Plumes carry energy where they are to.
/// Eddies mix downgradient; where the ground heats the air, eight plumes carry heat, water, cloud, wind and
/// numbers of ice up from the lowest layer. Both are one backward step. Clouds smaller than the cell, of
/// eddies and of plumes, are what radiation sees where the microphysics has none.
///
/// What dissipates heats the air. Water and liquid water potential temperature change by the surface's fluxes
/// and by that, to rounding. As in WRF (TurbulentColumns::as_wrf) humidities are specific, the highest layer
/// keeps what it has, the ground takes no vapour, and strong fluxes are cut.
///
/// The files: plumes.cpp and plume_clouds.cpp, cloud.cpp, length.cpp and free_length.cpp, closure.hpp and
/// turbulence.cpp, predict.cpp, mixing.cpp, one step of the scheme each (steps.hpp).
#pragma once

#include "physics/boundary_layer_scheme.hpp"

namespace squall {

BoundaryLayerEntry mynn_edmf_scheme();
/// With the length scale of bl_mynn_mixlength = 2.
BoundaryLayerEntry mynn_edmf_blended_scheme();
/// Whose energy the wind carries (bl_mynn_tkeadvect).
BoundaryLayerEntry mynn_edmf_advected_scheme();

} // namespace squall
