/// The patch of this rank of a run without nests.
#pragma once

#include <mpi.h>

#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall::test {

inline Patch patch_of(const Config &c, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const DomainConfig &d = c.domain;
    const auto [px, py] = choose_process_grid(ranks, d.nx, d.ny);
    return make_patch(rank, px, py, d.nx, d.ny, d.nz, d.boundaries);
}

} // namespace squall::test
