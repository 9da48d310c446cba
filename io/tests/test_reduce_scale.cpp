/// What reductions send on hundreds of ranks, counted with the code itself and without sending anything.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "../bench/count/count.hpp"

namespace squall::io::test {

using bench::count;
using bench::Diagnostics;

TEST(ReductionsAtScale, SendOneMessageForEachRankAndMuchLessThanTheField) {
    fmt::print("zonal means, a mean and 300 stations of one field of 60 levels, 10 x 10 cells a rank\n"
               "{:>6} {:>9} {:>12} {:>16} {:>14} {:>16}\n",
               "ranks", "messages", "bytes", "largest message", "heard by one", "gathered bytes");
    for (const auto &[px, py] : {std::pair(8, 10), std::pair(20, 20), std::pair(100, 100)}) {
        const auto sent = count(Diagnostics{.nx = 10 * px,
                                            .ny = 10 * py,
                                            .nz = 60,
                                            .px = px,
                                            .py = py,
                                            .stations = 300,
                                            .zonal = true,
                                            .domain = true});
        fmt::print("{:>6} {:>9} {:>12} {:>16} {:>14} {:>16}\n", px * py, sent.messages, sent.bytes,
                   sent.largest, sent.heard, sent.gathered);
        EXPECT_EQ(sent.messages, px * py - 1);
        EXPECT_LT(sent.bytes, 0.6 * static_cast<double>(sent.gathered)); // of rows of ten points only
        // No message is part of the field, and no rank ever hears it: of 72 kB at stations, and sums.
        EXPECT_LT(sent.largest, 80'000);
        EXPECT_LT(sent.heard, 350'000);
        EXPECT_EQ(sent.left_at_first, 0);
    }
}

} // namespace squall::io::test
