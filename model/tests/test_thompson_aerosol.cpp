#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "counted_column.hpp"
#include "physics/radiation/carried_aerosol.hpp"
#include "physics/thompson/activation.hpp"
#include "physics/thompson/aerosol.hpp"
#include "physics/thompson/freezing.hpp"
#include "physics/thompson/growth.hpp"
#include "physics/thompson/radii.hpp"
#include "physics/thompson/tables.hpp"
#include "physics/thompson/thompson.hpp"
#include "physics/thompson/vapour.hpp"
#include "thompson_storm.hpp"

namespace squall {
namespace {

using test::Counted;
using test::storm;

constexpr bool single = sizeof(real) == 4;

std::unique_ptr<MicrophysicsScheme> scheme_for(int nz) { return thompson_aerosol_scheme().make(nz); }

thompson::Point cloudy(double temperature, double saturation) {
    thompson::Point x{};
    x.temperature = temperature;
    x.pressure = 70000;
    x.vapour = saturation * thompson::saturation_over_water(temperature, x.pressure);
    x.cloud = 1e-4;
    x.droplet_number = 1e8;
    x.water_friendly = 3e8;
    x.ice_friendly = 1.5e6;
    return x;
}

TEST(ThompsonAerosol, DropletsFormOnThePartThatTheParcelModelActivates) {
    EXPECT_NEAR(thompson::activated(100e6, 1, 283.15), 81.9849e6, 10); // an entry of the table
    EXPECT_NEAR(thompson::activated(100e6, 1, 287.9), 81.9849e6, 10);  // the nearest temperature
    const double between = thompson::activated(std::sqrt(31.6 * 100) * 1e6, 1, 283.15);
    EXPECT_NEAR(between / (std::sqrt(31.6 * 100) * 1e6), (0.917565 + 0.819849) / 2, 1e-6);
    EXPECT_NEAR(thompson::activated(1000e6, std::sqrt(0.1 * 0.316), 243.15) / 1000e6, (0.2593 + 0.540226) / 2,
                1e-6);
    EXPECT_EQ(thompson::activated(500e6, -3, 280), thompson::activated(500e6, 0, 280)) << "sinking air";
    EXPECT_LT(thompson::activated(2000e6, 0.5, 280), 2 * thompson::activated(1000e6, 0.5, 280));
}

TEST(ThompsonAerosol, NucleiAreThoseOfDeMott) { // 1.275 a litre of 1 cm-3 at -20 C, by the formula
    const double standard = 101325 / (287.05 * 273.15);
    EXPECT_NEAR(thompson::ice_nuclei(-20, standard, 1e6), 1277.07, 0.01);
    EXPECT_NEAR(thompson::ice_nuclei(-20, 0.9, 1.5e6), 1337.01, 0.01);
    EXPECT_NEAR(thompson::ice_nuclei(-30, standard, 10e6), 30753.9, 0.1);
    EXPECT_EQ(thompson::ice_nuclei(1, standard, 1e6), 0);
}

TEST(ThompsonAerosol, HazeFreezesAsKoopsRateSays) {
    EXPECT_NEAR(thompson::frozen_haze(225, 0.95, 100e6, 10) / 100e6, 1.0000264e-4, 1e-9);
    EXPECT_EQ(thompson::frozen_haze(225, 0.99, 100e6, 10), 1e6) << "a litre has at most a thousand";
    EXPECT_NEAR(thompson::frozen_haze(225, 0.93, 100e6, 10), 0.2857, 0.001);
}

TEST(ThompsonAerosol, CollectorsMissWhatNeitherDiffusesNorHasInertia) { // Greenfield's gap
    const auto taken = [](double size) {
        return thompson::collection_efficiency({1e-3, 4}, size, 280, 1, 1.75e-5);
    };
    EXPECT_NEAR(taken(0.04e-6), 8.99656e-4, 1e-8);
    EXPECT_NEAR(taken(0.8e-6), 2.24085e-4, 1e-8);
    EXPECT_GT(taken(0.01e-6), taken(0.04e-6));
    EXPECT_LT(taken(0.8e-6), taken(0.04e-6));
    EXPECT_GT(taken(10e-6), 0.5);
}

TEST(ThompsonAerosol, ThousandNucleiFreezeAsManyDropsAsInUncountedAirAndMoreFreezeMore) {
    const thompson::Freezing &counted = thompson::Freezing::shared();
    const thompson::Tables &tables = thompson::Tables::shared();
    const int thousand = thompson::ice_numbers.at(1000);
    for (const int cold : {8, 20, 35}) {
        const auto usual = counted.rain(27, 9, cold, thousand);
        EXPECT_FLOAT_EQ(usual.graupel, tables.frozen_rain(27, 9, cold).graupel);
        EXPECT_FLOAT_EQ(usual.ice_number, tables.frozen_rain(27, 9, cold).ice_number);
        const auto tenfold = counted.rain(27, 9, cold, thompson::ice_numbers.at(1e4));
        EXPECT_FLOAT_EQ(tenfold.graupel, counted.rain(27, 9, cold + 1, thousand).graupel) << "1 K colder";
        EXPECT_GE(tenfold.graupel, usual.graupel);
        const int droplets = thompson::DropletNumbers::at(thompson::droplets);
        EXPECT_FLOAT_EQ(counted.cloud(20, droplets, cold, thousand).mass, tables.frozen_cloud(20, cold).mass);
    }
}

TEST(ThompsonAerosol, DropletsTakeAerosolAndGiveItBack) {
    for (const double saturation : {1.05, 0.995, 0.2}) {
        thompson::Point x = cloudy(283, saturation);
        const double all = x.droplet_number + x.water_friendly, before = x.droplet_number;
        const double condensed = thompson::condense_on_aerosol(x, 5, 10);
        EXPECT_NEAR((x.droplet_number + x.water_friendly) / all, 1, 1e-12) << saturation;
        EXPECT_EQ(condensed > 0, x.droplet_number > before) << saturation;
        EXPECT_EQ(x.cloud == 0, saturation == 0.2) << "all of it evaporates in dry air alone";
        EXPECT_EQ(x.droplet_number == 0, saturation == 0.2);
    }
}

TEST(ThompsonAerosol, AsManyDropletsFormAsTheUpdraughtActivatesLessThoseThatAreThere) {
    thompson::Point x = cloudy(283.15, 1.02);
    const double density = thompson::density_of(x.temperature, x.pressure, x.vapour);
    const double wanted = thompson::activated(x.water_friendly * density, 1, x.temperature);
    ASSERT_GT(wanted, x.droplet_number * density);
    thompson::condense_on_aerosol(x, 1, 10);
    EXPECT_NEAR(x.droplet_number * density / wanted, 1, 1e-9);
    const double there = x.droplet_number;
    x.vapour *= 1.02;
    thompson::condense_on_aerosol(x, 0.01, 10);
    EXPECT_EQ(x.droplet_number, there) << "a weaker one activates no more";
}

TEST(ThompsonAerosol, WhatFallsSweepsUpAerosol) {
    thompson::Point x = cloudy(290, 0.99);
    x.cloud = 0;
    x.rain = 1e-3;
    x.rain_number = 2e3;
    const thompson::Contents c(x, thompson::Counted::yes);
    const thompson::Step step{290, 20, false, thompson::Counted::yes};
    const thompson::Growth g = thompson::growth_of(x, c, step, thompson::Tables::shared());
    thompson::Point after = x;
    thompson::apply(g, after, c, step);
    const double lost = (x.water_friendly - after.water_friendly) * c.density;
    EXPECT_NEAR(lost / (g.water_friendly_swept * 20), 1, 1e-9);
    // 0.8 g m-3 of drops of a median of 2 mm sweep 0.5 % of the air in a second, and take 5 and 1
    // ten-thousandths.
    EXPECT_NEAR(g.water_friendly_swept / c.water_friendly, 2.36871e-6, 1e-10);
    EXPECT_NEAR(g.ice_friendly_swept / c.ice_friendly, 5.36189e-7, 1e-11);
    const thompson::Contents uncounted(x);
    EXPECT_EQ(
        thompson::growth_of(x, uncounted, {290, 20, false}, thompson::Tables::shared()).water_friendly_swept,
        0);
}

TEST(ThompsonAerosol, AStormConservesWaterAndHasNoNegativeNumbers) {
    Counted a = storm(1);
    for (int k = 0; k < 40; ++k) a.updraught()(0, k) = 1;
    const auto scheme = scheme_for(40);
    const double water = a.air.water(0);
    for (int n = 0; n < 90; ++n) {
        scheme->advance(a.columns(20));
        ASSERT_GE(a.air.least(), 0) << "step " << n;
        const MoistColumns c = a.columns(1);
        for (int k = 0; k < 40; ++k) {
            ASSERT_EQ(c.droplet_number(0, k) > 0, c.cloud(0, k) > 0) << "step " << n << ", layer " << k;
            ASSERT_LT(c.droplet_number(0, k), 1e11);
            ASSERT_GE(c.water_friendly(0, k), real(thompson::least_water_friendly));
            ASSERT_GE(c.ice_friendly(0, k), real(thompson::least_ice_friendly));
        }
    }
    EXPECT_GT(a.air.rain[0], 3);
    EXPECT_NEAR((a.air.water(0) + a.air.rain[0]) / water, 1, single ? 1e-5 : 1e-8);
}

TEST(ThompsonAerosol, AColumnDoesNotDependOnItsNeighbours) {
    Counted one = storm(1), many = storm(5);
    for (int k = 0; k < 40; ++k) many.columns(1).water_friendly(2, k) *= 10;
    scheme_for(40)->advance(one.columns(60));
    scheme_for(40)->advance(many.columns(60));
    EXPECT_EQ(one.air.rain[0], many.air.rain[4]);
    for (int k = 0; k < 40; ++k) {
        ASSERT_EQ(one.columns(1).theta(0, k), many.columns(1).theta(4, k));
        ASSERT_EQ(one.columns(1).droplet_number(0, k), many.columns(1).droplet_number(4, k));
        ASSERT_EQ(one.columns(1).water_friendly(0, k), many.columns(1).water_friendly(4, k));
    }
}

TEST(ThompsonAerosol, TheGroundGivesToTheLowestLayerOfClearAirToo) {
    Counted a(1, 10, 300);
    const MoistColumns c = a.columns(20);
    for (int k = 0; k < 10; ++k) c.water_friendly(0, k) = real(1e8);
    scheme_for(10)->advance(c);
    // 50e6 + 300e6 exp(-0.3 ln 6 / 0.8) of the lowest 300 m, of which 0.000196 (50 m / 300 m) in a second
    EXPECT_NEAR(c.water_friendly(0, 0) - 1e8, 132770.2, single ? 8 : 0.1);
    EXPECT_EQ(c.water_friendly(0, 1), real(1e8));
}

TEST(ThompsonAerosol, TheGroundMayTellWhatItGives) {
    Counted a(2, 10, 300);
    const real told[] = {4000, -1};
    MoistColumns c = a.columns(20);
    c.aerosol_source = told;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 10; ++k) c.water_friendly(i, k) = real(1e8);
    scheme_for(10)->advance(c);
    EXPECT_NEAR(c.water_friendly(0, 0) - 1e8, 80000, single ? 8 : 0.1);
    EXPECT_NEAR(c.water_friendly(1, 0) - 1e8, 132770.2, single ? 8 : 0.1) << "as usual";
}

TEST(ThompsonAerosol, AStepOfAStormIsWrfs) {
    constexpr int nz = test::storm_layers;
    Counted a(1, nz, 500);
    MoistColumns c = a.columns(12);
    c.as_wrf = true;
    const Columns advanced[] = {c.theta,      c.vapour,         c.cloud,          c.rain,
                                c.ice,        c.snow,           c.graupel,        c.rain_number,
                                c.ice_number, c.droplet_number, c.water_friendly, c.ice_friendly};
    const auto &before = test::storm_before;
    const std::size_t given[] = {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; // of `before`
    for (int k = 0; k < nz; ++k) {
        const auto at = [&](std::size_t n) { return before[n][std::size_t(k)]; };
        for (std::size_t n = 0; n < 12; ++n) advanced[n](0, k) = real(at(given[n]));
        a.updraught()(0, k) = real(at(2));
        a.air.storage.field(0)(0, k) = real(at(4)), a.air.storage.field(1)(0, k) = real(at(1));
        a.air.storage.field(3)(0, k) = real(at(3));
        const double density = thompson::density_of(at(0) * at(4), at(1), at(5));
        a.air.storage.field(12)(0, k) =
            real(density * at(3)); // WRF lets things fall by the density of all air
    }
    a.air.storage.field(4)(0, 0) =
        real(before[3][0] / 2); // the middle of the lowest layer: it lies on the sea
    scheme_for(nz)->advance(c);
    for (std::size_t n = 0; n < 12; ++n) {
        double change = 0, apart = 0;
        for (int k = 0; k < nz; ++k) {
            const double wrfs = test::storm_after[n][std::size_t(k)];
            change = std::max(change, std::abs(wrfs - before[given[n]][std::size_t(k)]));
            apart = std::max(apart, std::abs(advanced[n](0, k) - wrfs));
        }
        EXPECT_GT(change, 0) << n;
        EXPECT_LT(apart, 2e-3 * change) << n; // single precision rounds aerosol so coarsely
    }
}

TEST(ThompsonAerosol, UsualAerosolBecomesLessAloftAndAtOnceAboveMountains) {
    EXPECT_NEAR(thompson::usual_water_friendly(0, 0), 350e6, 1);
    EXPECT_NEAR(thompson::usual_water_friendly(800, 0), 100e6, 1);
    EXPECT_NEAR(thompson::usual_water_friendly(500, 0), 147.898655e6, 10);
    EXPECT_NEAR(thompson::usual_water_friendly(500, 1500), 133.740320e6, 10);
    EXPECT_NEAR(thompson::usual_water_friendly(500, 2500), 50e6, 1);
    EXPECT_NEAR(thompson::usual_ice_friendly(500, 0), 1.2549018e6, 1);
    EXPECT_NEAR(thompson::usual_source(350e6, 50), 68600, 1e-6);
}

TEST(ThompsonAerosol, LightSeesItSwellWithHumidity) {
    const auto dry = radiation::extinction_of_carried(0.05, 300),
               half = radiation::extinction_of_carried(0.6, 300);
    EXPECT_NEAR(dry.water_friendly, 5.74042e-15, 1e-20); // at 10.1 %, the least humid
    EXPECT_NEAR(half.water_friendly, 6.93515e-15, 1e-20);
    EXPECT_NEAR(half.ice_friendly, 2.72095e-12, 1e-17);
    const auto moist = radiation::extinction_of_carried(0.99, 300),
               cold = radiation::extinction_of_carried(0.99, 210);
    EXPECT_GT(moist.water_friendly, 3 * half.water_friendly);
    EXPECT_LT(cold.water_friendly, moist.water_friendly);
    EXPECT_EQ(radiation::extinction_of_carried(1.1, 300).water_friendly,
              radiation::extinction_of_carried(0.991, 300).water_friendly);
}

TEST(ThompsonAerosol, RadiationSeesLargerDropletsWhereTheyAreFewer) {
    // Half the ratio of the third moment to the second of a gamma distribution with nu = 12.
    const double lambda = std::cbrt(100e6 * 3.1415926536 / 6 * 1000 * 15 * 14 * 13 / 0.3e-3);
    EXPECT_NEAR(thompson::droplet_radius(0.3e-3, 100e6), 1e6 * 7.5 / lambda, 1e-6);
    EXPECT_GT(thompson::droplet_radius(0.3e-3, 50e6), thompson::droplet_radius(0.3e-3, 100e6));
    EXPECT_EQ(thompson::droplet_radius(1e-3, 1e5), 50) << "the largest";
    EXPECT_NEAR(thompson::crystal_radius(1e-8, 1e8), 4.99, 1e-12) << "the smallest";
    EXPECT_NEAR(thompson::crystal_radius(1e-5, 1e5), 1.5e6 / std::cbrt(3.1415926536 * 890 * 1e5 / 1e-5),
                1e-6);
    EXPECT_GT(thompson::snow_radius(1e-3, -10), 100);
}

} // namespace
} // namespace squall
