#include "run/open_boundary_file.hpp"

#include <optional>
#include <utility>

#include "physics/declared_state.hpp"
#include "physics/microphysics_scheme.hpp"
#include "run/agree.hpp"

namespace squall {

OpenBoundaryFile open_boundary_file(const Config &config, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::optional<BoundaryFile> file;
    BoundaryTheta theta;
    bool aerosol = false;
    agree(comm, [&] {
        file.emplace(config);
        if (rank == 0 && scalars_of(config).moist()) theta = theta_of(*file, config);
        aerosol =
            rank == 0 && carries_aerosol(config.physics) && file->holds("QNWFA") && file->holds("QNIFA");
    });
    int told[] = {theta.moist, aerosol};
    MPI_Bcast(told, 2, MPI_INT, 0, comm);
    theta.moist = told[0] != 0;
    return {std::move(*file), std::move(theta), told[1] != 0};
}

} // namespace squall
