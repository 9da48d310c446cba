/// The boundary file as the ranks of a run open it.
#pragma once

#include <mpi.h>

#include "boundary/boundary_file.hpp"
#include "boundary/boundary_theta.hpp"
#include "settings/config.hpp"

namespace squall {

struct OpenBoundaryFile {
    BoundaryFile file;
    BoundaryTheta theta; ///< the note on the first rank alone
    bool aerosol;        ///< whether it holds that which the air of the run carries
};

/// Opens boundary.file. Which potential temperature it holds, and whether aerosol, is read by the first rank,
/// which tells the others. Collective. Throws AgreedError, as BoundaryFile and theta_of() do.
OpenBoundaryFile open_boundary_file(const Config &config, MPI_Comm comm);

} // namespace squall
