// Noah on single columns. What it does on WRF's columns: `squall lab verify columns-wrf`.
#include <cmath>

#include <gtest/gtest.h>

#include "noah_case.hpp"

namespace squall {
namespace {

using namespace noah;
using test::NoahCase;
using test::SurfaceCase;

TEST(NoahSoil, WhatStaysLiquidBalancesThePotentialOfIce) {
    const Soil loam = soil(6);
    const double moisture = 0.35, t = 271.15;
    const double liquid = supercooled(loam, real(t), real(moisture), real(moisture));
    // Equation 17 of Koren et al. (1999), solved by bisection.
    double low = 0.02, high = moisture;
    for (int n = 0; n < 60; ++n) {
        const double x = (low + high) / 2, ice = moisture - x;
        const double left = 9.81 * loam.suction / 3.335e5 * std::pow(1 + 8 * ice, 2) *
                            std::pow(loam.porosity / x, loam.exponent);
        (left > (273.15 - t) / t ? low : high) = x;
    }
    EXPECT_NEAR(liquid, low, 0.005);
    EXPECT_EQ(supercooled(loam, real(273.2), real(0.3), real(0.3)), real(0.3));
    EXPECT_LT(supercooled(loam, real(260), real(0.35), real(0.35)), liquid);
}

TEST(NoahSoil, ConductsMoreWhenWetAndMoreWhenFrozen) {
    Site s{};
    s.soil = soil(6);
    // Peters-Lidard et al. (1998): dry loam from its density, saturated from its parts.
    const double solid = std::pow(7.7, 0.4) * std::pow(2.0, 0.6);
    const double wet = std::pow(solid, 1 - 0.439) * std::pow(0.57, 0.439);
    EXPECT_NEAR(thermal_conductivity(s, real(0.439), real(0.439)), wet, 1e-3);
    EXPECT_LT(thermal_conductivity(s, real(0.1), real(0.1)), thermal_conductivity(s, real(0.2), real(0.2)));
    EXPECT_GT(thermal_conductivity(s, real(0.4), real(0.05)), thermal_conductivity(s, real(0.4), real(0.4)));
}

TEST(NoahSoil, KeepsItsHeatWhereNoneComesIn) {
    Site s{};
    s.soil = soil(6);
    Column c{};
    c.temperature = {real(290), real(285), real(280), real(278)};
    c.moisture.fill(real(0.2));
    c.liquid.fill(real(0.2));
    s.deep_temperature = real(278);
    const auto heat = [&] {
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k) sum += double(thickness[k]) * double(c.temperature[k]);
        return sum;
    };
    const double before = heat();
    conduct(s, c, {c.temperature[0], real(1e9), real(1)}, 3600); // a lid that conducts nothing
    EXPECT_NEAR(heat(), before, 2e-4);
    EXPECT_LT(c.temperature[0], real(290));
    EXPECT_GT(c.temperature[1], real(285));
}

TEST(NoahSoil, FreezingGivesOffTheHeatOfFusion) {
    Site s{};
    s.soil = soil(6);
    s.deep_temperature = real(272);
    Column c{};
    c.temperature.fill(real(272));
    c.moisture.fill(real(0.3));
    c.liquid.fill(real(0.3));
    conduct(s, c, {real(262), 1, real(1.5)}, 600);
    const double frozen = double(c.moisture[0]) - double(c.liquid[0]);
    ASSERT_GT(frozen, 1e-4);
    // It freezes as much as the loss of heat allows, so that the layer hardly cools.
    const double lost = 1.5 / 0.05 * 10 * 600;
    EXPECT_NEAR(frozen * 1e3 * 3.335e5 * 0.1, lost, 0.1 * lost);
    EXPECT_NEAR(c.temperature[0], 272, 0.1);
}

TEST(Noah, WaterIsClosed) {
    for (const double rain : {0.0, 0.05, 4.0}) { // kg m-2 in a step
        NoahCase c(1, 60);
        c.set(SurfaceCase::skin, 300);
        const double before = c.water_of();
        double in = 0;
        for (int n = 0; n < 30; ++n) {
            c.set_land(NoahCase::precipitation, rain);
            c.advance();
            in += rain - 60 * double(c.at(SurfaceCase::vapour));
        }
        const double out = double(c.of_land(NoahCase::runoff)) + double(c.of_land(NoahCase::drainage));
        EXPECT_NEAR(c.water_of() + out, before + in, 3e-3 + 1e-5 * before) << rain;
        EXPECT_GT(c.at(SurfaceCase::vapour), 0);
    }
}

TEST(Noah, TheSurfaceGivesBackWhatItTakesUp) {
    NoahCase c;
    c.set(SurfaceCase::skin, 300);
    c.advance(20);
    const double skin = c.at(SurfaceCase::skin), emissivity = c.of_land(NoahCase::emissivity_now);
    const double absorbed = 500 * (1 - double(c.of_land(NoahCase::albedo))) + 350 * emissivity;
    const double given = double(c.at(SurfaceCase::heat)) + double(c.at(SurfaceCase::latent)) -
                         double(c.of_land(NoahCase::ground_heat)) + emissivity * 5.67e-8 * std::pow(skin, 4);
    EXPECT_NEAR(given, absorbed, 3); // thermal radiation is linear around the air's temperature
}

TEST(Noah, DrySoilAndDarknessCloseTheStomata) {
    NoahCase wet, dry, dark;
    for (int k = 0; k < 4; ++k)
        dry.water.field(NoahCase::moisture)(0, k) = dry.water.field(NoahCase::liquid)(0, k) = real(0.07);
    for (NoahCase *c : {&wet, &dry, &dark}) c->set_land(NoahCase::canopy, 0);
    dark.set_land(NoahCase::sunlight, 0);
    for (NoahCase *c : {&wet, &dry, &dark}) c->advance(5);
    EXPECT_LT(dry.at(SurfaceCase::latent), 0.1 * wet.at(SurfaceCase::latent));
    EXPECT_LT(dark.at(SurfaceCase::latent), 0.5 * wet.at(SurfaceCase::latent));
    EXPECT_GT(dry.at(SurfaceCase::skin), wet.at(SurfaceCase::skin));
}

TEST(Noah, SnowFallsMeltsAndRunsIntoTheGround) {
    NoahCase c(1, 360);
    for (int k = 0; k < 4; ++k) c.soil.field(0)(0, k) = 274;
    c.set(SurfaceCase::skin, 273);
    c.set(SurfaceCase::temperature, 272);
    c.set_land(NoahCase::sunlight, 0);
    c.set_land(NoahCase::precipitation, 20);
    c.set_land(NoahCase::frozen, 20);
    c.advance();
    EXPECT_NEAR(c.of_land(NoahCase::snow_water), 20, 0.3);
    EXPECT_GT(c.of_land(NoahCase::snow_depth), 0.1); // new snow is light
    EXPECT_GT(c.of_land(NoahCase::snow_cover), 0.5);
    EXPECT_GT(c.of_land(NoahCase::albedo), 0.4);
    c.set_land(NoahCase::precipitation, 0);
    c.set_land(NoahCase::frozen, 0);
    c.set_land(NoahCase::sunlight, 900);
    c.set(SurfaceCase::temperature, 283);
    const double snow = c.of_land(NoahCase::snow_water), before = c.water_of();
    double vapour = 0;
    for (int n = 0; n < 20; ++n) {
        c.advance();
        vapour += 360 * double(c.at(SurfaceCase::vapour));
    }
    EXPECT_LT(c.of_land(NoahCase::snow_water), snow - 5);
    const double out = double(c.of_land(NoahCase::runoff)) + double(c.of_land(NoahCase::drainage));
    EXPECT_NEAR(c.water_of() + out, before - vapour, 0.02);
}

TEST(Noah, IceIsAlwaysUnderSnowAndNoWarmerThanItMelts) {
    for (const Ice ice : {Ice::glacier, Ice::sea}) {
        NoahCase c(1, 360);
        c.set_land(NoahCase::vegetation, 23);
        c.set_land(NoahCase::ice, static_cast<double>(ice));
        c.set_land(NoahCase::deep, 265);
        c.set(SurfaceCase::skin, 270);
        for (int k = 0; k < 4; ++k) c.soil.field(0)(0, k) = 268;
        c.advance(10);
        EXPECT_EQ(c.at(SurfaceCase::skin), real(273.15)); // the air has 300 K
        EXPECT_GE(c.of_land(NoahCase::snow_water), ice == Ice::sea ? 10 : 100);
        EXPECT_GT(c.of_land(NoahCase::albedo), 0.6);
        EXPECT_GT(c.of_land(NoahCase::runoff), 0);
        EXPECT_EQ(c.water.field(NoahCase::moisture)(0, 0), real(0.3));
    }
}

TEST(Noah, LeavesWaterAlone) {
    NoahCase c;
    c.set(SurfaceCase::land, 0);
    c.advance();
    EXPECT_EQ(c.at(SurfaceCase::skin), real(300));
    EXPECT_EQ(c.water.field(NoahCase::moisture)(0, 0), real(0.3));
}

TEST(Noah, AColumnDoesNotDependOnItsNeighbours) {
    NoahCase one, many(32);
    for (int i = 0; i < 32; ++i)
        if (i != 17) {
            many.rows[SurfaceCase::skin][static_cast<std::size_t>(i)] = real(270 + i);
            many.land_water[NoahCase::vegetation][static_cast<std::size_t>(i)] = real(i % 27);
            many.land_water[NoahCase::snow_water][static_cast<std::size_t>(i)] = real(i % 3);
        }
    one.advance(3);
    many.advance(3);
    EXPECT_EQ(one.at(SurfaceCase::skin), many.at(SurfaceCase::skin, 17));
    EXPECT_EQ(one.at(SurfaceCase::vapour), many.at(SurfaceCase::vapour, 17));
    for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(one.soil.field(0)(0, k), many.soil.field(0)(17, k));
        EXPECT_EQ(one.water.field(NoahCase::moisture)(0, k), many.water.field(NoahCase::moisture)(17, k));
    }
}

} // namespace
} // namespace squall
