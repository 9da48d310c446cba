/// What the layers ask of the WRF that they are linked into. Other programs that call them need have none of
/// it.
#pragma once

#include <string>

#include <mpi.h>

namespace squall::wrf {

/// The ranks of the domain that WRF works on; without WRF all.
MPI_Comm domain_communicator();

/// What the namelist says of files in netCDF: classic, or netCDF-4 with compression; without WRF the former.
bool classic_netcdf();

/// A warning in WRF's log; without WRF on standard error.
void warn(const std::string &message);

/// Ends the run, as WRF does after a fatal error.
[[noreturn]] void fail(const std::string &message);

} // namespace squall::wrf
