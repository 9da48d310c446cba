/// How a domain is split into patches, one per rank.
#pragma once

#include <array>

#include <mpi.h>

#include "grid/grid.hpp"

namespace squall {

/// Where a rank's patch lies in its domain. Patches form a px x py grid; sizes differ by at
/// most one cell. A patch has at least halo_width cells in a direction that is split or
/// periodic over several ranks.
struct Patch {
    Shape shape;             ///< owned cells
    int x0 = 0, y0 = 0;      ///< 0-based global index of the first owned cell
    int nx_domain = 0, ny_domain = 0;
    int px = 1, py = 1;      ///< patches west-east, south-north
    int cx = 0, cy = 0;      ///< this patch's place among them
    /// Rank in the domain's communicator, or MPI_PROC_NULL at a domain edge that is not periodic.
    int west = MPI_PROC_NULL, east = MPI_PROC_NULL, south = MPI_PROC_NULL, north = MPI_PROC_NULL;

    bool at_west() const { return x0 == 0; }
    bool at_east() const { return x0 + shape.nx == nx_domain; }
    bool at_south() const { return y0 == 0; }
    bool at_north() const { return y0 + shape.ny == ny_domain; }
};

/// The default process grid: the split of `ranks` that copies the fewest halo points, with
/// rows (i) kept long: a cut across i counts more, because short rows vectorise badly.
/// Returns {px, py}. Throws std::invalid_argument where no split leaves every patch at least
/// halo_width cells wide.
std::array<int, 2> choose_process_grid(int ranks, int nx, int ny);

/// The patch of `rank` out of px * py.
Patch make_patch(int rank, int px, int py, int nx, int ny, int nz, const Boundaries &boundaries);

} // namespace squall
