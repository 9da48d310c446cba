#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "moist_column.hpp"
#include "physics/saturation.hpp"
#include "physics/wsm3/reactions.hpp"
#include "physics/wsm5/growth.hpp"

namespace squall {
namespace {

using test::MoistCase;

constexpr bool single = sizeof(real) == 4;

/// What the schemes with fewer classes than six know of a column.
MoistColumns columns_of(const std::string &scheme, MoistCase &a, double dt) {
    MoistColumns c = a.columns(dt);
    c.updraught = a.still();
    c.graupel = {};
    if (scheme == "wsm3") c.ice = c.snow = {};
    return c;
}

/// Cloud below the melting level and above, rain below it, snow above; saturated.
MoistCase storm(const std::string &scheme) {
    MoistCase a(1, 40, 300);
    const MoistColumns c = columns_of(scheme, a, 0);
    const auto bump = [](double z, double centre, double width) {
        return std::exp(-std::pow((z - centre) / width, 2));
    };
    for (int k = 0; k < a.nz; ++k) {
        const double z = a.z(k);
        c.vapour(0, k) = real(saturation_over_water(real(a.temperature(0, k)), c.pressure(0, k)) *
                              (z > 1500 ? 1.02 : 0.7));
        c.cloud(0, k) = real(1e-3 * bump(z, 4500, 2000));
        c.rain(0, k) = real(2e-3 * bump(z, 3500, 2500));
        if (scheme == "wsm3") continue;
        c.ice(0, k) = real(3e-4 * bump(z, 8500, 1500));
        c.snow(0, k) = real(1e-3 * bump(z, 6500, 1500));
    }
    return a;
}

class FewerClasses : public testing::TestWithParam<std::string> {
  protected:
    std::unique_ptr<MicrophysicsScheme> scheme_ = microphysics_schemes().at(GetParam()).make(40);
};
INSTANTIATE_TEST_SUITE_P(Wsm, FewerClasses, testing::Values("wsm3", "wsm5"),
                         [](const auto &which) { return which.param; });

TEST_P(FewerClasses, AStormConservesWaterAndIsNeverNegative) {
    MoistCase a = storm(GetParam());
    const double water = a.water(0);
    for (int n = 0; n < 90; ++n) {
        scheme_->advance(columns_of(GetParam(), a, 20));
        ASSERT_GE(a.least(), 0) << "step " << n;
    }
    EXPECT_GT(a.rain[0], 3);
    EXPECT_EQ(a.graupel[0], 0);
    // What floats and falls is dropped below 1e-9, which WSM3 does in each step.
    EXPECT_NEAR((a.water(0) + a.rain[0]) / water, 1, single || GetParam() == "wsm3" ? 1e-5 : 1e-12);
}

TEST_P(FewerClasses, WhatTransportLeftNegativeIsFilledFromVapour) {
    MoistCase a = storm(GetParam());
    for (int k = 0; k < a.nz; ++k) a.columns(1).rain(0, k) = a.columns(1).cloud(0, k) = real(-1e-6);
    const double water = a.water(0);
    scheme_->advance(columns_of(GetParam(), a, 10));
    EXPECT_GE(a.least(), 0);
    EXPECT_NEAR((a.water(0) + a.rain[0]) / water, 1, single || GetParam() == "wsm3" ? 1e-6 : 1e-12);
}

TEST_P(FewerClasses, DryAirKeepsItsBits) {
    MoistCase a(1, 40, 300), before = a;
    scheme_->advance(columns_of(GetParam(), a, 100));
    for (int k = 0; k < 40; ++k) ASSERT_EQ(a.columns(1).theta(0, k), before.columns(1).theta(0, k));
}

TEST_P(FewerClasses, LongStepsAreNoLessSafe) {
    MoistCase a = storm(GetParam());
    for (int n = 0; n < 6; ++n) scheme_->advance(columns_of(GetParam(), a, 600));
    EXPECT_GE(a.least(), 0);
    for (int k = 0; k < a.nz; ++k) EXPECT_NEAR(a.temperature(0, k), storm(GetParam()).temperature(0, k), 15);
}

/// One point of 1 kg m-3 at 700 hPa.
wsm6::Point point(double temperature) {
    wsm6::Point x{};
    x.temperature = real(temperature);
    x.pressure = 70000;
    x.density = 1;
    x.vapour = real(1e-3);
    x.heat_capacity = wsm6::heat_capacity_of(x.vapour);
    x.l_v = wsm6::vaporisation(x.temperature);
    return x;
}

TEST(Wsm5, ExchangesKeepWaterAndEnthalpy) {
    std::uint32_t seed = 3;
    const auto any = [&seed](double most) {
        seed = seed * 1664525u + 1013904223u;
        return real(most * (seed / 4294967296.0));
    };
    for (const double temperature : {230.0, 268.0, 276.0, 295.0})
        for (int n = 0; n < 100; ++n) {
            wsm6::Point x = point(temperature);
            x.cloud = any(2e-3), x.rain = any(2e-3), x.snow = any(2e-3);
            x.ice = temperature < 273 ? any(1e-3) : real(0);
            x.vapour = any(2) * wsm6::saturation(x.temperature, x.pressure).water;
            const auto water = [](const wsm6::Point &p) {
                return double(p.vapour) + p.cloud + p.rain + p.ice + p.snow;
            };
            const auto enthalpy = [](const wsm6::Point &p) {
                return double(p.heat_capacity) * p.temperature + double(p.l_v) * p.vapour -
                       double(p.l_f()) * (double(p.ice) + p.snow);
            };
            const wsm6::Point before = x;
            const real thin = x.thinness(), colder = wsm6::colder_snow(x.temperature);
            const wsm6::Cloudy c{before,
                                 wsm6::saturation(x.temperature, x.pressure),
                                 wsm6::rain_of(x.rain, x.density, thin),
                                 wsm6::snow_of(x.snow, x.density, thin, colder),
                                 {},
                                 wsm6::ice_of(x.ice, x.density),
                                 colder};
            wsm5::Growth g;
            wsm5::collect(c, g, 60);
            wsm5::exchange_vapour(c, g, true, wsm6::l_s, 60);
            wsm5::exchange(x, g, wsm6::l_s);
            EXPECT_NEAR(water(x) / water(before), 1, single ? 2e-6 : 1e-13);
            EXPECT_NEAR(enthalpy(x) / enthalpy(before), 1, single ? 1e-6 : 1e-13) << temperature;
        }
}

TEST(Wsm5, SnowThatMeltsEvaporatesInDryAirButNotInWrfsForms) {
    wsm6::Point x = point(278);
    x.snow = real(1e-3);
    x.vapour = real(0.5) * wsm6::saturation(x.temperature, x.pressure).water;
    const wsm6::Cloudy c{x,
                         wsm6::saturation(x.temperature, x.pressure),
                         wsm6::rain_of(0, 1, 1),
                         wsm6::snow_of(x.snow, 1, x.thinness(), 1),
                         {},
                         {},
                         1};
    wsm5::Growth ours, wrfs;
    wsm5::exchange_vapour(c, ours, true, wsm6::l_s, 60);
    wsm5::exchange_vapour(c, wrfs, false, x.l_v, 60);
    EXPECT_LT(ours.psevp, 0);
    EXPECT_EQ(wrfs.psevp, 0);
}

/// What floats grows by deposition where it is ice, and evaporates where it is water.
TEST(Wsm3, WhatFloatsIsIceBelowTheMeltingPointAndWaterAbove) {
    for (const bool cold : {true, false}) {
        wsm6::Point x = point(cold ? 258 : 278);
        x.cloud = real(1e-5);
        const wsm6::Saturation qs = wsm6::saturation(x.temperature, x.pressure);
        x.vapour = cold ? real(0.5) * (qs.ice + qs.water) : real(0.9) * qs.water;
        const real before = x.cloud;
        wsm3::react(x, 0, 60);
        if (cold)
            EXPECT_GT(x.cloud, before);
        else
            EXPECT_EQ(x.cloud, 0);
    }
}

TEST(Wsm3, RainThatFallsThroughTheMeltingLevelCoolsTheAirThere) {
    MoistCase a(1, 40, 300);
    const MoistColumns c = columns_of("wsm3", a, 20);
    int melting = 0;
    for (int k = 0; k < a.nz; ++k) {
        if (a.temperature(0, k) >= 273.15) melting = k;
        c.rain(0, k) = real(1e-3);
        c.vapour(0, k) = saturation_over_water(real(a.temperature(0, k)), c.pressure(0, k));
    }
    MoistCase before = a;
    microphysics_schemes().at("wsm3").make(40)->advance(c);
    const auto change = [&](int k) { return a.temperature(0, k) - before.temperature(0, k); };
    // 1 g/kg that falls 5 m/s for 20 s out of 300 m melts a third of it: 0.1 K and more
    EXPECT_LT(change(melting), change(melting - 1) - 0.05);
    EXPECT_LT(change(melting), change(melting - 2) - 0.05);
}

TEST(Wsm3, PrecipitationIsSnowWhereTheGroundFreezes) {
    for (const double colder : {0.0, 40.0}) {
        MoistCase a(1, 40, 300);
        for (int k = 0; k < 40; ++k) a.set_air(0, k, 300 - colder + 0.004 * a.z(k));
        const MoistColumns c = columns_of("wsm3", a, 60);
        for (int k = 0; k < 10; ++k) c.rain(0, k) = real(1e-3);
        microphysics_schemes().at("wsm3").make(40)->advance(c);
        EXPECT_GT(a.rain[0], 0);
        EXPECT_EQ(a.snow[0], colder > 0 ? a.rain[0] : real(0));
    }
}

} // namespace
} // namespace squall
