// Storage of patches.
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/array.hpp"

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

} // namespace
