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
    Shape shape;        ///< owned cells
    int x0 = 0, y0 = 0; ///< 0-based global index of the first owned cell
    int nx_domain = 0, ny_domain = 0;
    int px = 1, py = 1; ///< patches west-east, south-north
    int cx = 0, cy = 0; ///< this patch's place among them
    int grain = 1;      ///< patches begin at multiples of it: a nest's never cut a cell of its parent
    /// Rank in the domain's communicator, or MPI_PROC_NULL at a domain edge that is not periodic.
    int west = MPI_PROC_NULL, east = MPI_PROC_NULL, south = MPI_PROC_NULL, north = MPI_PROC_NULL;

    bool at_west() const { return x0 == 0; }
    bool at_east() const { return x0 + shape.nx == nx_domain; }
    bool at_south() const { return y0 == 0; }
    bool at_north() const { return y0 + shape.ny == ny_domain; }
};

/// Columns i0 <= i < i1, j0 <= j < j1 of a domain, 0-based in the domain.
struct Region {
    int i0 = 0, i1 = 0, j0 = 0, j1 = 0;

    bool empty() const { return i0 >= i1 || j0 >= j1; }
};

/// What is in both.
Region meet(const Region &a, const Region &b);

/// The cells of another patch of this patch's domain.
Region region_of(const Patch &patch, int rank);

/// Extents that no patch of this patch's domain exceeds.
Shape largest_patch(const Patch &patch);

/// The process grid {px, py} for `ranks` patches: the split whose largest patch, halo included,
/// has the fewest points, which weighs balance and halo copies together. A cut across i counts
/// double, because it shortens the rows that are vectorised. `fixed_x` and `fixed_y` (0: free)
/// prescribe either number. Throws std::invalid_argument where no split leaves every patch at
/// least halo_width cells wide or the prescribed numbers do not multiply to `ranks`. `grain`: Patch::grain.
std::array<int, 2> choose_process_grid(int ranks, int nx, int ny, int fixed_x = 0, int fixed_y = 0,
                                       int grain = 1);

/// The patch of `rank` out of px * py; ranks run west-east first. A patch that spans a periodic
/// direction alone is its own neighbour there. Throws std::invalid_argument where a patch would
/// be too narrow, or where only one side of a direction is periodic.
Patch make_patch(int rank, int px, int py, int nx, int ny, int nz, const Boundaries &boundaries,
                 int grain = 1);

} // namespace squall
