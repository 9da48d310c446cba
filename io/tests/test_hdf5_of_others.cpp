/// Files that the program itself has open by HDF5 when MPI ends, beside one that this library gave up.

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <mpi.h>
#include <unistd.h>

#include "engines/netcdf/abandoned.hpp"

namespace squall::io::test {
namespace {

/// Of the latest format, which notes in the file that somebody writes to it.
hid_t created(const std::string &file) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    return H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
}

[[noreturn]] void end_with_both_open(const std::string &theirs, const std::string &ours) {
    MPI_Init(nullptr, nullptr);
    created(theirs);
    created(ours);
    netcdf::leave_open(ours);
    MPI_Finalize();
    std::_Exit(0);
}

TEST(Hdf5OfOthers, IsClosedWholeWhereMpiEnds) {
    const auto directory =
        std::filesystem::temp_directory_path() / ("squall_hdf5_of_others_" + std::to_string(getpid()));
    std::filesystem::create_directories(directory);
    const auto theirs = (directory / "theirs.h5").string(), ours = (directory / "ours.h5").string();
    EXPECT_EXIT(end_with_both_open(theirs, ours), testing::ExitedWithCode(0), "");
    EXPECT_TRUE(std::filesystem::exists(ours));
    EXPECT_GE(H5Fopen(theirs.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), 0);
    std::filesystem::remove_all(directory);
}

} // namespace
} // namespace squall::io::test
