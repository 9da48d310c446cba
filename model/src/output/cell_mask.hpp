/// Which cells count in a stream's averages and coarser grids, of a field in a file: StreamConfig::mask.
#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// Throws ConfigError: what the mask needs is not there. Local.
void check_cell_mask(const StreamConfig &stream, const Config &config);

/// For each cell of the patch, from south to north and west to east, whether it counts: 1 or 0. Collective.
/// Throws ConfigError: none does.
std::vector<std::int8_t> read_cell_mask(const StreamConfig &stream, const Config &config, const Patch &patch,
                                        MPI_Comm comm);

} // namespace squall
