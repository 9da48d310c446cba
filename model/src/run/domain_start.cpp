#include "run/domain_start.hpp"

#include "run/agree.hpp"

namespace squall {

Patch patch_of(const Config &config, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const DomainConfig &d = config.domain;
    const int grain = config.identity.parent_grid_ratio;
    const auto [px, py] =
        choose_process_grid(ranks, d.nx, d.ny, config.parallel.ranks_x, config.parallel.ranks_y, grain);
    return make_patch(rank, px, py, d.nx, d.ny, d.nz, d.boundaries, grain);
}

InitialState read_initial(const Config &config, const Patch &patch, MPI_Comm comm) {
    InitialState initial;
    agree(comm, [&] { initial = make_initial_state(config, patch); });
    return initial;
}

} // namespace squall
