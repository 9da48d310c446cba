/// Where the storm is that a nest follows.
#pragma once

#include <array>
#include <optional>

#include <mpi.h>

#include "diagnostics/seen_air.hpp"
#include "nesting/place.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// The cell of the parent, 0-based, where the storm of settings.follow is, of those of the nest apart from
/// its rim (`rim_rows` of the nest's) and as near to its middle as settings.follow_speed lets it be: the
/// first with the lowest mean of its columns' geopotential height of follow_level (or pressure at sea level),
/// or with the highest mean of their strongest updraughts. None where no cell has that: a level below the
/// ground everywhere, or no updraught of 1 m/s. `air`: the nest's, halos as SeenAir says; `spacing`: the
/// parent's [m]. Collective over `comm`; the same on all ranks and for every decomposition.
std::optional<std::array<int, 2>> find_storm(const NestConfig &settings, const NestPlace &place,
                                             const Patch &patch, const SeenAir &air, int rim_rows,
                                             double spacing, MPI_Comm comm);

/// Where the nest goes to have that cell in its middle, of the places that leave settings.follow_margin cells
/// of the parent (nx x ny) beside it. It stays while the middle is within half a cell.
NestPlace place_around(const NestConfig &settings, NestPlace place, std::array<int, 2> cell, int nx, int ny);

} // namespace squall
