/// HDF5 after a failure: files that it cannot close, at the end of the process. Call under alone().
#pragma once

#include <string>

namespace squall::io::netcdf {

/// A file that will not be closed any more, of which frames are stored: before MPI_Finalize ends MPI-IO, HDF5
/// writes what it still holds of it, where it can.
void leave_open(const std::string &file);

/// What HDF5 holds of a file that has failed it writes once more when it closes it, in MPI_Finalize at the
/// latest, and where that fails, too, it ends the process. From here on this process's writes to the file go
/// nowhere and succeed, and HDF5 ends before ROMIO. For a file that nobody needs.
void abandon(const std::string &file);

} // namespace squall::io::netcdf
