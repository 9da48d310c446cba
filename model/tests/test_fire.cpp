// A fire on the ground: how fast it spreads, how its front moves, what burns behind it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/array.hpp"
#include "physics/fire/burning.hpp"
#include "physics/fire/fire_wind.hpp"
#include "physics/fire/fuel.hpp"
#include "physics/fire/fuel_moisture.hpp"
#include "physics/fire/level_set.hpp"

namespace squall::fire {
namespace {

/// The rate of spread where wind and slope point along the normal.
double rate(int category, double moisture, double wind, double slope) {
    const Spread s = spread_of(category, moisture);
    const real values[] = {s.base,      s.wind_factor, s.wind_power, s.slope_factor,
                           s.chaparral, real(wind),    real(0),      real(slope)};
    const auto one = [&](int n) { return ConstField2{&values[n], 0}; };
    const SpreadFields f{one(0), one(1), one(2), one(3), one(4), one(5), one(6), one(7), one(6)};
    return rate_of_spread(f, {}, 1, 0, 0, 0);
}

/// Without wind, in wind of 2 m/s, on a slope of 0.5, with 8 % of water: Rothermel's equations in their SI
/// form (Wilson 1980), written and evaluated apart from this program, in double precision.
TEST(Spread, IsThatOfRothermelsEquationsInSiUnits) {
    const struct {
        int category;
        double still, wind, slope;
    } all[] = {{1, 0.017882, 0.32699, 0.206162},  {2, 0.021035, 0.27797, 0.154587},
               {3, 0.020600, 0.48267, 0.208094},  {5, 0.020387, 0.39111, 0.186263},
               {6, 0.027114, 0.47538, 0.227736},  {7, 0.028795, 0.54743, 0.255616},
               {8, 0.003472, 0.02635, 0.016195},  {9, 0.004291, 0.03858, 0.021813},
               {10, 0.017106, 0.16370, 0.095184}, {11, 0.011859, 0.11836, 0.066670},
               {12, 0.028553, 0.25576, 0.150372}, {13, 0.039548, 0.31831, 0.195902}};
    for (const auto &c : all) {
        EXPECT_NEAR(rate(c.category, 0.08, 0, 0) / c.still, 1, 0.01) << c.category;
        EXPECT_NEAR(rate(c.category, 0.08, 2, 0) / c.wind, 1, 0.01) << c.category;
        EXPECT_NEAR(rate(c.category, 0.08, 0, 0.5) / c.slope, 1, 0.01) << c.category;
    }
}

/// Anderson (1982), at 8 % of water and 5 miles an hour: of the categories that have but one class of fuel,
/// in chains an hour.
TEST(Spread, OfGrassIsWhatAndersonPublished) {
    constexpr double chain_per_hour = 20.1168 / 3600, wind = 5 * 1609.344 / 3600;
    EXPECT_NEAR(rate(1, 0.08, wind, 0) / (78 * chain_per_hour), 1, 0.1);
    EXPECT_NEAR(rate(3, 0.08, wind, 0) / (104 * chain_per_hour), 1, 0.1);
}

TEST(Spread, StopsAtTheMoistureOfExtinctionAndWithoutFuel) {
    EXPECT_LT(rate(1, 0.12, 5, 0), 1e-4 * rate(1, 0.08, 5, 0));
    EXPECT_EQ(rate(1, 0.3, 5, 0.2), 0);
    EXPECT_EQ(rate(no_fuel, 0.08, 5, 0.2), 0);
    EXPECT_THROW(fuel(15), std::out_of_range);
    EXPECT_THROW(fuel(0), std::out_of_range);
}

TEST(Spread, OfChaparralFollowsTheWindAlone) {
    EXPECT_NEAR(rate(4, 0.08, 2, 0.5), 1.2974 * std::pow(2, 1.41), 1e-5);
    EXPECT_NEAR(rate(4, 0.08, 30, 0), 6, 1e-5); // as fast as fire gets
}

/// A disc that has burnt to `radius` spreads at `speed` for `duration`, on n x n cells of a square of 100 m.
/// The mean error of the radius at the end [m].
double disc_error(int n, double radius, double speed, double duration) {
    FireConfig config;
    config.viscosity = config.front_viscosity = 0; // which rounds corners, of which there are none
    Patch patch;
    patch.shape = {n, n, 1};
    patch.nx_domain = patch.ny_domain = n;
    FireGrid grid(patch.shape, 1, 1);
    grid.dx = grid.dy = real(100.0 / n);
    const FrontRules rules(config, patch, grid);
    const Shape s = patch.shape;
    Array2 zero(s), one(s), base(s), psi(s), stage(s), change(s), spread(s);
    one.fill(1), base.fill(real(speed));
    const auto at = [](const Array2 &a) { return a.view(); };
    const SpreadFields f{at(base), at(zero), at(one),  at(zero), at(zero),
                         at(zero), at(zero), at(zero), at(zero)};
    const auto distance = [&](int i, int j) {
        return std::hypot((i + 0.5) * grid.dx - 50, (j + 0.5) * grid.dy - 50);
    };
    const Range all{0, n, 0, n, 0, 1};
    for_each_column(all, [&](int i, int j) { psi(i, j) = real(distance(i, j) - radius); });
    const int steps = int(std::ceil(duration * speed / (0.2 * grid.dx)));
    const double dt = duration / steps;
    for (int step = 0; step < steps; ++step) {
        Array2 *from = &psi;
        for (const double part : {dt / 3, dt / 2, dt}) {
            continue_beyond(patch, 1, from->view());
            front_tendency(all, rules, f, at(*from), change.view(), spread.view());
            for_each_column(all, [&](int i, int j) { stage(i, j) = psi(i, j) + real(part) * change(i, j); });
            from = &stage;
        }
        psi.copy_from(stage);
    }
    double error = 0;
    int near = 0;
    for_each_column(all, [&](int i, int j) {
        if (std::abs(psi(i, j)) > 2 * grid.dx) return;
        error += std::abs(psi(i, j) - (distance(i, j) - radius - speed * duration));
        ++near;
    });
    return error / near;
}

TEST(Front, OfADiscStaysWhereItIsExactly) {
    const double coarse = disc_error(50, 10, 0.5, 30), fine = disc_error(100, 10, 0.5, 30);
    EXPECT_LT(coarse, 0.1);                 // of cells of 2 m
    EXPECT_LT(fine, 0.03);                  // of cells of 1 m
    EXPECT_GT(std::log2(coarse / fine), 1); // at least the first order
}

TEST(Front, BeyondTheDomainNeverFallsWithABiasOfOne) {
    Patch patch;
    patch.shape = {4, 4, 1};
    patch.nx_domain = patch.ny_domain = 4;
    Array2 plane(patch.shape);
    for_each_column({0, 4, 0, 4, 0, 1}, [&](int i, int) { plane(i, 0) = real(i); });
    continue_beyond(patch, 0, plane.view());
    EXPECT_EQ(plane(-1, 0), -1);
    EXPECT_EQ(plane(4, 0), 4);
    continue_beyond(patch, 1, plane.view());
    EXPECT_EQ(plane(-1, 0), 1);
    EXPECT_EQ(plane(4, 0), 4);
}

TEST(Differences, AreExactOnLinesAndOfTheirOrderOnSines) {
    const auto error = [](int n, auto difference) {
        const double h = 2 * std::numbers::pi / n;
        const auto f = [&](int i) { return real(std::sin(1 + i * h)); };
        const Stencil s{f(-3), f(-2), f(-1), f(0), f(1), f(2), f(3), real(h)};
        return std::abs(difference(s) - std::cos(1.0));
    };
    const auto third = [](const Stencil &s) { return weno3_difference(s, 1); };
    const auto fifth = [](const Stencil &s) { return weno5_difference(s, -1); };
    const auto eno = [](const Stencil &s) { return eno_difference(s.left(), s.right()); };
    EXPECT_LT(error(40, fifth), 2e-5);
    EXPECT_LT(error(40, third), 2e-2);
    EXPECT_LT(error(40, eno), 0.08);
    const Stencil line{-3, -2, -1, 0, 1, 2, 3, 1};
    EXPECT_NEAR(weno3_difference(line, 1), 1, 1e-5);
    EXPECT_NEAR(weno5_difference(line, -1), 1, 1e-5);
    EXPECT_EQ(godunov_difference(-1, 2), 0);
    EXPECT_EQ(eno_difference(1, -2), -2);
    EXPECT_EQ(upwind_difference(1, -2), 0);
}

TEST(Burning, FuelOfACellThatBurnsFallsExponentially) {
    const Shape s{3, 3, 1};
    Array2 psi(s), time(s);
    psi.fill(-1), time.fill(10);
    const Remains r = remains_of(std::as_const(psi).view(), std::as_const(time).view(), 1, 1, 30, 8);
    EXPECT_EQ(r.area, 1);
    EXPECT_NEAR(r.fuel, std::exp(-20.0 / 8), 1e-6);
}

TEST(Burning, HasTheShareOfACellThatTheFrontHasPassed) {
    const Shape s{3, 3, 1};
    Array2 psi(s), time(s);
    for_each_column({-1, 4, -1, 4, 0, 1}, [&](int i, int j) { psi(i, j) = real(i) - real(1.25); });
    const Remains r = remains_of(std::as_const(psi).view(), std::as_const(time).view(), 1, 1, 0, 8);
    EXPECT_NEAR(r.area, 0.75, 1e-6);
    EXPECT_EQ(r.fuel, 1); // it has just come
    psi.fill(1);
    EXPECT_EQ(remains_of(std::as_const(psi).view(), std::as_const(time).view(), 1, 1, 9, 8).area, 0);
}

/// Clark et al. (2004): 56 % of the mass of cellulose becomes water, beside what the fuel has.
TEST(Burning, GivesOffTheHeatOfItsDryMassAndTheWaterOfAll) {
    const Heat h = heat_of(1.08, 0.08);
    EXPECT_NEAR(h.sensible, 17.433e6, 1);
    EXPECT_NEAR(h.latent, (0.08 + 0.56) * 2.5e6, 1);
}

/// Viney (1991), table 2: Van Wagner and Pickett's equilibria at 21.1 degrees C and 50 %.
TEST(Moisture, DrawsFuelToItsEquilibriumWithTheAir) {
    const Equilibrium e = equilibrium(0.5, 21.1 + 273.15);
    EXPECT_NEAR(e.drying, 0.01 * (0.942 * std::pow(50, 0.679) + 0.000499 * std::exp(5)), 1e-9);
    EXPECT_GT(e.drying, e.wetting);
    EXPECT_NEAR(relative_humidity(293.15, 0.622 * 1169.6 / (1e5 - 1169.6), 1e5), 0.5, 0.01);
    const Shape s{1, 1, 1};
    FuelMoistureState water(s);
    Array2 t(s), q(s), p(s);
    t.fill(293.15F), q.fill(0.007F), p.fill(1e5F);
    const NearGround air{std::as_const(t).view(), std::as_const(q).view(), std::as_const(p).view(), {}, {}};
    advance_moisture({0, 1, 0, 1, 0, 1}, air, 600, water);
    const double begin = water.content[0](0, 0), humidity = relative_humidity(293.15, 0.007, 1e5);
    EXPECT_GT(begin, equilibrium(humidity, 293.15).wetting);
    EXPECT_EQ(water.content[4](0, 0), real(0.3));
    q.fill(0.002F); // drier
    for (int n = 0; n < 2; ++n)
        advance_moisture({0, 1, 0, 1, 0, 1}, air, 3600, water); // the second has it all
    const double to = equilibrium(relative_humidity(293.15, 0.002, 1e5), 293.15).drying;
    const double first = equilibrium(relative_humidity(293.15, 0.0045, 1e5), 293.15).drying;
    const double after_one = first + (begin - first) * std::exp(-1);
    EXPECT_NEAR(water.content[0](0, 0), to + (after_one - to) * std::exp(-1), 1e-4); // an hour is its lag
}

TEST(FireWind, IsInterpolatedLinearlyBetweenTheSidesOfCells) {
    FireGrid grid({2, 1, 1}, 5, 5);
    Array2 u({2, 1, 1}), result(grid.shape);
    for (int j = -1; j <= 1; ++j)
        for (int i = 0; i <= 2; ++i) u(i, j) = real(10 * i + j);
    to_fire_cells({0, 10, 0, 5, 0, 1}, grid, Lies::west, std::as_const(u).view(), result.view());
    EXPECT_NEAR(result(0, 2), 1, 1e-5);  // 0.1 of a cell from its side, in the middle south-north
    EXPECT_NEAR(result(7, 2), 15, 1e-5); // in the middle of the second
    EXPECT_NEAR(result(7, 0), 14.6, 1e-5);
}

} // namespace
} // namespace squall::fire
