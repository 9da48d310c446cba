// Kain-Fritsch on single columns. What it does on WRF's columns: `squall lab verify columns-wrf`.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "kain_fritsch_case.hpp"
#include "physics/convection.hpp"
#include "physics/kain_fritsch/parcel.hpp"

namespace squall {
namespace {

using namespace kain_fritsch;

using Case = test::UnstableAir;

TEST(KainFritschParcel, SaturatedAirHasItsEquivalentTemperature) {
    for (const double pressure : {9e4, 5e4, 2e4}) {
        const Saturated s = saturated_air(real(pressure), real(345));
        EXPECT_NEAR(equivalent(real(pressure), s.temperature, s.vapour, s.temperature), 345, 0.1);
        EXPECT_NEAR(s.vapour, saturation(s.temperature, real(pressure)), 2e-2 * s.vapour);
    }
}

TEST(KainFritschParcel, SaturatesWhereBoltonSays) {
    // Bolton (1980), table 1's kind: 20 degrees and 70 % at 1000 hPa saturate at 13.5 degrees or so.
    const real q = real(0.7) * saturation(real(293.15), real(1e5));
    const double e = 0.7 * double(saturation_pressure(real(293.15))) / 100;
    const double bolton = 2840 / (3.5 * std::log(293.15) - std::log(e) - 4.805) + 55;
    EXPECT_NEAR(saturation_temperature(real(1e5), real(293.15), q), bolton, 0.3); // a fit of another form
}

TEST(KainFritsch, DeepConvectionWarmsAloftDriesBelowAndRains) {
    Case c;
    c.convect();
    EXPECT_GE(c.remaining[0], 1800);
    EXPECT_LE(c.remaining[0], 3600);
    EXPECT_GT(c.rate[0] * 3600, 0.5); // mm an hour
    EXPECT_LT(c.storage.field(Case::dq)(0, 0), 0);
    real most = 0;
    for (int k = 10; k < 30; ++k) most = std::max(most, c.storage.field(Case::heating)(0, k));
    EXPECT_GT(most * 3600, 0.3); // K an hour
    for (const auto f : {Case::dc, Case::di})
        for (int k = 0; k < c.nz; ++k) EXPECT_GE(c.storage.field(f)(0, k), 0);
}

TEST(KainFritsch, WaterIsClosed) {
    Case c;
    c.convect();
    const double left = c.integral(Case::dq) + c.integral(Case::dc) + c.integral(Case::dr) +
                        c.integral(Case::di) + c.integral(Case::ds);
    EXPECT_NEAR(left, -double(c.rate[0]), 1e-4 * double(c.rate[0])); // WRF allows 5 %
}

/// More of it than there is, by the vapour that air has.
TEST(KainFritsch, AsWrfItRainsByTheMassOfMoistAir) {
    Case c, wrf;
    c.convect();
    wrf.as_wrf = true;
    wrf.convect();
    double left = 0;
    for (const auto f : {Case::dq, Case::dc, Case::dr, Case::di, Case::ds}) left += wrf.integral(f);
    EXPECT_GT(double(wrf.rate[0]) / -left, 1.002);
    EXPECT_LT(double(wrf.rate[0]) / -left, 1.03);
}

/// Potential temperatures are kept there, and the work of buoyancy is lost.
TEST(KainFritsch, AsWrfSomePerCentOfTheHeatingAreLostAsWork) {
    for (const double humidity : {0.85, 0.95}) {
        Case c(1, humidity);
        c.as_wrf = true;
        c.convect();
        EXPECT_GT(c.turned_over(), 1000); // [W m-2]
        EXPECT_LT(c.energy() / c.turned_over(), -0.01);
        EXPECT_GT(c.energy() / c.turned_over(), -0.06);
    }
}

/// They last until the next call.
TEST(KainFritsch, ShallowCloudsRainNothingAndCloseWater) {
    test::TradeWinds c;
    c.convect();
    EXPECT_EQ(c.remaining[0], 300);
    EXPECT_EQ(c.rate[0], 0);
    double moved = 0, condensed = 0;
    for (int k = 0; k < c.layers; ++k) {
        const auto at = [&](Case::Field f) { return double(c.storage.field(f)(0, k)); };
        const double water = at(Case::dc) + at(Case::dr) + at(Case::di) + at(Case::ds);
        EXPECT_GE(water, 0) << k;
        if (c.thick * k > 3000) {
            EXPECT_EQ(at(Case::dq), 0) << k;
        }
        moved += c.dry_mass(k) * std::abs(at(Case::dq));
        condensed += c.dry_mass(k) * water;
    }
    double left = 0;
    for (const auto f : {Case::dq, Case::dc, Case::dr, Case::di, Case::ds}) left += c.integral(f);
    EXPECT_GT(moved * 3600, 0.1); // mm an hour
    EXPECT_GT(condensed, 0);
    EXPECT_NEAR(left, 0, 1e-4 * moved);
}

TEST(KainFritsch, DryOrSinkingAirHasNone) {
    Case dry(1, 0.2), sinking(1, 0.6, -0.1);
    for (Case *c : {&dry, &sinking}) {
        c->storage.field(Case::heating)(0, 5) = 1; // of convection that has ended
        c->convect();
        EXPECT_EQ(c->remaining[0], 0);
        EXPECT_EQ(c->rate[0], 0);
        for (int k = 0; k < c->nz; ++k) EXPECT_EQ(c->storage.field(Case::heating)(0, k), 0);
    }
}

TEST(KainFritsch, WhatGoesOnIsLeftAlone) {
    Case c;
    c.remaining[0] = 600;
    c.storage.field(Case::heating)(0, 5) = 1;
    c.convect();
    EXPECT_EQ(c.remaining[0], 600);
    EXPECT_EQ(c.storage.field(Case::heating)(0, 5), 1);
    EXPECT_EQ(c.storage.field(Case::heating)(0, 6), 0);
}

TEST(Convection, RainEndsWithIt) {
    Config config;
    config.run.time_step = 60;
    config.physics.cumulus = "kain-fritsch";
    config.physics.cumulus_interval = 300;
    const Convection convection(config, ScalarSet{}, 3);
    const Shape shape{1, 1, 3};
    PhysicsState physics;
    physics.convection = ConvectionState(shape);
    ConvectionState &c = physics.convection;
    c.remaining(0, 0) = 120, c.rate(0, 0) = real(1e-3), c.heating(0, 1, 0) = 1;
    for (int step = 0; step < 2; ++step) {
        EXPECT_EQ(c.heating(0, 1, 0), 1) << step;
        convection.finish({0, 1, 0, 1, 0, 3}, physics);
    }
    EXPECT_EQ(c.heating(0, 1, 0), 0);
    EXPECT_EQ(c.remaining(0, 0), 0);
    convection.finish({0, 1, 0, 1, 0, 3}, physics); // before the next call
    EXPECT_NEAR(c.accumulated(0, 0), 0.12, 1e-6);
}

TEST(KainFritsch, AColumnDoesNotDependOnItsNeighbours) {
    Case one, many(32);
    for (int i = 0; i < 32; ++i)
        if (i != 17)
            for (int k = 0; k < 5; ++k) many.storage.field(Case::q)(i, k) *= real(0.7) + real(0.01) * real(i);
    one.convect();
    many.convect();
    EXPECT_EQ(one.remaining[0], many.remaining[17]);
    for (int k = 0; k < one.nz; ++k)
        EXPECT_EQ(one.storage.field(Case::heating)(0, k), many.storage.field(Case::heating)(17, k));
}

} // namespace
} // namespace squall
