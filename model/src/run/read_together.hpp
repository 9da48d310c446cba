/// Reading a run file on many ranks.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

#include "settings/config.hpp"

namespace squall {

/// read_config on every rank of `comm`, where rank 0 alone opens the run file and the initial files that
/// it names: the others are told what is in them. Collective. Throws ConfigError on all ranks where rank
/// 0 refuses the file, LocalError where another rank alone does: a file that is not there for it.
Config read_together(MPI_Comm comm, const std::string &file, const std::vector<std::string> &overrides);

} // namespace squall
