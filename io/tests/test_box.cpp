#include <gtest/gtest.h>

#include "common/box.hpp"

namespace squall::io {

TEST(Tiling, AcceptsUnevenAndEmptyBoxes) {
    EXPECT_EQ(
        tiling_fault({{{0, 0}, {3, 4}}, {{0, 4}, {3, 6}}, {{3, 0}, {0, 10}}, {{3, 0}, {2, 10}}}, {5, 10}),
        "");
    EXPECT_EQ(tiling_fault({{{}, {}}}, {}), "");
}

TEST(Tiling, NamesTheFirstHole) {
    const auto fault = tiling_fault({{{0, 0}, {3, 10}}, {{3, 0}, {2, 6}}}, {5, 10});
    EXPECT_EQ(fault, "8 of 50 points were not put, the first at [3, 6]");
    EXPECT_EQ(tiling_fault({}, {5, 10}), "no rank put it");
    EXPECT_EQ(tiling_fault({{{0, 0}, {0, 10}}}, {5, 10}), "no rank put it");
}

TEST(Tiling, FindsOverlapEvenIfTheCountIsRight) {
    const auto fault = tiling_fault({{{0, 0}, {3, 10}}, {{2, 0}, {2, 10}}}, {5, 10});
    EXPECT_EQ(fault, "boxes [0:3, 0:10] and [2:4, 0:10] overlap");
    EXPECT_EQ(tiling_fault({{{}, {}}, {{}, {}}}, {}), "it was put more than once");
}

TEST(Misfit, IsFoundOnEverySide) {
    EXPECT_EQ(misfit({{0, 0}, {5, 10}}, {5, 10}), "");
    EXPECT_NE(misfit({{-1, 0}, {5, 10}}, {5, 10}), "");
    EXPECT_NE(misfit({{1, 0}, {5, 10}}, {5, 10}), "");
    EXPECT_NE(misfit({{0, 0}, {5, -1}}, {5, 10}), "");
    EXPECT_NE(misfit({{0}, {5}}, {5, 10}), "");
    EXPECT_NE(misfit({{0, std::int64_t(1) << 62}, {5, std::int64_t(1) << 62}}, {5, 10}), "");
}

} // namespace squall::io
