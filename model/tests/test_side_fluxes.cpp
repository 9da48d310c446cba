// Sums of any order, and what crosses the sides of a domain.
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/constants.hpp"
#include "core/exact_sum.hpp"
#include "dynamics/side_fluxes.hpp"
#include "parallel/tiles.hpp"

namespace squall {
namespace {

TEST(ExactSum, HasTheSameBitsInAnyOrder) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> mantissa(-1, 1);
    std::uniform_int_distribution<int> exponent(-10, 40);
    std::vector<double> terms;
    for (int n = 0; n < 10000; ++n) terms.push_back(std::ldexp(mantissa(random), exponent(random)));
    ExactSum forward, backward, parts[3];
    long double close = 0;
    for (std::size_t n = 0; n < terms.size(); ++n) {
        forward.add(terms[n]), parts[n % 3].add(terms[n]), close += terms[n];
        backward.add(terms[terms.size() - 1 - n]);
    }
    EXPECT_EQ(forward.value(), backward.value());
    EXPECT_EQ(forward.value(), (parts[2] + parts[0] + parts[1]).value());
    EXPECT_NEAR(forward.value(), double(close), 10000 * 0x1p-21 + 1e-9 * std::abs(double(close)));
    EXPECT_EQ(ExactSum::of(forward.coarse(), forward.fine()).value(), forward.value());
    EXPECT_EQ((forward - backward).value(), 0);
}

TEST(ExactSum, OfARowHasTheBitsOfItsTermsOneByOne) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> mantissa(-1, 1);
    for (const int exponent : {-30, -20, -18, 0, 31, 32, 33, 49, 50, 60, 90}) {
        ExactSum one_by_one, together;
        std::vector<double> terms;
        for (int n = 0; n < 9001; ++n) {
            terms.push_back(std::ldexp(mantissa(random), exponent));
            if (n % 7 == 0) terms.back() = 2.5 * 0x1p-20; // as near to one quantum as to another
            one_by_one.add(terms.back());
        }
        together.add(terms.data(), terms.size());
        EXPECT_EQ(together.coarse(), one_by_one.coarse()) << exponent;
        EXPECT_EQ(together.fine(), one_by_one.fine()) << exponent;
        terms[3] = std::numeric_limits<double>::quiet_NaN();
        together = one_by_one = {};
        together.add(terms.data(), 100);
        for (std::size_t n = 0; n < 100; ++n) one_by_one.add(terms[n]);
        EXPECT_EQ(together.fine(), one_by_one.fine()) << exponent;
    }
}

TEST(ExactSum, CountsSmallAndLargeTermsTogether) {
    ExactSum sum;
    sum.add(5e18);
    for (int n = 0; n < 1000; ++n) sum.add(-0.25);
    sum.add(-5e18);
    EXPECT_EQ(sum.value(), -250);
    sum.add(std::numeric_limits<double>::quiet_NaN());
    sum.add(std::numeric_limits<double>::infinity());
    EXPECT_EQ(sum.value(), -250) << "what is no number is left out";
}

/// A flux of 3 Pa m/s eastward and 2 northward everywhere, through the sides of a domain of 14 x 12 cells of
/// 2 km inside two specified rows.
TEST(SideFluxes, CountWhatComesInAndGoesOutOnAnyTiles) {
    using enum Boundary;
    const int nx = 14, ny = 12, nz = 4;
    const Boundaries boundaries{specified, specified, specified, specified};
    const Patch patch = make_patch(0, 1, 1, nx, ny, nz, boundaries);
    Grid grid;
    grid.shape = patch.shape, grid.vertical = VerticalGrid::make({1, 0.8, 0.55, 0.3, 0}, 10000, 0.2);
    grid.dx = grid.dy = 2000, grid.rdx = grid.rdy = real(1) / 2000;
    Array3 u(patch.shape), v(patch.shape);
    u.fill(3), v.fill(2);
    const double seconds = 10, through = 2000 / double(constants::g) * seconds; // by face, times the flux
    for (const auto &[x, y] : std::array{std::pair{14, 12}, std::pair{5, 3}}) {
        const GridView view(grid);
        SideFluxes sides(patch, boundaries, 2, view);
        EXPECT_EQ(sides.inner().i0, 2);
        EXPECT_EQ(sides.inner().j1, 10);
        const std::vector<real> west(20, 3), south(20, 1), north(20, 2);
        for (const Range &tile : make_tiles({0, nx, 0, ny, 0, nz}, x, y)) {
            sides.lines().add_mass(tile, view, std::as_const(u).view(), std::as_const(v).view(),
                                   real(seconds));
            for (int j = tile.j0; j < tile.j1; ++j)
                sides.lines().add_water(tile.with_j(j, j + 1), 0, view, west.data(), south.data(),
                                        north.data());
        }
        sides.end_step(real(seconds), {});
        const Crossing crossed = sides.take();
        EXPECT_NEAR(crossed.dry.in.value(), through * (8 * 3 + 10 * 2), 1e-2); // 8 faces west, 10 south
        EXPECT_EQ(crossed.dry.in.value(), crossed.dry.out.value());
        const double layer = -double(grid.vertical.dnw[0]);
        EXPECT_NEAR(crossed.water.in.value(), through * layer * (8 * 3 + 10 * 1), 1e-2);
        EXPECT_NEAR(crossed.water.out.value(), through * layer * (8 * 3 + 10 * 2), 1e-2);
        EXPECT_EQ(sides.take().dry.in.value(), 0) << "it is taken";
    }
}

} // namespace
} // namespace squall
