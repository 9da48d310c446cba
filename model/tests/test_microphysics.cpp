#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/loop.hpp"
#include "mixing_case.hpp"
#include "moist_column.hpp"
#include "physics/declared_state.hpp"
#include "physics/microphysics.hpp"

namespace squall {
namespace {

using test::MixingCase;
using test::MoistCase;

constexpr bool single = sizeof(real) == 4;

std::unique_ptr<MicrophysicsScheme> kessler_for(int nz) {
    return microphysics_schemes().at("kessler").make(nz);
}

/// Saturation mixing ratio over water (Bolton 1980).
double saturation(double temperature, double pressure) {
    const double es = 611.2 * std::exp(17.67 * (temperature - 273.15) / (temperature - 29.65));
    return 287.0 / 461.6 * es / (pressure - es);
}

/// A raining cloud.
MoistCase storm(int columns) {
    MoistCase a(columns, 40, 250);
    const MoistColumns c = a.columns(0);
    for (int k = 0; k < a.nz; ++k)
        for (int i = 0; i < a.n; ++i) {
            const double z = a.z(k);
            c.vapour(i, k) = real(0.018 * std::exp(-z / 2500));
            c.cloud(i, k) = z > 1500 && z < 6000 ? real(2e-3) : real(0);
            c.rain(i, k) = real(4e-3 * std::exp(-std::pow((z - 2500) / 1500, 2)));
        }
    return a;
}

TEST(Kessler, DryAirKeepsItsBits) {
    MoistCase a(5, 20, 300), before = a;
    kessler_for(20)->advance(a.columns(10));
    for (int k = 0; k < 20; ++k)
        for (int i = 0; i < 5; ++i) ASSERT_EQ(a.columns(1).theta(i, k), before.columns(1).theta(i, k));
    EXPECT_EQ(a.water(3), 0);
    EXPECT_EQ(a.rain[3], 0);
}

TEST(Kessler, SupersaturatedAirIsAdjustedToSaturationAndKeepsItsEnthalpy) {
    MoistCase a(1, 10, 500);
    const MoistColumns c = a.columns(10);
    std::vector<double> vapour(10), theta(10);
    for (int k = 0; k < 10; ++k) {
        vapour[std::size_t(k)] = c.vapour(0, k) =
            real(1.1 * saturation(a.temperature(0, k), c.pressure(0, k)));
        theta[std::size_t(k)] = c.theta(0, k);
    }
    const auto scheme = kessler_for(10);
    scheme->advance(c);
    for (int k = 0; k < 10; ++k) {
        const double condensed = vapour[std::size_t(k)] - c.vapour(0, k);
        const double warming = 1004 * c.exner(0, k) * (c.theta(0, k) - theta[std::size_t(k)]);
        EXPECT_GT(condensed, 0.01 * vapour[std::size_t(k)]);
        EXPECT_NEAR(warming / (2.5e6 * condensed), 1, single ? 2e-2 : 1e-10);
        EXPECT_NEAR(c.vapour(0, k) / saturation(a.temperature(0, k), c.pressure(0, k)), 1, 3e-3);
    }
    scheme->advance(c); // the second Newton step
    for (int k = 0; k < 10; ++k)
        EXPECT_NEAR(c.vapour(0, k) / saturation(a.temperature(0, k), c.pressure(0, k)), 1, 1e-3);
}

TEST(Kessler, CloudEvaporatesInDryAirBeforeRainDoes) {
    MoistCase a(1, 10, 500);
    const MoistColumns c = a.columns(1);
    for (int k = 0; k < 10; ++k) {
        c.vapour(0, k) = real(0.9 * saturation(a.temperature(0, k), c.pressure(0, k)));
        c.cloud(0, k) = real(1e-5);
    }
    c.cloud(0, 5) = real(5e-3); // more than the air takes up
    kessler_for(10)->advance(c);
    EXPECT_EQ(c.cloud(0, 3), 0);
    EXPECT_GT(c.cloud(0, 5), 1e-3);
    EXPECT_NEAR(c.vapour(0, 5) / saturation(a.temperature(0, 5), c.pressure(0, 5)), 1, 5e-3);
}

TEST(Kessler, RainReachesTheGroundWithItsTerminalSpeed) {
    MoistCase a(1, 20, 400);
    const MoistColumns c = a.columns(5);
    for (int k = 0; k < 20; ++k) {
        c.rain(0, k) = real(2e-3);
        c.vapour(0, k) = real(saturation(a.temperature(0, k), c.pressure(0, k)));
    }
    const double rho = c.density(0, 0);
    const double speed = 36.34 * std::pow(1e-3 * rho * 2e-3, 0.1364);
    EXPECT_NEAR(speed, 6.2, 0.1); // [m s-1]
    kessler_for(20)->advance(c);
    EXPECT_NEAR(a.rain[0], rho * 2e-3 * speed * 5, 1e-5); // [kg m-2], which is mm
}

TEST(Kessler, WaterInTheColumnAndOnTheGroundIsWhatThereWasWhateverTheLayers) {
    MoistCase a = storm(1);
    for (int k = 0; k < a.nz; ++k) a.storage.field(12)(0, k) *= real(1 + 0.02 * (k % 4)); // uneven
    const auto scheme = kessler_for(a.nz);
    const double before = a.water(0);
    for (int n = 0; n < 60; ++n) scheme->advance(a.columns(20));
    EXPECT_GT(a.rain[0], 5);
    EXPECT_NEAR((a.water(0) + a.rain[0]) / before, 1, single ? 3e-6 : 1e-12);
    EXPECT_GE(a.least(), 0);
}

/// Layers of 100 m under layers of 300 m: the centres of layers 9 and 10 are 200 m apart. WRF lets rain leave
/// by that distance, so that it leaves twice as slowly, and as much as ever arrives below.
TEST(Kessler, AsInWrfRainFallsByTheDistancesOfCentres) {
    const auto fallen = [](bool as_wrf) {
        MoistCase a(1, 20, 100);
        for (int k = 10; k < 20; ++k) {
            a.storage.field(3)(0, k) = 300;
            a.storage.field(4)(0, k) = real(1000 + 300 * (k - 10) + 150);
            a.storage.field(12)(0, k) = a.storage.field(2)(0, k) * 300;
        }
        MoistColumns c = a.columns(1);
        c.as_wrf = as_wrf;
        for (int k = 0; k < 20; ++k) c.vapour(0, k) = real(0.03); // saturated: nothing evaporates
        c.rain(0, 9) = real(2e-3);
        const double before = a.water(0);
        kessler_for(20)->advance(c);
        return std::array{2e-3 - c.rain(0, 9), double(c.rain(0, 8)), a.water(0) / before - 1};
    };
    const auto ours = fallen(false), wrf = fallen(true);
    EXPECT_NEAR(wrf[0] / ours[0], 0.5, 1e-3);
    EXPECT_NEAR(wrf[1] / ours[1], 1, 1e-3);
    EXPECT_NEAR(ours[2], 0, single ? 1e-6 : 1e-13);
    EXPECT_GT(wrf[2], 2e-5);
}

TEST(Kessler, WhatTransportLeftNegativeIsNotNegativeAfterwards) {
    MoistCase a = storm(1);
    const MoistColumns c = a.columns(20);
    for (int k = 0; k < a.nz; k += 3) c.cloud(0, k) = c.rain(0, k + 1 < a.nz ? k + 1 : k) = real(-1e-6);
    kessler_for(a.nz)->advance(c);
    EXPECT_GE(a.least(), 0);
}

TEST(Kessler, AColumnDoesNotDependOnItsNeighbours) {
    MoistCase one = storm(1), many = storm(31);
    for (int k = 0; k < many.nz; ++k)
        for (int i = 0; i < 30; ++i) many.columns(1).rain(i, k) *= real(0.1 * (i % 7));
    kessler_for(one.nz)->advance(one.columns(60));
    kessler_for(one.nz)->advance(many.columns(60));
    EXPECT_EQ(one.rain[0], many.rain[30]);
    for (int k = 0; k < one.nz; ++k) {
        EXPECT_EQ(one.columns(1).theta(0, k), many.columns(1).theta(30, k));
        EXPECT_EQ(one.columns(1).rain(0, k), many.columns(1).rain(30, k));
    }
}

/// Numbers from WRF's module_mp_kessler.F (gfortran 12, single precision) on the same column.
TEST(Kessler, MakesOfAColumnWhatWrfMakesOfIt) {
    MoistCase a = storm(2);
    const auto scheme = kessler_for(a.nz);
    for (int n = 0; n < 3; ++n) scheme->advance(a.columns(60));
    struct Expected {
        int k;
        double theta, vapour, cloud, rain;
    };
    constexpr std::array<Expected, 8> wrf{{{0, 299.557800, 1.749899e-2, 0, 1.561955e-3},
                                           {4, 301.977692, 1.245344e-2, 0, 3.409188e-3},
                                           {8, 303.848999, 9.433889e-3, 0, 2.553412e-3},
                                           {12, 308.021027, 6.776561e-3, 0, 1.089100e-3},
                                           {16, 311.763763, 5.110321e-3, 0, 4.079446e-4},
                                           {20, 315.989410, 3.836344e-3, 2.361981e-4, 1.461978e-4},
                                           {24, 324.483612, 1.558602e-3, 0, 0},
                                           {36, 336.5, 4.678403e-4, 0, 0}}};
    const MoistColumns c = a.columns(60);
    for (const Expected &e : wrf) {
        EXPECT_NEAR(c.theta(1, e.k), e.theta, 1.3e-4) << "layer " << e.k;
        EXPECT_NEAR(c.vapour(1, e.k), e.vapour, 3e-8) << "layer " << e.k;
        EXPECT_NEAR(c.cloud(1, e.k), e.cloud, 3e-8) << "layer " << e.k;
        EXPECT_NEAR(c.rain(1, e.k), e.rain, 3e-8) << "layer " << e.k;
    }
    EXPECT_NEAR(a.rain[1], 0.919914842, 2e-6);
}

/// A patch of rising, saturated air and the driver on it.
struct DriverCase {
    static constexpr int nz = 12;
    MixingCase m;
    Config config;
    ScalarSet scalars;
    PhysicsState physics;
    Array3 al, p;

