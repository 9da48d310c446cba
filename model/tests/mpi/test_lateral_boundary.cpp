// Specified lateral boundaries over ranks that all read one file.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <mpi.h>

#include "../boundary_case.hpp"

namespace squall {
namespace {

using namespace testing_support;

TEST(LateralBoundaryAcrossRanks, EachReadsItsOwnPartAndTheBitsAreTheSame) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const BoundaryCase c;
    const std::string path = "wrfbdy_across_" + std::to_string(ranks) + "_ranks";
    if (rank == 0) drifting(c.file()).write(path);
    MPI_Barrier(MPI_COMM_WORLD);
    const Config config = c.config(path);
    const RimImage whole = work_on(c, config, 1, 1, 14, 12);
    const auto [px, py] = choose_process_grid(ranks, c.nx, c.ny);
    RimImage part;
    work_on(c, config, c.patch(rank, px, py), 3, 4, part);
    ASSERT_FALSE(part.points.empty());
    int different = 0;
    for (const auto &[place, x] : part.points) different += whole.points.at(place) != x;
    EXPECT_EQ(different, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) std::filesystem::remove(path);
}

} // namespace
} // namespace squall
