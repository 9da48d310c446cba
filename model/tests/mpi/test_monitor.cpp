#include <gtest/gtest.h>

#include <limits>

#include "../monitor_case.hpp"

namespace squall {
namespace {

Patch my_patch(int px) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return make_patch(rank, px, ranks / px, 20, 19, 5, {});
}

TEST(MonitorAcrossRanks, EveryRankLearnsTheSamePlaceWhateverTheSplit) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int px : {1, ranks}) {
        test::MonitorCase c(my_patch(px), MPI_COMM_WORLD);
        for (const GridPoint p : {GridPoint{19, 1, 18}, {1, 3, 9}, {18, 2, 9}}) c.set(c.state.w, p, 3);
        const Health h = c.monitor.check(c.state, 0);
        EXPECT_EQ(h.w.value, 3);
        EXPECT_EQ(h.w.at.i, 18);
        EXPECT_EQ(h.w.at.k, 2);
        EXPECT_EQ(h.w.at.j, 9);
    }
}

TEST(MonitorAcrossRanks, WhatOneRankNoticedAllKnowAfterTheSameStep) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    test::MonitorCase c(my_patch(1), MPI_COMM_WORLD);
    EXPECT_EQ(c.monitor.check(c.state, 0).notice, 0);
    EXPECT_EQ(c.monitor.check(c.state, 0, rank == ranks - 1 ? 15 : 0).notice, 15);
}

TEST(MonitorAcrossRanks, FlowAlongSlopesIsKnownAtTheRimsOfPatches) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    test::MonitorCase c(my_patch(ranks), MPI_COMM_WORLD);
    c.set_height([](int i, int) { return 2000. * i; }); // 0.2
    for (int k = 0; k < 5; ++k)                         // owned winds only: halos are stale after a step
        for (int j = 0; j < 19; ++j)
            for (int i = 0; i < 20; ++i) c.set(c.state.u, {i, k, j}, 150), c.set(c.state.w, {i, k, j}, 30);
    EXPECT_GT(c.monitor.check(c.state, 0).courant_vertical.value, 1.7);
}

TEST(MonitorAcrossRanks, AValueThatIsNotFiniteStopsEveryRank) {
    test::MonitorCase c(my_patch(1), MPI_COMM_WORLD);
    c.set(c.state.v, {4, 2, 17}, std::numeric_limits<real>::quiet_NaN());
    c.set(c.state.theta, {6, 0, 18}, std::numeric_limits<real>::quiet_NaN());
    try {
        c.monitor.check(c.state, 60);
        ADD_FAILURE() << "nothing thrown";
    } catch (const Violation &v) {
        EXPECT_EQ(v.variable, "v");
        EXPECT_EQ(v.at.j, 17);
    }
}

} // namespace
} // namespace squall
