/// netCDF-C and HDF5 as libraries: one thread at a time, and what went wrong in their words.
#pragma once

#include <mutex>
#include <string>

namespace squall::io::netcdf {

/// Lets HDF5 begin, which calls MPI then: in a thread that may. Once is enough.
void begin();

/// Keeps other threads out of these libraries, which are not thread safe, as long as the result
/// lives. A thread may hold it more than once. Collective calls of these libraries are made under it
/// too: they are stored in an order that all processes agree on (agree/order.hpp), so nobody waits for a rank
/// that waits for him. Waiting of our own (barriers, agreement) is done without it, and files in the classic
/// formats are read without it, so that a reader need not wait for ranks that write late. Programs have it as
/// LibraryLock (squall/io_libraries.hpp).
[[nodiscard]] std::unique_lock<std::recursive_mutex> alone();

/// Throws Error with netCDF's words unless status is 0.
void check(int status, const std::string &doing);

} // namespace squall::io::netcdf
