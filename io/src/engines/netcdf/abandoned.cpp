#include "engines/netcdf/abandoned.hpp"

#include <utility>

#include <hdf5.h>
#include <mpi.h>

#include "common/lead_nowhere.hpp"

namespace squall::io::netcdf {

/// An attribute of MPI_COMM_SELF that comes last goes first (MPI 4.0, section 11.2.4).
void end_before_mpi_io() {
    static bool asked = false;
    if (std::exchange(asked, true)) return;
    const auto end = [](MPI_Comm, int, void *, void *) {
        H5close(); // what it cannot do was reported when it failed
        return MPI_SUCCESS;
    };
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
    MPI_Comm_free_keyval(&key); // at the end
}

void abandon(const std::string &file) {
    end_before_mpi_io();
    lead_nowhere(file);
}

} // namespace squall::io::netcdf
