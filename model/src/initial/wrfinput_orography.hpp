/// The mountains within cells that a wrfinput file tells of.
#pragma once

#include <string>

#include "grid/grid.hpp"
#include "grid/subgrid_orography.hpp"
#include "initial/input_file.hpp"

namespace squall {

/// Reads VAR, CON, OA1 to OA4 and OL1 to OL4 on owned points; map factors of `grid` must be set. Throws
/// std::runtime_error: as InputFile; which of them are not there.
void read_orography(const InputFile &file, const Patch &patch, const Grid &grid, SubgridOrography &orography);

/// Reads what physics.terrain_wind, a `scheme`, wants to know of hills within cells: VAR_SSO or VAR. Throws
/// std::runtime_error: as InputFile, with what to do where it is not there.
void read_hills(const InputFile &file, const std::string &scheme, const Patch &patch, Array2 &hills);

} // namespace squall
