/// What the layers ask of the WRF that they are linked into. Other programs that call them need have none of
/// it.
#pragma once

#include <string>

#include <mpi.h>

namespace squall::wrf {

/// The ranks of the domain that WRF works on; without WRF all.
MPI_Comm domain_communicator();

/// A warning in WRF's log; without WRF on standard error.
void warn(const std::string &message);

/// Ends the run, as WRF does after a fatal error.
[[noreturn]] void fail(const std::string &message);

} // namespace squall::wrf
