/// Creating and declaring a file through PnetCDF. Call under alone().
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include <mpi.h>

#include "declare/layout.hpp"

namespace squall::io::pnetcdf {

/// Keeps other threads out of PnetCDF, which is not thread safe, as long as the result lives. It shares
/// nothing with netCDF-C, so who reads or writes through that need not wait for a collective call here.
[[nodiscard]] std::unique_lock<std::recursive_mutex> alone();

/// Throws Error with PnetCDF's words unless status is 0.
void check(int status, const std::string &doing);

MPI_Datatype mpi_type_of(Type type);

struct File {
    int id = 0;
    std::vector<int> variables; ///< id per field
};

/// Creates a file and declares everything in the layout. Collective.
File create_file(const Layout &layout, const std::string &path, MPI_Comm writers);

} // namespace squall::io::pnetcdf
