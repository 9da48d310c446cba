/// How many threads a rank has.
#pragma once

namespace squall {

/// Sets what OpenMP's regions have from now on: `asked` by the command line, else `configured` by the run
/// file (0: neither), else OMP_NUM_THREADS, else the rank's share of the machine's cores. Collective over
/// MPI_COMM_WORLD.
void choose_threads(int asked, int configured);

} // namespace squall
