#include "engines/netcdf/abandoned.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <hdf5.h>
#include <mpi.h>

#include "common/lead_nowhere.hpp"

namespace squall::io::netcdf {
namespace {

std::string name_of(hid_t file) {
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(H5Fget_name(file, nullptr, 0), 0)), ' ');
    H5Fget_name(file, name.data(), name.size() + 1);
    return name.starts_with("ufs:") || name.starts_with("nfs:") ? name.substr(4) : name; // name_for_mpi
}

/// Of this library, which closes them no more.
std::vector<std::string> &left_open() {
    static std::vector<std::string> files;
    return files;
}

bool is_left_open(const std::string &name) {
    return std::ranges::any_of(left_open(), [&](const std::string &file) {
        std::error_code none;
        return std::filesystem::equivalent(name, file, none);
    });
}

/// What HDF5 still holds of a file that was left open is for `squall recover`. What of it cannot be written
/// it tries once more, and that would end the process: it goes nowhere. Files of others it closes as it does.
void end() {
    std::vector<hid_t> open(
        static_cast<std::size_t>(std::max<ssize_t>(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_FILE), 0)));
    H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_FILE, open.size(), open.data());
    for (const hid_t file : open) {
        const auto name = name_of(file);
        if (!is_left_open(name)) continue;
        H5Fflush(file, H5F_SCOPE_LOCAL); // what it cannot do was reported when it failed
        lead_nowhere(name);
    }
    H5close();
}

/// MPI_Finalize ends first what began last: ROMIO, and then HDF5, which needs it for files that are open
/// still; ROMIO 3.2.1 ends the process there. From here on HDF5 ends before it: an attribute of MPI_COMM_SELF
/// that comes last goes first (MPI 4.0, section 11.2.4).
void end_before_mpi_io() {
    static bool asked = false;
    if (std::exchange(asked, true)) return;
    const auto ended = [](MPI_Comm, int, void *, void *) -> int {
        end();
        return MPI_SUCCESS;
    };
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, ended, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
    MPI_Comm_free_keyval(&key); // at the end
}

} // namespace

void leave_open(const std::string &file) {
    end_before_mpi_io();
    left_open().push_back(file);
}

void abandon(const std::string &file) {
    end_before_mpi_io();
    lead_nowhere(file);
}

} // namespace squall::io::netcdf
