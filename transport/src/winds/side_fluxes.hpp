/// From winds and potentials at a time of a file to the mass that passes the sides of cells.
#pragma once

#include <mpi.h>

#include "globe/block.hpp"
#include "winds/fluxes.hpp"
#include "winds/wind_file.hpp"

namespace squall::transport {

/// Fills east and north of `fluxes` [kg s-1]. `record`: of the patch. `potential`: that of the interval.
/// Collective over `comm`.
void set_side_fluxes(const WindValues &record, WindField potential, const PatchOfGlobe &where, MPI_Comm comm,
                     MassFluxes &fluxes);

} // namespace squall::transport
