/// Whether the MPI-IO below PnetCDF and parallel HDF5 tells of errors. Open MPI has two: its own (ompio) says
/// on standard error that a writer could not write what others had sent it, and returns success; ROMIO, which
/// is in Open MPI too and is all that MPICH and its kin have, reports it.
#pragma once

#include <string>

#include "declare/layout.hpp"

namespace squall::io::netcdf {

/// For Engine::options of engines that write together through MPI-IO.
OptionInfo ompio_option();

/// Throws Error if MPI takes ompio, and the stream does not accept it. Local. On Lustre Open MPI takes ROMIO
/// unasked, which is not known here.
void require_errors_reported(const Layout &layout);

/// How a file is called before MPI: ROMIO takes what stands before a colon for the kind of its file system,
/// and refuses to guess where names have one, as those of times do. Local.
std::string name_for_mpi(const std::string &path);

} // namespace squall::io::netcdf
