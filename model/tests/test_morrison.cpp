#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "moist_column.hpp"
#include "physics/morrison/radii.hpp"
#include "physics/morrison/settle.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

using test::MoistCase;

constexpr bool single = sizeof(real) == 4;

/// A column with numbers of particles.
struct Counted {
    MoistCase air;
    ColumnStorage numbers{4, 41};

    explicit Counted(int columns = 1) : air(columns, 40, 300) {}

    MoistColumns columns(double dt, bool as_wrf = false) {
        MoistColumns c = air.columns(dt);
        c.as_wrf = as_wrf;
        c.rain_number = numbers.field(0), c.ice_number = numbers.field(1);
        c.snow_number = numbers.field(2), c.graupel_number = numbers.field(3);
        return c;
    }
    double fallen(int i) const { return air.rain[static_cast<std::size_t>(i)]; }
};

void advance(const std::string &scheme, const MoistColumns &c) {
    microphysics_schemes().at(scheme).make(c.nz)->advance(c);
}

/// All kinds of water around the melting level and above, in air near saturation.
Counted storm(int columns = 1) {
    Counted a(columns);
    const MoistColumns c = a.columns(0);
    const auto bump = [](double z, double centre, double width) {
        return std::exp(-std::pow((z - centre) / width, 2));
    };
    for (int i = 0; i < columns; ++i)
        for (int k = 0; k < c.nz; ++k) {
            const double z = a.air.z(k), much = 1 + 0.3 * i;
            c.vapour(i, k) = real(saturation_over_water(real(a.air.temperature(i, k)), c.pressure(i, k)) *
                                  (z > 1500 ? 1.02 : 0.7));
            c.cloud(i, k) = real(1e-3 * much * bump(z, 4500, 2000));
            c.rain(i, k) = real(2e-3 * much * bump(z, 3500, 2500));
            c.ice(i, k) = real(3e-4 * bump(z, 8500, 1500));
            c.snow(i, k) = real(1e-3 * bump(z, 6500, 1500));
            c.graupel(i, k) = real(2e-3 * much * bump(z, 5500, 1500));
            c.rain_number(i, k) = real(2e3), c.ice_number(i, k) = real(1e5);
            c.snow_number(i, k) = real(1e4), c.graupel_number(i, k) = real(1e3);
        }
    return a;
}

class Morrison : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Morrison, testing::Values("morrison", "morrison-graupel"),
                         [](const auto &which) { return which.param == "morrison" ? "Hail" : "Graupel"; });

TEST_P(Morrison, AStormConservesWaterAndIsNeverNegative) {
    Counted a = storm();
    const double before = a.air.water(0);
    for (int n = 0; n < 90; ++n) {
        advance(GetParam(), a.columns(20));
        ASSERT_GE(a.air.least(), 0) << "step " << n;
    }
    EXPECT_GT(a.fallen(0), 3);
    EXPECT_NEAR((a.air.water(0) + a.fallen(0)) / before, 1, single ? 1e-5 : 1e-12);
}

/// By the density of all air, as WRF has it, what falls into moister air is more than it was: by 1.6 times
/// the vapour.
TEST_P(Morrison, WhatFallsIsClosedButNotInWrfsForms) {
    for (const bool as_wrf : {false, true}) {
        Counted a = storm();
        const MoistColumns c = a.columns(20, as_wrf);
        for (int k = 0; k < c.nz; ++k) a.air.storage.field(12)(0, k) /= 1 + real(1.61) * c.vapour(0, k);
        const double before = a.air.water(0);
        for (int n = 0; n < 90; ++n) advance(GetParam(), c);
        const double off = std::abs((a.air.water(0) + a.fallen(0)) / before - 1);
        if (as_wrf)
            EXPECT_GT(off, 1e-4);
        else
            EXPECT_LT(off, single ? 1e-5 : 1e-12);
    }
}

TEST_P(Morrison, WhatTransportLeftNegativeIsFilledFromVapour) {
    Counted a = storm();
    const MoistColumns c = a.columns(10);
    for (int k = 0; k < c.nz; ++k) c.rain(0, k) = c.snow(0, k) = real(-1e-6);
    for (int k = 0; k < c.nz; ++k) c.rain_number(0, k) = c.graupel_number(0, k) = -5;
    const double before = a.air.water(0);
    advance(GetParam(), c);
    EXPECT_GE(a.air.least(), 0);
    for (int k = 0; k < c.nz; ++k) EXPECT_GE(std::min(c.rain_number(0, k), c.graupel_number(0, k)), 0);
    EXPECT_NEAR((a.air.water(0) + a.fallen(0)) / before, 1, single ? 1e-6 : 1e-12);
}

TEST_P(Morrison, DryAirKeepsItsBits) {
    Counted a, before = a;
    advance(GetParam(), a.columns(100));
    for (int k = 0; k < 40; ++k) ASSERT_EQ(a.columns(1).theta(0, k), before.columns(1).theta(0, k));
}

