/// Libraries that let one thread in at a time, whichever files they work on.
#pragma once

#include <mutex>

namespace squall::io {

/// Of HDF5 and netCDF-C, which calls it; and of PnetCDF. A thread may lock each more than once.
std::recursive_mutex &hdf5_mutex();
std::recursive_mutex &pnetcdf_mutex();

} // namespace squall::io
