/// The part of the domain between two longitudes and two latitudes.
#pragma once

#include <vector>

#include <mpi.h>

#include "grid/grid.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// Whether a place lies in a box: west, east, south, north [degrees]. From west to east it may cross the date
/// line.
bool lies_in(const std::vector<double> &box, double longitude, double latitude);

/// The stream, with the smallest `region` that has all cells whose middles lie in its lonlatbox, if it has
/// one. The same on every rank. Collective over `comm`. Throws ConfigError: there is none.
StreamConfig with_region(StreamConfig stream, const Config &config, const Grid &grid, const Patch &patch,
                         MPI_Comm comm);

} // namespace squall
