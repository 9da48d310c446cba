#include "common/libraries.hpp"

#include "squall/io_libraries.hpp"

namespace squall::io {

std::recursive_mutex &hdf5_mutex() {
    static std::recursive_mutex one;
    return one;
}

std::recursive_mutex &pnetcdf_mutex() {
    static std::recursive_mutex one;
    return one;
}

LibraryLock::LibraryLock() { std::lock(hdf5_mutex(), pnetcdf_mutex()); }

LibraryLock::~LibraryLock() {
    pnetcdf_mutex().unlock();
    hdf5_mutex().unlock();
}

} // namespace squall::io
