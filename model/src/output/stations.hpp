/// Places at which fields are sampled: where the run file's table has them, and where that is on the grid.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

#include "config/config.hpp"
#include "grid/grid.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

struct Station {
    std::string name;
    double longitude = 0,
           latitude = 0; ///< [degrees]; of one that is declared by x and y or i and j: the grid's
    /// Cells from the middle of the first, west-east and south-north; between cells too. Not a number:
    /// outside of the domain.
    double i = 0, j = 0;
    double altitude = 0; ///< of the model's ground there [m]
};

/// How a table says where its stations are.
enum class StationColumns { longitude_latitude, x_y, i_j };

struct StationTable {
    StationColumns columns = StationColumns::longitude_latitude;
    std::vector<Station> stations; ///< by x and y: i and j are these [m] until they are located
};

/// Reads a table: comma-separated, the first line names the columns, # begins a comment. Throws ConfigError:
/// the file, the line and what it lacks.
StationTable read_stations(const std::string &file);

/// The stations of a stream as far as is known without the grid: those by longitude and latitude all at the
/// first cell, in the domain or not. Throws ConfigError as `locate_stations` does.
std::vector<Station> expect_stations(const StreamConfig &stream, const Config &config);

/// Where the stations of a stream are in the domain of a patch. Those outside are left out, or refused by
/// name, as the stream says. With interpolation "land" a station moves to the nearest cell of land within
/// three cells of it, by the initial file's LANDMASK. The same on every rank, to the bit, however the domain
/// is cut. Collective over `comm`. Throws ConfigError.
std::vector<Station> locate_stations(const StreamConfig &stream, const Config &config, const Grid &grid,
                                     const Patch &patch, MPI_Comm comm);

} // namespace squall
