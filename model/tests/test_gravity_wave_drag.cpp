// Drag by mountains within cells on single columns: against linear theory, and what it must keep.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mountains_case.hpp"
#include "physics/gravity_wave_drag/stress.hpp"

namespace squall {
namespace {

using namespace kim_arakawa;
using test::Mountains;
using test::WindyMountains;

constexpr std::size_t west = 0, south = 1, south_west = 2, north_west = 3;

LowLevelFlow low_hills() {
    LowLevelFlow flow{};
    flow.density = real(1.1), flow.speed = 10, flow.frequency = real(0.01), flow.spacing = 30e3;
    flow.deviation = 10, flow.convexity = 3;
    flow.facing = {0, real(0.3), real(0.3), 1, 1};
    flow.mountains = mountains(flow.facing);
    return flow;
}

TEST(GravityWaves, OfLowHillsScaleAsThoseOfLinearTheory) {
    LowLevelFlow flow = low_hills();
    const double stress = wave_stress(flow);
    // m / dx rho N U sigma^2 OC / C_G, less a part that goes as Fr.
    EXPECT_NEAR(stress, 1.3 / 30e3 * 1.1 * 0.01 * 10 * 100 * 3 / 0.5, 0.01 * stress);
    flow.deviation = 20;
    EXPECT_NEAR(wave_stress(flow) / stress, 4, 0.05);
    flow.deviation = 10, flow.speed = 20;
    EXPECT_NEAR(wave_stress(flow) / stress, 2, 0.05);
    flow.speed = 10, flow.frequency = real(0.02);
    EXPECT_NEAR(wave_stress(flow) / stress, 2, 0.05);
}

/// Of a ridge h a^2 / (x^2 + a^2) along the middle of a cell, at points of a regular grid.
struct Ridge {
    double mean = 0, variance = 0, fourth = 0;
    Ridge(double height, double half_width, double cell) {
        constexpr int n = 2000;
        const auto at = [&](int i) {
            const double x = ((i + 0.5) / n - 0.5) * cell;
            return height * half_width * half_width / (x * x + half_width * half_width);
        };
        for (int i = 0; i < n; ++i) mean += at(i) / n;
        for (int i = 0; i < n; ++i) variance += std::pow(at(i) - mean, 2) / n;
        for (int i = 0; i < n; ++i) fourth += std::pow(at(i) - mean, 4) / n;
    }
};

/// Linear hydrostatic waves over a bell-shaped ridge take pi / 4 rho N U h^2 per metre of it (Smith 1979).
TEST(GravityWaves, OfABellRidgeTakeWhatLinearTheorySays) {
    const double height = 50, cell = 30e3;
    for (const double half_width : {1e3, 2e3, 3e3}) {
        const Ridge ridge(height, half_width, cell);
        LowLevelFlow flow = low_hills();
        flow.deviation = real(std::sqrt(ridge.variance));
        flow.convexity = real(ridge.fourth / (ridge.variance * ridge.variance));
        flow.facing.length = flow.facing.across = real(2 * half_width / cell);
        flow.mountains = mountains(flow.facing);
        const double theory = std::numbers::pi / 4 * 1.1 * 0.01 * 10 * height * height / cell;
        const double ratio = wave_stress(flow) / theory;
        EXPECT_GT(ratio, 0.75) << half_width << " " << ratio;
        EXPECT_LT(ratio, 1.5) << half_width;
        RecordProperty("ratio", std::to_string(ratio));
    }
}

TEST(GravityWaves, AreNoneWithoutMountainsWindOrStability) {
    Mountains m(3);
    m.deviation[0] = 0;
    m.blow(1, 0.6, 0.6);
    for (int k = 0; k < Mountains::nz; ++k) m(Mountains::theta, 2, k) = real(300 - 0.01 * k);
    m.drag();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(m.is_still(i)) << i;
    Mountains calm(1);
    calm.blow(0, 0, 0);
    calm.drag();
    EXPECT_TRUE(calm.is_still(0));
}

TEST(GravityWaves, SlowTheWindDownFromWhereverItBlows) {
    Mountains m(16);
    for (int i = 0; i < 16; ++i)
        m.blow(i, 12 * std::cos(0.1 + i * std::numbers::pi / 8),
               12 * std::sin(0.1 + i * std::numbers::pi / 8));
    m.drag();
    for (int i = 0; i < 16; ++i) {
        const double u = m(Mountains::u, i, 0), v = m(Mountains::v, i, 0);
        const double x = m.stress_u[std::size_t(i)], y = m.stress_v[std::size_t(i)];
        EXPECT_GT(x * u + y * v, 0) << i;
        EXPECT_NEAR((x * v - y * u) / (x * u + y * v), 0, 1e-5) << i;
        for (int k = 0; k < Mountains::nz; ++k)
            EXPECT_LE(double(m(Mountains::du, i, k)) * u + double(m(Mountains::dv, i, k)) * v, 0);
    }
}

TEST(GravityWaves, KnowOnWhichSideTheMountainsStand) {
    // Of each direction, winds that meet the mountains of its side first, and those that come from behind.
    const std::array<std::array<double, 2>, 4> from{{{10, 0}, {0, 10}, {7, 7}, {7, -7}}};
    Mountains m(8);
    for (int i = 0; i < 8; ++i) {
        const std::size_t d = std::size_t(i) / 2;
        const double sign = i % 2 ? -1 : 1;
        m.blow(i, sign * from[d][0], sign * from[d][1]);
        m.asymmetry[d][std::size_t(i)] = real(0.6);
    }
    m.drag();
    const auto stress = [&](std::size_t i) { return std::hypot(m.stress_u[i], m.stress_v[i]); };
    for (std::size_t d = west; d <= north_west; ++d) EXPECT_GT(stress(2 * d), 1.3 * stress(2 * d + 1)) << d;
}

TEST(GravityWaves, MeetARidgeAcrossTheWindAsHighAndOneAlongItAsLow) {
    for (const auto &[axis, right, u, v] :
         {std::tuple{west, south, 10.0, 0.0}, {south, west, 0.0, 10.0}, {south_west, north_west, 7.0, 7.0}}) {
        Mountains m(2);
        for (const int i : {0, 1}) m.blow(i, u, v);
        m.length[axis][0] = m.length[right][1] = real(0.1),
        m.length[right][0] = m.length[axis][1] = real(0.4);
        m.drag();
        const auto stress = [&](std::size_t i) { return std::hypot(m.stress_u[i], m.stress_v[i]); };
        EXPECT_GT(stress(0), 4 * stress(1)) << axis;
    }
}

/// Ground below the critical height has no length in any direction, and makes waves all the same.
TEST(GravityWaves, OfLowGroundAreAlikeInAllDirections) {
    Mountains m(2);
    for (auto &x : m.length) x = {0, 0};
    m.blow(1, 0, 10);
    m.drag();
    const double linear = 1 / 30e3 * 1.15 * 0.01 * 10 * 100 * 100 * 3 / 0.5;
    EXPECT_GT(m.stress_u[0], 0.7 * linear);
    EXPECT_LT(m.stress_u[0], 1.3 * linear);
    EXPECT_EQ(m.stress_u[0], m.stress_v[1]);
}

/// Low levels of 10 m/s, and a wind that turns about at 5 km: nothing comes above it.
TEST(GravityWaves, LeaveAllAtACriticalLevel) {
    Mountains m(1);
    for (int k = 0; k < Mountains::nz; ++k) m(Mountains::u, 0, k) = k < 25 ? real(10 - 0.4 * k) : real(-5);
    m.drag();
    double below = 0;
    for (int k = 0; k < 25; ++k) below -= m.mass(0, k) * double(m(Mountains::du, 0, k));
    for (int k = 25; k < Mountains::nz; ++k) EXPECT_EQ(m(Mountains::du, 0, k), 0) << k;
    EXPECT_GT(m.stress_u[0], 0.01);
    EXPECT_NEAR(below / m.stress_u[0], 1, 1e-5);
}

/// Of air that grows thin, with the Richardson number of a shear of 1 m/s from layer to layer, the least that
/// is taken: stress is that of the ground up to where it is as large as that of waves that break.
TEST(GravityWaves, CarryNoMoreThanTheyCanWithoutBreaking) {
    Mountains m(1, 1e-4, 300);
    m.deviation[0] = 300;
    m.drag();
    const double richardson = 1e-4 * 300 * 300, c = 2 + 1 / std::sqrt(richardson);
    const double froude = 2 * std::sqrt(c) - c, top = m(Mountains::weight, 0, Mountains::nz);
    double stress = m.stress_u[0];
    int limited = 0, checked = 0;
    for (int k = 0; m(Mountains::weight, 0, k + 1) - top > 0.1 * (1e5 - top); ++k, ++checked) {
        stress += m.mass(0, k) * double(m(Mountains::du, 0, k));
        const double density = (m(Mountains::density, 0, k) + m(Mountains::density, 0, k + 1)) / 2;
        const double most = 1.3 / 30e3 * density * 1e3 / 0.01 * froude * froude;
        const bool limit = most < m.stress_u[0];
        limited += limit;
        EXPECT_NEAR(stress, limit ? most : double(m.stress_u[0]), 2e-3 * m.stress_u[0]) << k;
    }
    EXPECT_GT(limited, 5);
    EXPECT_LT(limited, checked - 5);
}

TEST(GravityWaves, ThatComeUpToTheTopAreLeftToTheHighestTenthOfTheAir) {
    Mountains m(1);
    m.deviation[0] = 20;
    m.drag();
    const double top = m(Mountains::weight, 0, Mountains::nz), tenth = 0.1 * (1e5 - top);
    const double even = m.stress_u[0] * 9.81 / tenth;
    for (int k = 0; k < Mountains::nz; ++k) {
        const double above = m(Mountains::weight, 0, k) - top;
        EXPECT_NEAR(-double(m(Mountains::du, 0, k)) / even, above > tenth ? 0 : 1, 0.15) << k;
    }
}

/// N^2 (2 sigma - h_B)^2 / 2 = U^2 / 2: air below 1000 m - 500 m flows around, and slows down all alike.
TEST(GravityWaves, GoWithFlowAroundMountainsThatStandHigh) {
    Mountains m(1, 1e-4, 100);
    m.deviation[0] = 500;
    m.blow(0, 5, 0);
    m.dt = 1;
    m.drag();
    for (int k = 1; k < 5; ++k) EXPECT_NEAR(m(Mountains::du, 0, k) / m(Mountains::du, 0, 0), 1, 0.02) << k;
    for (int k = 6; k < 10; ++k) EXPECT_NEAR(m(Mountains::du, 0, k) / m(Mountains::du, 0, 0), 0, 1e-4) << k;
    double blocked = 0, density = 0, mass = 0;
    for (int k = 0; k < 10; ++k) {
        if (k < 6) blocked -= m.mass(0, k) * double(m(Mountains::du, 0, k));
        mass += m.mass(0, k), density += m.mass(0, k) * double(m(Mountains::density, 0, k));
    }
    EXPECT_NEAR(blocked, 0.5 * density / mass * 1.3 / 30e3 * 1 * 0.3 * 500 * 25, 0.02 * blocked);
}

TEST(GravityWaves, TakeFromTheWindWhatTheGroundGets) {
    WindyMountains m(32);
    m.drag();
    double most = 0;
    for (int i = 0; i < m.n; ++i) {
        const double stress = std::hypot(m.stress_u[std::size_t(i)], m.stress_v[std::size_t(i)]);
        most = std::max(most, stress);
        EXPECT_NEAR(m.lost(i, Mountains::du), m.stress_u[std::size_t(i)], 1e-6 + 2e-5 * stress) << i;
        EXPECT_NEAR(m.lost(i, Mountains::dv), m.stress_v[std::size_t(i)], 1e-6 + 2e-5 * stress) << i;
    }
    EXPECT_GT(most, 0.5);
}

TEST(GravityWaves, HeatTheAirByWhatTheWindLoses) {
    WindyMountains m(32);
    m.drag();
    double most = 0;
    for (int i = 0; i < m.n; ++i) {
        most = std::max(most, m.warmed(i));
        EXPECT_GE(m.warmed(i), 0) << i;
        EXPECT_NEAR(m.warmed(i), m.slowed(i), 0.001) << i;
    }
    EXPECT_GT(most, 1);
}

TEST(GravityWaves, TurnNoWindAboutHoweverLongTheStep) {
    WindyMountains m(32);
    m.dt = 3600;
    m.drag();
    for (int i = 0; i < m.n; ++i) {
        const double x = m.stress_u[std::size_t(i)], y = m.stress_v[std::size_t(i)];
        const double stress = std::hypot(x, y);
        for (int k = 0; k < Mountains::nz && stress > 0; ++k) {
            const double before = (m(Mountains::u, i, k) * x + m(Mountains::v, i, k) * y) / stress;
            const double change = 3600 * (m(Mountains::du, i, k) * x + m(Mountains::dv, i, k) * y) / stress;
            EXPECT_LE(change, 1e-4) << i << " " << k;
            EXPECT_GE(before + change, std::min(before, 0.0) - 1e-3) << i << " " << k;
        }
        EXPECT_NEAR(m.lost(i, Mountains::du), x, 1e-6 + 2e-5 * stress) << i;
    }
}

TEST(GravityWaves, OfAColumnDoNotDependOnItsNeighbours) {
    WindyMountains all(32);
    all.drag();
    for (const int i : {0, 5, 31}) {
        WindyMountains alone(32);
        const auto at = std::size_t(i);
        for (int k = 0; k < Mountains::nz; ++k)
            alone(Mountains::u, 0, k) = alone(Mountains::u, i, k),
                                   alone(Mountains::v, 0, k) = alone(Mountains::v, i, k);
        alone.deviation[0] = alone.deviation[at], alone.convexity[0] = alone.convexity[at];
        alone.spacing[0] = alone.spacing[at];
        for (auto *x : {&alone.asymmetry, &alone.length})
            for (auto &of : *x) of[0] = of[at];
        alone.n = 1;
        alone.drag();
        for (int k = 0; k < Mountains::nz; ++k) {
            EXPECT_EQ(alone(Mountains::du, 0, k), all(Mountains::du, i, k));
            EXPECT_EQ(alone(Mountains::heating, 0, k), all(Mountains::heating, i, k));
        }
    }
}

} // namespace
} // namespace squall
