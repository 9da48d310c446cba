// Storage of patches.
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>
#include <sys/resource.h>

#include "core/array.hpp"
#include "parallel/tiles.hpp"

namespace {

using namespace squall;

constexpr Shape shapes[] = {{1, 1, 1}, {41, 41, 40}, {200, 150, 30}};

TEST(Array, IsZeroInEveryPointOfItsHaloAndOneFaceBeyond) {
    for (const Shape &s : shapes) {
        const Array3 a(s);
        for (int j = -halo_width; j <= s.ny + halo_width; ++j)
            for (int k = 0; k <= s.nz; ++k)
                for (int i = -halo_width; i <= s.nx + halo_width; ++i) ASSERT_EQ(a(i, k, j), 0);
    }
}

TEST(Array, PointsOfRowsAndOfArraysDoNotOverlap) {
    const Shape s{41, 5, 4};
    Array3 arrays[3]{Array3(s), Array3(s), Array3(s)};
    const auto value = [&](int n, int i, int k, int j) {
        return static_cast<real>(((n * 100 + i + 3) * 10 + k) * 20 + j + 3);
    };
    const auto each = [&](auto f) {
        for (int n = 0; n < 3; ++n)
            for (int j = -halo_width; j <= s.ny + halo_width; ++j)
                for (int k = 0; k <= s.nz; ++k)
                    for (int i = -halo_width; i <= s.nx + halo_width; ++i) f(n, i, k, j);
    };
    each([&](int n, int i, int k, int j) { arrays[n](i, k, j) = value(n, i, k, j); });
    each([&](int n, int i, int k, int j) { ASSERT_EQ(arrays[n](i, k, j), value(n, i, k, j)); });
}

TEST(Array, OutlivesTheOthersThatShareItsMemory) {
    std::vector<Array3> arrays;
    for (int n = 0; n < 200; ++n) {
        arrays.emplace_back(Shape{41, 41, 40});
        arrays.back().fill(static_cast<real>(n));
    }
    const Array3 kept = std::move(arrays[77]);
    arrays.clear();
    for (int n = 0; n < 50; ++n) arrays.emplace_back(Shape{41, 41, 40}); // memory used again is zero again
    EXPECT_EQ(kept(0, 0, 0), 77);
    EXPECT_EQ(kept(40, 39, 40), 77);
    for (const Array3 &a : arrays) EXPECT_EQ(a(20, 20, 20), 0);
}

TEST(Array, RowsBeginOnHalfACacheLineAtTheFirstOwnedPoint) {
    for (const Shape &s : shapes) {
        Array3 a(s);
        for (int k = 0; k <= s.nz; ++k) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&a(0, k, 0)) % 32, 0U);
    }
}

TEST(Arrays, AreCountedWhileTheyLive) {
    const std::size_t before = allocated_bytes();
    {
        const Array3 large({200, 100, 40});
        const Array2 small({8, 4, 40});
        EXPECT_GE(allocated_bytes() - before, large.bytes() + small.bytes());
        EXPECT_LE(allocated_bytes() - before, large.bytes() + small.bytes() + 2 * 64);
    }
    EXPECT_EQ(allocated_bytes(), before);
}

TEST(Arrays, OfManyPagesBeginWithZerosWhicheverThreadWroteThem) {
    const Shape shape{300, 120, 45};
    { // what lies in the memory that the next one may get
        Array3 other(shape);
        other.fill(7);
    }
    const Array3 a(shape);
    for (int j = -halo_width; j <= shape.ny + halo_width; ++j)
        for (int k = 0; k <= shape.nz; ++k)
            for (int i = -halo_width; i <= shape.nx + halo_width; ++i) ASSERT_EQ(a(i, k, j), 0);
}

/// Pages that the system gave each of two threads, so far: those that it touched first.
std::array<long, 2> pages_of_threads() {
    std::array<long, 2> pages{};
#pragma omp parallel num_threads(2)
    {
        rusage usage{};
        getrusage(RUSAGE_THREAD, &usage);
        pages[static_cast<std::size_t>(omp_get_thread_num())] = usage.ru_minflt;
    }
    return pages;
}

/// A system puts a page near to the processor that touches it first.
TEST(Array, IsFirstTouchedByTheThreadsThatComputeOnIt) {
    const int threads = omp_get_max_threads();
    omp_set_num_threads(2);
    pages_of_threads(); // the threads are there
    const Shape s{200, 400, 100};
    const auto before = pages_of_threads();
    Array3 a(s);
    const auto made = pages_of_threads();
    const auto all = [&](std::size_t n) { return made[n] - before[n]; };
    EXPECT_GT(all(0) + all(1), 10) << "some 32 MB, in pages of up to 2 MB";
    for (const std::size_t n : {0U, 1U}) EXPECT_GT(3 * all(n), all(0) + all(1)) << "thread " << n;
    for_each_tile(make_tiles({0, s.nx, 0, s.ny, 0, s.nz}, s.nx, 8),
                  [&](const Range &tile) { for_each(tile, [&](int i, int k, int j) { a(i, k, j) = 1; }); });
    const auto used = pages_of_threads();
    EXPECT_LT(used[0] + used[1] - made[0] - made[1], 10) << "none is left for him who computes first";
    omp_set_num_threads(threads);
}

} // namespace
