#include <gtest/gtest.h>

#include "../halo_check.hpp"

namespace squall {
namespace {

int ranks() {
    int n = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    return n;
}

int rank() {
    int r = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    return r;
}

int sum_over_ranks(int n) {
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return n;
}

TEST(HaloAcrossRanks, EveryPointEqualsTheGlobalFieldOnEveryProcessGrid) {
    // Neither 20 nor 19 divides evenly; over 6 ranks patches are as narrow as the halo.
    for (int px = 1; px <= ranks(); ++px) {
        if (ranks() % px) continue;
        const auto pairs = test::boundary_pairs();
        EXPECT_EQ(0, sum_over_ranks(test::wrong_points_everywhere(MPI_COMM_WORLD, rank(), px, ranks() / px,
                                                                  20, 19, pairs, pairs)))
            << px << " patches west-east";
    }
}

TEST(HaloAcrossRanks, OneRowDomainsAreSplitAlongTheRow) {
    using enum Boundary;
    EXPECT_EQ(0, sum_over_ranks(test::wrong_points_everywhere(
                     MPI_COMM_WORLD, rank(), ranks(), 1, 20, 1, test::boundary_pairs(),
                     {{periodic, periodic}, {symmetric, symmetric}, {open, open}})));
}

TEST(HaloAcrossRanks, TwoExchangesOnOneCommunicatorDoNotMix) {
    const Boundaries periodic;
    const Patch patch = make_patch(rank(), ranks(), 1, 20, 7, 2, periodic);
    Halo first(MPI_COMM_WORLD, patch, periodic), second(MPI_COMM_WORLD, patch, periodic);
    Array2 a(patch.shape), b(patch.shape);
    a.fill(1);
    b.fill(2);
    const HaloField fa = HaloField::of(a), fb = HaloField::of(b);
    first.start({&fa, 1}, 1);
    second.fill({&fb, 1}, 1);
    first.finish();
    EXPECT_EQ(a(-1, 0), 1);
    EXPECT_EQ(b(-1, 0), 2);
}

} // namespace
} // namespace squall