TEST_P(Morrison, LongStepsAreNoLessSafe) {
    Counted a = storm();
    for (int n = 0; n < 6; ++n) advance(GetParam(), a.columns(600));
    EXPECT_GE(a.air.least(), 0);
    for (int k = 0; k < 40; ++k) EXPECT_NEAR(a.air.temperature(0, k), storm().air.temperature(0, k), 15);
}

/// Columns fall in parts of a step of their own, whatever others are beside them.
TEST_P(Morrison, AColumnIsTheSameAloneAndInABatch) {
    Counted batch = storm(7), other = storm(7);
    const MoistColumns all = batch.columns(60);
    advance(GetParam(), all);
    MoistColumns last = other.columns(60);
    last.n = 1;
    for (auto *f : {&last.exner, &last.pressure, &last.density, &last.mass, &last.depth, &last.height})
        f->origin += 6;
    for (auto *f : {&last.theta, &last.vapour, &last.cloud, &last.rain, &last.ice, &last.snow, &last.graupel,
                    &last.rain_number, &last.ice_number, &last.snow_number, &last.graupel_number})
        f->origin += 6;
    advance(GetParam(), last);
    for (int k = 0; k < 40; ++k) {
        EXPECT_EQ(last.theta(0, k), all.theta(6, k));
        EXPECT_EQ(last.graupel(0, k), all.graupel(6, k));
        EXPECT_EQ(last.snow_number(0, k), all.snow_number(6, k));
    }
    EXPECT_EQ(other.fallen(0), batch.fallen(6));
}

/// Hail of 5 g kg-1 falls twice as fast as graupel.
TEST(MorrisonHail, FallsFasterThanGraupel) {
    real few = 500;
    const morrison::Particles stones = morrison::particles(morrison::hail, real(5e-3), few, 1);
    few = 500;
    const morrison::Particles soft = morrison::particles(morrison::graupel, real(5e-3), few, 1);
    EXPECT_GT(stones.speed, 1.5 * soft.speed);
}

TEST(MorrisonNumbers, AreThoseOfSizesWithinBounds) {
    using namespace morrison;
    for (const Kind &kind : {rain, snow, ice, hail, graupel})
        for (const double number : {0.0, 1e2, 1e5, 1e9}) {
            real n = real(number);
            const double l = double(length_of(kind, real(1e-3), n));
            EXPECT_LE(l, double(kind.largest) * (1 + 1e-5));
            EXPECT_GE(l, double(kind.smallest) * (1 - 1e-5));
            EXPECT_NEAR(3.14159265 * double(kind.density) * double(n) * l * l * l, 1e-3, 1e-7);
        }
}

/// Pruppacher and Klett (1997), appendix A: over water and ice at 0, -20 and -40 degrees [Pa].
TEST(MorrisonSaturation, IsThatOfTables) {
    const double over_water[] = {611.2, 125.6, 19.05}, over_ice[] = {611.2, 103.2, 12.84};
    for (int n = 0; n < 3; ++n) {
        EXPECT_NEAR(morrison::pressure_over_water(real(273.15 - 20 * n)) / over_water[n], 1, 0.01);
        EXPECT_NEAR(morrison::pressure_over_ice(real(273.15 - 20 * n)) / over_ice[n], 1, 0.01);
    }
    for (const double coldest : {201.99, 195.79})
        EXPECT_NEAR(morrison::pressure_over_ice(real(coldest)) /
                        morrison::pressure_over_ice(real(coldest + 0.02)),
                    1, 0.01);
}

/// As radiation sees them: crystals of half the number are 26 % larger, droplets as large as a gamma
/// distribution of 250 in a cubic centimetre is.
TEST(MorrisonRadii, FollowFromNumbers) {
    using namespace morrison;
    const double few = frozen_radius(ice, 1e-5, 1e5), many = frozen_radius(ice, 1e-5, 2e5);
    EXPECT_NEAR(few / many, std::cbrt(2), 1e-3);
    EXPECT_NEAR(few, 1e6 * 1.5 * std::cbrt(1e-5 / (3.14159265 * 500 * 1e5)) * 500 / 917, 0.1);
    EXPECT_NEAR(drop_radius(5e-4), 9.03, 0.05);
}

TEST(MorrisonPhases, SettleByTemperatureWithTheirNumbersAndHeat) {
    using namespace morrison;
    for (const double temperature : {230.0, 275.0}) {
        Point x{};
        x.temperature = real(temperature), x.pressure = 50000, x.density = real(0.7);
        x.l_v = vaporisation(x.temperature), x.heat_capacity = 1005;
        x.cloud = x.rain = x.ice = real(1e-4), x.rain_number = 1000, x.ice_number = 2000;
        settle(x, hail);
        EXPECT_EQ(temperature < 273 ? x.cloud + x.rain : x.ice, 0);
        EXPECT_NEAR(x.temperature, temperature + (temperature < 273 ? 2e-4 : -1e-4) * 0.3353e6 / 1005, 1e-3);
        EXPECT_GT(temperature < 273 ? x.graupel_number : x.rain_number, 0);
    }
}

} // namespace
} // namespace squall
