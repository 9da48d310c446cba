#include <gtest/gtest.h>
#include <new>
#include <stdexcept>

#include <algorithm>
#include <atomic>

#include "core/local_error.hpp"
#include "halo_check.hpp"
#include "parallel/decomposition.hpp"
#include "parallel/tiles.hpp"

namespace squall {
namespace {

using enum Boundary;
using Grid2 = std::array<int, 2>;

TEST(ProcessGrid, KeepsRowsWholeOnTheChannel) {
    EXPECT_EQ(choose_process_grid(1, 40, 80), (Grid2{1, 1}));
    EXPECT_EQ(choose_process_grid(2, 40, 80), (Grid2{1, 2}));
    EXPECT_EQ(choose_process_grid(4, 40, 80), (Grid2{1, 4}));
}

TEST(ProcessGrid, FollowsTheShapeOfTheDomain) {
    EXPECT_EQ(choose_process_grid(4, 600, 12), (Grid2{4, 1}));
    EXPECT_EQ(choose_process_grid(8, 500, 1), (Grid2{8, 1}));
    const Grid2 square = choose_process_grid(64, 640, 640);
    EXPECT_LE(square[0], square[1]);
    EXPECT_GT(square[0], 1);
}

TEST(ProcessGrid, UsesEveryRankAndLeavesRoomForTheHalo) {
    for (int ranks = 1; ranks <= 40; ++ranks) {
        const auto [px, py] = choose_process_grid(ranks, 130, 120);
        EXPECT_EQ(px * py, ranks);
        EXPECT_TRUE(px == 1 || 130 / px >= halo_width);
        EXPECT_TRUE(py == 1 || 120 / py >= halo_width);
    }
}

TEST(ProcessGrid, ObeysWhatIsPrescribed) {
    EXPECT_EQ(choose_process_grid(6, 40, 80, 3), (Grid2{3, 2}));
    EXPECT_EQ(choose_process_grid(6, 40, 80, 0, 1), (Grid2{6, 1}));
    EXPECT_THROW(choose_process_grid(6, 40, 80, 4), std::invalid_argument);
    EXPECT_THROW(choose_process_grid(6, 40, 80, 2, 2), std::invalid_argument);
    EXPECT_THROW(choose_process_grid(20, 40, 80, 20), std::invalid_argument);
}

TEST(ProcessGrid, TooManyRanksAreRefusedWithANumberThatWorks) {
    try {
        choose_process_grid(7, 9, 1);
        FAIL() << "nothing thrown";
    } catch (const std::invalid_argument &e) {
        EXPECT_NE(std::string(e.what()).find("3 ranks would work"), std::string::npos) << e.what();
    }
    EXPECT_THROW(make_patch(0, 4, 1, 11, 20, 5, {}), std::invalid_argument);
}

TEST(Patches, CoverTheDomainOnceAndDifferByAtMostOneCell) {
    std::vector<int> owners(std::size_t(23 * 17), 0);
    int smallest = 1000, largest = 0;
    for (int rank = 0; rank < 15; ++rank) {
        const Patch p = make_patch(rank, 5, 3, 23, 17, 4, {});
        smallest = std::min(smallest, p.shape.nx);
        largest = std::max(largest, p.shape.nx);
        for (int j = 0; j < p.shape.ny; ++j)
            for (int i = 0; i < p.shape.nx; ++i) ++owners[std::size_t((p.y0 + j) * 23 + p.x0 + i)];
    }
    EXPECT_TRUE(std::all_of(owners.begin(), owners.end(), [](int n) { return n == 1; }));
    EXPECT_LE(largest - smallest, 1);
}

TEST(Patches, KnowTheirNeighbours) {
    const Patch p = make_patch(0, 3, 2, 30, 20, 4, {periodic, periodic, open, symmetric});
    EXPECT_EQ(p.west, 2);
    EXPECT_EQ(p.east, 1);
    EXPECT_EQ(p.south, MPI_PROC_NULL);
    EXPECT_EQ(p.north, 3);
    EXPECT_TRUE(p.at_west() && p.at_south());
    EXPECT_FALSE(p.at_east() || p.at_north());
}

TEST(Patches, PeriodicOnOneSideOnlyIsRefused) {
    EXPECT_THROW(make_patch(0, 1, 1, 10, 10, 4, {periodic, open, open, open}), std::invalid_argument);
}

TEST(HaloOfOnePatch, EveryPointFollowsTheBoundaryConditions) {
    const auto pairs = test::boundary_pairs();
    EXPECT_EQ(0, test::wrong_points_everywhere(MPI_COMM_NULL, 0, 1, 1, 11, 8, pairs, pairs));
}

TEST(HaloOfOnePatch, DomainsNarrowerThanTheHaloWrapAndFold) {
    const std::vector<std::array<Boundary, 2>> pairs = {
        {periodic, periodic}, {symmetric, symmetric}, {open, open}};
    for (int ny : {1, 2}) {
        EXPECT_EQ(0, test::wrong_points_everywhere(MPI_COMM_NULL, 0, 1, 1, 9, ny, pairs, pairs));
        EXPECT_EQ(0, test::wrong_points_everywhere(MPI_COMM_NULL, 0, 1, 1, ny, 9, pairs, pairs));
    }
}

TEST(HaloOfOnePatch, LargePatchesCopiedByThreadsAreTheSame) {
    EXPECT_EQ(0, test::wrong_points_everywhere(MPI_COMM_NULL, 0, 1, 1, 20000, 12, {{periodic, periodic}},
                                               {{symmetric, open}}));
}

TEST(HaloOfOnePatch, MisuseIsRefused) {
    const Boundaries all_periodic;
    Halo halo(MPI_COMM_NULL, make_patch(0, 1, 1, 8, 8, 2, all_periodic), all_periodic);
    Array2 a(Shape{8, 8, 2});
    const HaloField f = HaloField::of(a);
    EXPECT_THROW(halo.fill({&f, 1}, halo_width + 1), std::invalid_argument);
    EXPECT_THROW(halo.finish(), std::logic_error);
    halo.start({&f, 1}, 1);
    EXPECT_THROW(halo.start({&f, 1}, 1), std::logic_error);
    EXPECT_THROW(halo.fill({&f, 1}, 1), std::logic_error);
}

TEST(Tiles, CoverARangeOnceAndNeverCutColumns) {
    const Range r{-1, 30, 2, 19, 1, 9};
    std::vector<int> seen(std::size_t(31 * 17), 0);
    for (const Range &t : make_tiles(r, 8, 5)) {
        EXPECT_EQ(t.k0, 1);
        EXPECT_EQ(t.k1, 9);
        EXPECT_LE(t.i1 - t.i0, 8);
        EXPECT_LE(t.j1 - t.j0, 5);
        for (int j = t.j0; j < t.j1; ++j)
            for (int i = t.i0; i < t.i1; ++i) ++seen[std::size_t((j - 2) * 31 + i + 1)];
    }
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
    EXPECT_TRUE(make_tiles(r.with_j(4, 4), 8, 5).empty());
    EXPECT_THROW(make_tiles(r, 0, 5), std::invalid_argument);
}

TEST(Tiles, FitHalfTheCacheOrHoldEightRowsAndOccupyEveryThread) {
    const std::size_t l2 = std::size_t(1) << 20;
    for (const Shape s : {Shape{40, 80, 64}, Shape{500, 400, 50}, Shape{128, 60, 30}, Shape{1000, 1, 80}})
        for (int threads : {1, 2, 8, 32}) {
            const TileSize t = choose_tile_size(s, threads, l2);
            EXPECT_LE(t.x, 512);
            EXPECT_TRUE(t.x == s.nx || s.nx > 512);
            const std::size_t bytes =
                24 * sizeof(real) * std::size_t(t.x) * std::size_t(t.y) * std::size_t(s.nz);
            EXPECT_TRUE(t.y <= 8 || bytes <= l2 / 2);
            EXPECT_GE(make_tiles({0, s.nx, 0, s.ny, 0, s.nz}, t.x, t.y).size(), std::size_t(threads));
        }
}

TEST(Tiles, AreSharedEvenlyWherePossible) {
    const TileSize t = choose_tile_size({40, 78, 64}, 2, std::size_t(1) << 20);
    EXPECT_EQ(make_tiles({0, 40, 0, 78, 0, 64}, t.x, t.y).size() % 2, 0u);
}

TEST(Tiles, EachIsComputedOnce) {
    const auto tiles = make_tiles({0, 40, 0, 40, 0, 1}, 7, 3);
    std::atomic<int> points = 0;
    for_each_tile(tiles, [&](const Range &t) { points += (t.i1 - t.i0) * (t.j1 - t.j0); });
    EXPECT_EQ(points, 1600);
    EXPECT_GE(l2_cache_bytes(), std::size_t(64) << 10);
}

TEST(Tiles, WhatAThreadThrowsIsThrownWhenAllAreDone) {
    const auto tiles = make_tiles({0, 8, 0, 8, 0, 1}, 2, 2);
    std::atomic<int> done = 0;
    try {
        for_each_tile(tiles, [&](const Range &t) {
            if (t.i0 == 2) throw std::runtime_error("no columns there");
            ++done;
        });
        FAIL() << "it went on";
    } catch (const LocalError &e) {
        EXPECT_STREQ(e.what(), "no columns there");
    }
    EXPECT_EQ(done, 12);
    EXPECT_THROW(for_each_tile(tiles, [](const Range &) { throw std::bad_alloc(); }), std::bad_alloc);
}

} // namespace
} // namespace squall
