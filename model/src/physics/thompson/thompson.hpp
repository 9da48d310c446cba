/// Microphysics of Thompson, Field, Rasmussen and Hall (2008): ice and rain with numbers of their own, snow
/// with the size distribution of Field et al. (2005), graupel whose intercept follows from its content.
///
/// The processes, bounds and tables of WRF's mp_physics = 8 (version 4.7). Where it departs from WRF: what
/// falls keeps its mass, and so do collisions of rain with snow where they are cut.
#pragma once

#include "physics/microphysics_scheme.hpp"

namespace squall {

MicrophysicsEntry thompson_scheme();

/// With droplets counted, and the aerosols that they and crystals form on: as Thompson and Eidhammer (2014),
/// JAS 71, 3636-3658, and WRF's mp_physics = 28 without black carbon.
MicrophysicsEntry thompson_aerosol_scheme();

} // namespace squall
