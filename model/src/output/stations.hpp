/// Places that stay where they are: where the run file's table has them, and where that is on the grid.
#pragma once

#include <vector>

#include <mpi.h>

#include "output/places.hpp"
#include "settings/config.hpp"

namespace squall {

/// The stations of a stream as far as is known without the grid: those by longitude and latitude all at the
/// first cell, in the domain or not. Throws ConfigError as `locate_stations` does.
std::vector<Place> expect_stations(const StreamConfig &stream, const Config &config);

/// Where the stations of a stream are in the domain of a patch. Those outside are left out, or refused by
/// name, as the stream says. With interpolation "land" a station moves to the nearest cell of land within
/// three cells of it, by the initial file's LANDMASK. The same on every rank, to the bit, however the domain
/// is cut. Collective over `comm`. Throws ConfigError.
std::vector<Place> locate_stations(const StreamConfig &stream, const Config &config, const Grid &grid,
                                   const Patch &patch, MPI_Comm comm);

} // namespace squall
