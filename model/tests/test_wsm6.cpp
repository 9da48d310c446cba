#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "moist_column.hpp"
#include "physics/wsm6/processes.hpp"

namespace squall {
namespace {

using test::MoistCase;

constexpr bool single = sizeof(real) == 4;
constexpr double l_v = 2.5e6, l_f = 3.5e5;

std::unique_ptr<MicrophysicsScheme> wsm6_for(int nz) { return microphysics_schemes().at("wsm6").make(nz); }

/// A deep storm: rain below 4 km, ice, snow and graupel above, cloud between, saturated.
MoistCase storm(int columns) {
    MoistCase a(columns, 40, 300);
    const MoistColumns c = a.columns(0);
    const auto bump = [](double z, double centre, double width) {
        return std::exp(-std::pow((z - centre) / width, 2));
    };
    for (int k = 0; k < a.nz; ++k)
        for (int i = 0; i < a.n; ++i) {
            const double z = a.z(k);
            c.vapour(i, k) = real(saturation_over_water(real(a.temperature(i, k)), c.pressure(i, k)) *
                                  (z > 1500 ? 1.02 : 0.7));
            c.cloud(i, k) = real(1e-3 * bump(z, 4500, 2000));
            c.rain(i, k) = real(2e-3 * bump(z, 2500, 1500));
            c.ice(i, k) = real(3e-4 * bump(z, 8500, 1500));
            c.snow(i, k) = real(1e-3 * bump(z, 6500, 1500));
            c.graupel(i, k) = real(2e-3 * bump(z, 5000, 1500));
        }
    return a;
}

/// c_p T + L_v q_v - L_f (ice, snow, graupel) of the column [J m-2].
double enthalpy(MoistCase &a) {
    double sum = 0;
    const MoistColumns c = a.columns(0);
    for (int k = 0; k < a.nz; ++k)
        sum += double(c.density(0, k)) * c.depth(0, k) *
               (1004.5 * a.temperature(0, k) + l_v * c.vapour(0, k) -
                l_f * (double(c.ice(0, k)) + c.snow(0, k) + c.graupel(0, k)));
    return sum;
}

/// One point of 1 kg m-3 at 700 hPa.
wsm6::Point point(double temperature) { return {real(temperature), 70000, 1, {}}; }

TEST(Wsm6, DryAirKeepsItsBits) {
    MoistCase a(3, 20, 500), before = a;
    wsm6_for(20)->advance(a.columns(100));
    for (int k = 0; k < 20; ++k) ASSERT_EQ(a.columns(1).theta(2, k), before.columns(1).theta(2, k));
    EXPECT_EQ(a.water(2), 0);
}

TEST(Wsm6, AStormConservesWaterAndEnthalpyAndIsNeverNegative) {
    MoistCase a = storm(1);
    const auto scheme = wsm6_for(a.nz);
    const double water = a.water(0), heat = enthalpy(a);
    for (int n = 0; n < 90; ++n) {
        scheme->advance(a.columns(20));
        ASSERT_GE(a.least(), 0) << "step " << n;
    }
    EXPECT_GT(a.rain[0], 3);
    EXPECT_NEAR((a.water(0) + a.rain[0]) / water, 1, single ? 1e-5 : 1e-12);
    EXPECT_NEAR((enthalpy(a) - l_f * (a.snow[0] + a.graupel[0])) / heat, 1, single ? 2e-6 : 1e-12);
}

TEST(Wsm6, LongStepsAreNoLessSafe) {
    MoistCase a = storm(1);
    const double water = a.water(0);
    const auto scheme = wsm6_for(a.nz);
    for (int n = 0; n < 6; ++n) scheme->advance(a.columns(600));
    EXPECT_GE(a.least(), 0);
    EXPECT_NEAR((a.water(0) + a.rain[0]) / water, 1, single ? 1e-5 : 1e-12);
    for (int k = 0; k < a.nz; ++k) EXPECT_NEAR(a.temperature(0, k), storm(1).temperature(0, k), 15);
}

TEST(Wsm6, WhatTransportLeftNegativeIsFilledFromVapour) {
    MoistCase a = storm(1);
    for (int k = 0; k < a.nz; ++k) a.columns(1).snow(0, k) = a.columns(1).ice(0, k) = real(-1e-6);
    const double water = a.water(0);
    wsm6_for(a.nz)->advance(a.columns(10));
    EXPECT_GE(a.least(), 0);
    EXPECT_NEAR((a.water(0) + a.rain[0]) / water, 1, single ? 1e-6 : 1e-12);
}

TEST(Wsm6, AColumnDoesNotDependOnItsNeighbours) {
    MoistCase one = storm(1), many = storm(5);
    for (int k = 0; k < many.nz; ++k) many.columns(1).graupel(2, k) = 0;
    wsm6_for(one.nz)->advance(one.columns(60));
    wsm6_for(one.nz)->advance(many.columns(60));
    EXPECT_EQ(one.rain[0], many.rain[4]);
    EXPECT_NE(one.rain[0], many.rain[2]);
    for (int k = 0; k < one.nz; ++k) ASSERT_EQ(one.columns(1).theta(0, k), many.columns(1).theta(4, k));
}

TEST(Wsm6, RainFallsWithTheSpeedOfItsDistribution) {
    MoistCase a(1, 20, 400);
    const MoistColumns c = a.columns(5);
    for (int k = 0; k < 20; ++k) {
        c.rain(0, k) = real(1e-3);
        c.vapour(0, k) = saturation_over_water(real(a.temperature(0, k)), c.pressure(0, k));
    }
    const double rho = c.density(0, 0);
    const double lambda = std::pow(M_PI * 1000 * 8e6 / (rho * 1e-3), 0.25);
    const double speed = 841.9 * std::tgamma(4.8) / 6 * std::pow(lambda, -0.8) * std::sqrt(1.28 / rho);
    EXPECT_NEAR(speed, 5.7, 0.1);
    wsm6_for(20)->advance(c);
    EXPECT_NEAR(a.rain[0] / (rho * 1e-3 * speed * 5), 1, 1e-4);
    EXPECT_EQ(a.snow[0], 0);
}

TEST(Wsm6, AColumnThatBlewUpDoesNotHang) {
    MoistCase a = storm(1);
    a.columns(1).rain(0, 10) = std::numeric_limits<real>::infinity();
    a.columns(1).snow(0, 20) = std::numeric_limits<real>::quiet_NaN();
    wsm6_for(a.nz)->advance(a.columns(20));
    EXPECT_FALSE(std::isfinite(a.water(0)));
}

TEST(Wsm6, SnowThatFallsIntoWarmAirMeltsToRain) {
    MoistCase a(1, 20, 200); // 300 K at the ground
    const MoistColumns c = a.columns(30);
    for (int k = 0; k < 20; ++k) {
        c.snow(0, k) = real(1e-3);
        c.vapour(0, k) = saturation_over_water(real(a.temperature(0, k)), c.pressure(0, k));
    }
    const double warm = a.temperature(0, 10);
    wsm6_for(20)->advance(c);
    EXPECT_GT(c.rain(0, 10), 1e-4);
    EXPECT_LT(a.temperature(0, 10), warm);
    EXPECT_GT(a.snow[0], 0); // as snow, for the ground is reached in the same step
    EXPECT_LE(a.snow[0], a.rain[0]);
}

TEST(Wsm6, SnowInFreezingAirDoesNotMelt) {
    wsm6::Point x = point(263);
    x.q[Water::snow] = real(1e-3);
    x.q[Water::vapour] = saturation_over_ice(263, 70000);
    wsm6::Exchange e;
    wsm6::freeze_and_melt(wsm6::cloudy(x), 60, e);
    e.apply(x);
    EXPECT_EQ(x.q[Water::rain], 0);
    EXPECT_EQ(x.q[Water::snow], real(1e-3));
}

TEST(Wsm6, MeltingStopsAtTheMeltingPoint) {
    wsm6::Point x = point(273.65);
    x.q[Water::ice] = real(5e-3);
    wsm6::Exchange e;
    wsm6::freeze_and_melt(wsm6::cloudy(x), 60, e);
    e.apply(x);
    EXPECT_NEAR(x.temperature, 273.15, 1e-3);
    EXPECT_NEAR(x.q[Water::cloud], 0.5 * 1004.5 / l_f, 2e-6);
}

TEST(Wsm6, CloudBelowMinus40CelsiusIsIce) {
    wsm6::Point x = point(232);
    x.q[Water::cloud] = real(1e-3);
    wsm6::Exchange e;
    wsm6::freeze_and_melt(wsm6::cloudy(x), 1, e);
    e.apply(x);
    EXPECT_EQ(x.q[Water::cloud], 0);
    EXPECT_NEAR(x.q[Water::ice], 1e-3, 1e-9);
    EXPECT_NEAR(x.temperature, 232 + 1e-3 * l_f / 1004.5, 1e-3);
}

TEST(Wsm6, IceAndSnowGrowWhereWaterEvaporates) {
    wsm6::Point x = point(258);
    const real qw = saturation_over_water(258, 70000), qi = saturation_over_ice(258, 70000);
    EXPECT_NEAR(qi / qw, 0.863, 0.01); // at -15 C
    x.q[Water::vapour] = (qw + qi) / 2;
    x.q[Water::ice] = x.q[Water::snow] = real(1e-4);
    x.q[Water::rain] = real(1e-4);
    const wsm6::Point before = x;
    wsm6::Exchange e;
    wsm6::exchange_vapour(wsm6::cloudy(x), 20, e);
    e.apply(x);
    EXPECT_GT(x.q[Water::ice], before.q[Water::ice]);
    EXPECT_GT(x.q[Water::snow], before.q[Water::snow]);
    EXPECT_LT(x.q[Water::rain], before.q[Water::rain]);
    EXPECT_GE(x.q[Water::vapour], qi * real(0.99));
}

TEST(Wsm6, VapourGrowthNeverPassesSaturation) {
    for (const double s : {0.3, 0.9, 1.05, 1.2})
        for (const double t : {230.0, 265.0, 290.0}) {
            wsm6::Point x = point(t);
            const auto qs = [&] {
                return t < 273.15 ? saturation_over_ice(x.temperature, x.pressure)
                                  : saturation_over_water(x.temperature, x.pressure);
            };
            x.q[Water::vapour] = real(s) * qs();
            for (const Water w : {Water::ice, Water::snow, Water::graupel, Water::rain})
                if (t < 273.15 ? w != Water::rain : w == Water::rain) x.q[w] = real(1e-2);
            wsm6::Exchange e;
            wsm6::exchange_vapour(wsm6::cloudy(x), 3600, e);
            e.apply(x);
            EXPECT_EQ(x.q[Water::vapour] > qs() * real(s > 1 ? 0.93 : 1.05), s > 1) << s << " at " << t;
        }
}

TEST(Wsm6, ProcessesTogetherTakeNoMoreThanThereIs) {
    wsm6::Point x = point(270);
    x.q[Water::cloud] = real(1e-3);
    wsm6::Exchange e;
    e.move(Water::cloud, Water::rain, real(3e-3));
    e.move(Water::cloud, Water::snow, real(1e-3));
    e.apply(x);
    EXPECT_NEAR(x.q[Water::cloud], 0, 1e-9);
    EXPECT_NEAR(x.q[Water::rain], 7.5e-4, 1e-9);
    EXPECT_NEAR(x.q[Water::snow], 2.5e-4, 1e-9);
    EXPECT_NEAR(x.temperature, 270 + 2.5e-4 * l_f / 1004.5, 1e-4);
}

TEST(Wsm6, SupercooledRainFreezesOnWhatItMeets) {
    wsm6::Point x = point(265);
    x.q[Water::rain] = x.q[Water::snow] = real(1e-3);
    x.q[Water::ice] = real(1e-4);
    wsm6::Exchange e;
    wsm6::collect(wsm6::cloudy(x), 10, e);
    e.apply(x);
    EXPECT_LT(x.q[Water::rain], 1e-3);
    EXPECT_GT(x.q[Water::graupel], 1e-6);
    EXPECT_GT(x.temperature, 265);
}

} // namespace
} // namespace squall
