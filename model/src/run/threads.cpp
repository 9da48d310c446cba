#include "run/threads.hpp"

#include <algorithm>
#include <cstdlib>

#include <mpi.h>
#include <omp.h>
#include <unistd.h>

namespace squall {
namespace {

/// Cores of the machine shared by the ranks on it, unless a launcher gave this rank cores of its own.
int share_of_cores() {
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int ranks = 1;
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    const int mine = omp_get_num_procs();
    const bool bound = mine < static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    return bound ? mine : std::max(1, mine / ranks);
}

} // namespace

void choose_threads(int asked, int configured) {
    if (asked > 0)
        omp_set_num_threads(asked);
    else if (configured > 0)
        omp_set_num_threads(configured);
    else if (!std::getenv("OMP_NUM_THREADS"))
        omp_set_num_threads(share_of_cores());
}

} // namespace squall