    DriverCase(int nx, int ny, bool moist_theta)
        : m({nx, ny, nz}, 1000, 1000, 500), physics(m.shape), al(m.shape), p(m.shape) {
        config.run.time_step = 10;
        config.physics.microphysics = "kessler";
        config.dynamics.moist_theta = moist_theta;
        scalars = scalars_of(config);
        m.s = State(m.shape, scalars.size());
        const auto exner = [](int k) { return 1 - 9.81 / (1004.5 * 0.004) * std::log(theta(k) / 300); };
        for (int j = 0; j < ny; ++j)
            for (int k = 0; k < nz; ++k)
                for (int i = 0; i < nx; ++i) {
                    m.grid.pb(i, k, j) = real(1e5 * std::pow(exner(k), 3.5) - 100);
                    p(i, k, j) = 100;
                    const double alpha = 287 * theta(k) * exner(k) / (m.grid.pb(i, k, j) + 100);
                    m.grid.alb(i, k, j) = real(alpha + 0.01);
                    al(i, k, j) = real(-0.01);
                    m.grid.phb(i, k + 1, j) = real(9.81 * 500 * (k + 1));
                    set(i, k, j, moist_theta);
                }
    }

    static double theta(int k) { return 300 + 0.004 * (k + 0.5) * 500; }

