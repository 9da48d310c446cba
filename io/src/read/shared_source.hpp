/// A file that many ranks read and few open.
#pragma once

#include <memory>
#include <string>

#include <mpi.h>

#include "read/source.hpp"

namespace squall::io {

/// Opens it on `readers` ranks of `comm`, or 0: on one of every node; each reads for a group of ranks.
/// Collective; throws Error on all. read() and read_nothing() are then collective over each group.
std::unique_ptr<Source> open_together(const std::string &path, MPI_Comm comm, int readers);

} // namespace squall::io
