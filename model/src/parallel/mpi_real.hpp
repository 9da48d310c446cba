/// The datatype of `real` in messages.
#pragma once

#include <mpi.h>

#include "core/real.hpp"

namespace squall {

inline MPI_Datatype mpi_real() { return sizeof(real) == 4 ? MPI_FLOAT : MPI_DOUBLE; }

} // namespace squall
