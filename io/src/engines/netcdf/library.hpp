/// netCDF-C and HDF5 as libraries: one thread at a time, and what went wrong in their words.
#pragma once

#include <mutex>
#include <string>

namespace squall::io::netcdf {

/// Keeps other threads out of these libraries, which are not thread safe, as long as the result
/// lives. A thread may hold it more than once. Collective calls of these libraries are made under it
/// too: frames are stored in an order that the writers agree on, so nobody waits for a rank that waits
/// for him. Waiting of our own (barriers, agreement) is done without it, and files in the classic formats
/// are read without it, so that a reader need not wait for ranks that write late.
[[nodiscard]] std::unique_lock<std::recursive_mutex> alone();

/// Throws Error with netCDF's words unless status is 0.
void check(int status, const std::string &doing);

} // namespace squall::io::netcdf
