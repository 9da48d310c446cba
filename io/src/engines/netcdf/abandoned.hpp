/// HDF5 after a failure: files that it cannot close, at the end of the process. Call under alone().
#pragma once

#include <string>

namespace squall::io::netcdf {

/// MPI_Finalize ends first what began last: ROMIO, and then HDF5, which needs it for files that are open
/// still; ROMIO 3.2.1 ends the process there. From here on HDF5 ends before it.
void end_before_mpi_io();

/// What HDF5 holds of a file that has failed it writes once more when it closes it, in MPI_Finalize at the
/// latest, and where that fails, too, it ends the process. From here on this process's writes to the file go
/// nowhere and succeed, and HDF5 ends before ROMIO. For a file that nobody needs.
void abandon(const std::string &file);

} // namespace squall::io::netcdf
