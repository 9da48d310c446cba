/// Stability where the map stretches: its cells are smaller on Earth than dx and dy say, on a map of latitude
/// and longitude without bound towards the poles.
#pragma once

#include <mpi.h>

#include "grid/grid.hpp"
#include "run/stability.hpp"
#include "settings/config.hpp"

namespace squall {

/// The same with the smallest spacings on Earth of a domain of which `grid` is this rank's patch. Collective.
Stepping on_earth(Stepping nominal, const Grid &grid, MPI_Comm comm);

/// Throws ConfigError where sound is unstable in the smallest cells of a map that would be stable without its
/// stretching, and says what would work. `here`: of on_earth().
void refuse_narrow_cells(const Config &config, const Stepping &here);

} // namespace squall
