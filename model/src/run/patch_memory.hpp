/// How much memory a patch takes, before there is one.
#pragma once

#include <cstddef>

#include "core/array.hpp"
#include "settings/config.hpp"

namespace squall {

/// Bytes of the arrays of a domain's patch, with `threads` threads, as the registry of arrays counts them
/// (allocated_bytes): a solver of this configuration is made on that patch if it has few rows, else on two
/// patches of fewer, since each row takes as much as any other. Of a domain that begins from a file they hold
/// an atmosphere at rest instead. Output's arrays are not among them. Uses MPI_COMM_SELF; fills tables that
/// schemes keep on disk if they are not there. Throws as Solver().
std::size_t patch_memory(const Config &config, Shape patch, int threads);

} // namespace squall
