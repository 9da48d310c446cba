/// The surface that a wrfinput file holds.
#pragma once

#include "grid/ground.hpp"
#include "initial/initial.hpp"
#include "initial/input_file.hpp"
#include "initial/land_use.hpp"
#include "settings/config.hpp"

namespace squall {

/// Reads the owned points of a ground: TSK, or SST where there is none, unless
/// physics.surface_temperature says it; land, by LANDMASK or XLAND, has the wetness
/// physics.land_wetness, and without either all is water. Throws std::runtime_error: as InputFile; no
/// surface temperature.
void read_ground(const InputFile &file, const Config &config, const Patch &patch, Ground &ground);

/// What a surface layer lies on, after read_ground: by the classes of land use (LU_INDEX, MMINLU) roughness,
/// wetness, emissivity, albedo and thermal inertia, snow (SNOWC, or SNOW from 10 kg m-2 on) lightening the
/// albedo, and sea ice (SEAICE or XICE of a half and more,
/// or with physics.fractional_sea_ice of sea_ice::least) as land, beside water of SST. Soil temperatures are
/// those of TSLB at the depths ZS, between TSK at the surface and TMN 3 m below it interpolated to the layers
/// of the land scheme. Throws std::runtime_error: as InputFile; no land use, or a class that there is not.
void read_surface(const InputFile &file, const Config &config, const Patch &patch, InitialState &s);

/// Whose classes of land use a file holds, by MMINLU. Throws std::runtime_error: none that are known.
LandClasses classes_of(const InputFile &file);

} // namespace squall