    Array3 &scalar(int n) { return m.s.scalars[std::size_t(n)]; }

    void set(int i, int k, int j, bool moist_theta) {
        const double pressure = m.grid.pb(i, k, j) + 100;
        const double temperature = theta(k) * std::pow(pressure / 1e5, 2.0 / 7);
        const double qv = (1.05 + 0.01 * ((i + 2 * j) % 5)) * saturation(temperature, pressure);
        scalar(scalars.vapour)(i, k, j) = real(qv);
        scalar(scalars.cloud)(i, k, j) = real(2e-3);
        scalar(scalars.rain)(i, k, j) = real(1e-3 * ((k + 1) % 4));
        m.s.theta(i, k, j) = real(theta(k) * (moist_theta ? 1 + 461.6 / 287 * qv : 1.0) - 300);
    }

    void advance(Range columns) {
        Microphysics driver(config, scalars, nz);
        driver.advance({columns}, GridView(m.grid), m.s, std::as_const(p).view(), std::as_const(al).view(),
                       physics, Ground());
    }
};

TEST(Microphysics, HeatingIsTheRateOfChangeOfTheStatesTheta) {
    for (const bool moist : {true, false}) {
        DriverCase a(3, 2, moist), before(3, 2, moist);
        a.advance({0, 3, 0, 2, 0, a.nz});
        double greatest = 0;
        for (int k = 0; k < a.nz; ++k) {
            const double change = double(a.m.s.theta(1, k, 1)) - before.m.s.theta(1, k, 1);
            EXPECT_NEAR(a.physics.heating(1, k, 1) * 10, change, 4e-5);
            greatest = std::max(greatest, change);
        }
        EXPECT_GT(greatest, 0.5) << "moist theta: " << moist;
    }
}

TEST(Microphysics, MoistAndDryThetaAreHeatedAlike) {
    DriverCase moist(1, 1, true), dry(1, 1, false);
    moist.advance({0, 1, 0, 1, 0, moist.nz});
    dry.advance({0, 1, 0, 1, 0, dry.nz});
    for (int k = 0; k < dry.nz; ++k) {
        const double qv = moist.scalar(moist.scalars.vapour)(0, k, 0);
        EXPECT_NEAR(qv / dry.scalar(dry.scalars.vapour)(0, k, 0), 1, 2e-5);
        EXPECT_NEAR((moist.m.s.theta(0, k, 0) + 300) / (1 + 461.6 / 287 * qv), dry.m.s.theta(0, k, 0) + 300,
                    3e-4);
    }
    EXPECT_NEAR(moist.physics.rain(0, 0), dry.physics.rain(0, 0), 1e-6);
    EXPECT_GT(dry.physics.rain(0, 0), 0);
}

TEST(Microphysics, ColumnsOutsideTheRangeStayAsTheyAre) {
    DriverCase a(5, 4, true), before(5, 4, true);
    a.advance({1, 4, 1, 3, 0, a.nz});
    EXPECT_EQ(a.m.s.theta(0, 3, 1), before.m.s.theta(0, 3, 1));
    EXPECT_EQ(a.m.s.theta(2, 3, 3), before.m.s.theta(2, 3, 3));
    EXPECT_EQ(a.physics.heating(4, 3, 2), 0);
    EXPECT_NE(a.m.s.theta(1, 3, 1), before.m.s.theta(1, 3, 1));
    EXPECT_NE(a.physics.heating(3, 3, 2), 0);
}

TEST(Microphysics, TilesDoNotChangeTheBits) {
    DriverCase whole(70, 2, true), cut(70, 2, true);
    whole.advance({0, 70, 0, 2, 0, whole.nz});
    for (const int i : {0, 7, 48}) cut.advance({i, i == 0 ? 7 : i == 7 ? 48 : 70, 0, 2, 0, cut.nz});
    for (int j = 0; j < 2; ++j)
        for (int k = 0; k < whole.nz; ++k)
            for (int i = 0; i < 70; ++i) {
                ASSERT_EQ(whole.m.s.theta(i, k, j), cut.m.s.theta(i, k, j));
                ASSERT_EQ(whole.scalar(2)(i, k, j), cut.scalar(2)(i, k, j));
            }
}

TEST(Microphysics, HeatingIsLimitedTo10KelvinPerSecond) {
    DriverCase a(1, 1, false), before(1, 1, false);
    a.config.run.time_step = 0.01;
    a.scalar(a.scalars.vapour)(0, 0, 0) *= 2;
    a.advance({0, 1, 0, 1, 0, a.nz});
    EXPECT_NEAR(a.m.s.theta(0, 0, 0) - before.m.s.theta(0, 0, 0), 0.1, 1e-4);
    EXPECT_NEAR(a.physics.heating(0, 0, 0), 10, 1e-3);
}

TEST(Microphysics, ASchemeWithoutItsSpeciesIsRefused) {
    DriverCase a(1, 1, true);
    a.scalars.rain = -1;
    EXPECT_THROW(Microphysics(a.config, a.scalars, 12), std::runtime_error);
    a.config.physics.microphysics = "kesler";
    EXPECT_THROW(Microphysics(a.config, a.scalars, 12), std::runtime_error);
    PhysicsConfig physics;
    physics.microphysics = "vapour";
    EXPECT_FALSE(Microphysics::wanted(physics));
    physics.microphysics = "kessler";
    EXPECT_TRUE(Microphysics::wanted(physics));
}

} // namespace
} // namespace squall
