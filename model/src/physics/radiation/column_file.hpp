/// Columns of air from a file, for radiation outside of a run.
#pragma once

#include <string>
#include <vector>

#include "physics/radiation/column.hpp"

namespace squall::radiation {

/// The columns of a netCDF file with the dimensions column, level and layer = level - 1, ground first:
///
///   pressure, temperature (column, level)              at interfaces [Pa], [K]
///   layer_pressure, layer_temperature (column, layer)  [Pa], [K]
///   h2o, o3, co2, ... (column, layer)                  molecules per molecule of dry air; 0 where missing
///   surface_temperature, emissivity, albedo, cosine, irradiance (column)
///   cover, liquid_path, liquid_radius, ice_..., snow_... (column, layer)  0 where missing; [g m-2], [um]
///   rain_path, graupel_path (column, layer)            likewise [g m-2]
///   latitude, longitude, day, year (column)            where these are, gases other than water are those of
///                                                      a climatology, and standard air goes on to 1 Pa above
///
/// Throws std::runtime_error: the file, the variable and what is wrong with it.
std::vector<Column> read_columns(const std::string &path);

} // namespace squall::radiation
