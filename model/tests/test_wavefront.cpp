// Contract of wavefronts: the results of launches one after the other, on any parts and threads.
#include <random>

#include <gtest/gtest.h>

#include "parallel/wavefront.hpp"

namespace squall {
namespace {

/// Kernels that look as far as they may at what the kernel before them found, and change what it looked at.
struct Work {
    std::vector<Reach> reaches;
    int rows;
    std::vector<std::vector<unsigned>> found; ///< [0 or 1][row], in turn by even and odd kernels

    Work(std::vector<Reach> of, int n) : reaches(std::move(of)), rows(n), found(2) {
        for (auto &values : found)
            for (int j = 0; j < n; ++j) values.push_back(static_cast<unsigned>(7 * j + 1));
    }
    void run(int kernel, int j) {
        const auto n = static_cast<std::size_t>(kernel);
        unsigned sum = 31 * found[n % 2][static_cast<std::size_t>(j)] + static_cast<unsigned>(kernel);
        for (int at = std::max(0, j - reaches[n].south); at <= std::min(rows - 1, j + reaches[n].north); ++at)
            sum = 17 * sum + found[1 - n % 2][static_cast<std::size_t>(at)];
        found[n % 2][static_cast<std::size_t>(j)] = sum;
    }
};

TEST(Wavefront, FindsWhatLaunchesOneAfterTheOtherFind) {
    std::mt19937 random(5);
    for (int trial = 0; trial < 200; ++trial) {
        const int rows = 1 + static_cast<int>(random() % 60), kernels = 1 + static_cast<int>(random() % 9);
        std::vector<Reach> reaches;
        for (int n = 0; n < kernels; ++n)
            reaches.push_back({static_cast<int>(random() % 3), static_cast<int>(random() % 3)});
        // A kernel that overwrites what the one before has looked at waits as far.
        for (std::size_t n = 1; n < reaches.size(); ++n) {
            reaches[n].south = std::max(reaches[n].south, reaches[n - 1].north);
            reaches[n].north = std::max(reaches[n].north, reaches[n - 1].south);
        }
        Reach together;
        for (const Reach &reach : reaches) together = together + reach;

        Work expected(reaches, rows);
        for (int n = 0; n < kernels; ++n)
            for (int j = 0; j < rows; ++j) expected.run(n, j);

        for (const int threads : {1, 2, 3, 5}) {
            Work work(reaches, rows);
            std::vector<ScratchMemory> scratch(static_cast<std::size_t>(omp_get_max_threads()), {1, 16});
            run_wavefront(
                wavefront_parts({0, 4, 0, rows, 0, 1}, threads, together), scratch, kernels,
                [&](int n) { return reaches[static_cast<std::size_t>(n)]; },
                [&](int n, const Range &row, const Scratch &) { work.run(n, row.j0); });
            EXPECT_EQ(work.found, expected.found) << rows << " rows, " << kernels << " kernels, " << threads;
        }
    }
}

TEST(Wavefront, HasFewerPartsWhereRowsAreFew) {
    const Range patch{-1, 5, -1, 21, 0, 3};
    const auto parts = wavefront_parts(patch, 4, {3, 4});
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts.front().j0, -1);
    EXPECT_EQ(parts.back().j1, 21);
    for (std::size_t n = 0; n < parts.size(); ++n) {
        EXPECT_GE(parts[n].j1 - parts[n].j0, 7);
        EXPECT_EQ(parts[n].i0, -1);
        if (n > 0) {
            EXPECT_EQ(parts[n].j0, parts[n - 1].j1);
        }
    }
    EXPECT_EQ(wavefront_parts(patch, 4, {40, 40}).size(), 1u);
}

TEST(Wavefront, RunsAKernelBehindThoseItLooksAt) {
    std::vector<ScratchMemory> scratch(1, {1, 16});
    std::vector<std::pair<int, int>> order;
    run_wavefront(
        wavefront_parts({0, 1, 0, 3, 0, 1}, 1, {0, 1}), scratch, 2,
        [](int n) {
            return Reach{0, n};
        },
        [&](int n, const Range &row, const Scratch &) { order.emplace_back(n, row.j0); });
    EXPECT_EQ(order, (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {1, 0}, {0, 2}, {1, 1}, {1, 2}}));
}

TEST(Wavefront, HandsOnWhatAKernelThrows) {
    std::vector<ScratchMemory> scratch(static_cast<std::size_t>(omp_get_max_threads()), {1, 16});
    EXPECT_THROW(run_wavefront(
                     wavefront_parts({0, 1, 0, 8, 0, 1}, 2, {1, 1}), scratch, 1, [](int) { return Reach{}; },
                     [](int, const Range &row, const Scratch &) {
                         if (row.j0 == 5) throw std::runtime_error("row 5");
                     }),
                 std::runtime_error);
}

} // namespace
} // namespace squall
