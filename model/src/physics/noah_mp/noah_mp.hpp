/// Soil of four layers, leaves apart from the ground under them, and up to three layers of snow: the land
/// surface model Noah-MP of Niu et al. (2011, J. Geophys. Res. 116, D12109) and Yang et al. (2011, J.
/// Geophys. Res. 116, D12110), in the form of WRF's sf_surface_physics = 4 with the options that WRF 4.7.1
/// has by default: table of leaf areas and the year's greatest vegetation fraction (dveg 4), Ball and Berry's
/// stomata, moisture by Noah's limits, free drainage, similarity, freezing-point depression of Niu and Yang
/// (2006), gaps of 1 - the fraction under leaves, CLASS's snow albedo, rain and snow of Jordan (1991), heat
/// from the deep ground, and a semi-implicit temperature of the ground.
#pragma once

#include "physics/land_scheme.hpp"

namespace squall {

LandEntry noah_mp_scheme();

} // namespace squall
