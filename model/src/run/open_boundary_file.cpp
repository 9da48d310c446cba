#include "run/open_boundary_file.hpp"

#include <optional>
#include <utility>

#include "physics/declared_state.hpp"
#include "run/agree.hpp"

namespace squall {

OpenBoundaryFile open_boundary_file(const Config &config, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::optional<BoundaryFile> file;
    BoundaryTheta theta;
    agree(comm, [&] {
        file.emplace(config);
        if (rank == 0 && scalars_of(config).moist()) theta = theta_of(*file, config);
    });
    int moist = theta.moist;
    MPI_Bcast(&moist, 1, MPI_INT, 0, comm);
    theta.moist = moist != 0;
    return {std::move(*file), std::move(theta)};
}

} // namespace squall
