/// Tests of what ranks write together, into a directory of their own.
#pragma once

#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include "../output_case.hpp"

namespace squall::test {

class OutputTest : public testing::Test {
  protected:
    OutputTest() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        int id = getpid();
        MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
        directory = std::filesystem::temp_directory_path() / fmt::format("squall_output_{}", id);
    }
    ~OutputTest() override {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) std::filesystem::remove_all(directory);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    OutputCase make_case(const std::string &microphysics = "none") const {
        const auto [px, py] = choose_process_grid(ranks, out_nx, out_ny);
        return output_case(rank, px, py, directory.string(), microphysics);
    }
    std::string file(const std::string &name) const { return (directory / name).string(); }

    int rank = 0, ranks = 1;
    std::filesystem::path directory;
};

} // namespace squall::test
