/// The surface that a wrfinput file holds.
#pragma once

#include "config/config.hpp"
#include "grid/ground.hpp"
#include "initial/input_file.hpp"

namespace squall {

/// Reads the owned points of a ground: TSK, or SST where there is none, unless
/// physics.surface_temperature says it; land, by LANDMASK or XLAND, has the wetness
/// physics.land_wetness, and without either all is water. Throws std::runtime_error: as InputFile; no
/// surface temperature.
void read_ground(const InputFile &file, const Config &config, const Patch &patch, Ground &ground);

} // namespace squall
