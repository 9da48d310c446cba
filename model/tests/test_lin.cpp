#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "moist_column.hpp"
#include "physics/lin/adjustment.hpp"
#include "physics/lin/exchange.hpp"
#include "physics/lin/sedimentation.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

using lin::Point;
using test::MoistCase;

constexpr bool single = sizeof(real) == 4;

void advance(const MoistColumns &c) { microphysics_schemes().at("lin").make(c.nz)->advance(c); }

/// All kinds of water around the melting level and above, in air near saturation.
MoistCase storm(int columns = 1) {
    MoistCase a(columns, 40, 300);
    const MoistColumns c = a.columns(0);
    const auto bump = [](double z, double centre, double width) {
        return std::exp(-std::pow((z - centre) / width, 2));
    };
    for (int i = 0; i < columns; ++i)
        for (int k = 0; k < a.nz; ++k) {
            const double z = a.z(k), much = 1 + 0.3 * i;
            c.vapour(i, k) = real(saturation_over_water(real(a.temperature(i, k)), c.pressure(i, k)) *
                                  (z > 1500 ? 1.02 : 0.7));
            c.cloud(i, k) = real(1e-3 * much * bump(z, 4500, 2000));
            c.rain(i, k) = real(2e-3 * much * bump(z, 3500, 2500));
            c.ice(i, k) = real(3e-4 * bump(z, 8500, 1500));
            c.snow(i, k) = real(1e-3 * bump(z, 6500, 1500));
            c.graupel(i, k) = real(2e-3 * much * bump(z, 5500, 1500));
        }
    return a;
}

double water(const Point &p) { return double(p.vapour) + p.cloud + p.rain + p.ice + p.snow + p.graupel; }
double enthalpy(const Point &p) {
    return double(constants::c_p) * p.temperature + double(lin::l_v) * p.vapour -
           double(lin::l_f) * (double(p.ice) + p.snow + p.graupel);
}

Point point(double temperature) {
    Point x{};
    x.temperature = real(temperature), x.pressure = 50000, x.density = real(50000 / (287 * temperature));
    x.vapour = lin::saturation(x.temperature, x.pressure).ice;
    x.set_heats();
    return x;
}

template <bool as_wrf = false> lin::Growth growth_of(const Point &x, real dt) {
    const lin::Cloudy c{x,
                        lin::saturation(x.temperature, x.pressure),
                        lin::transfer_of(x),
                        lin::rain_of(x.rain, x.density),
                        lin::snow_of(x.snow, x.density),
                        lin::graupel_of(x.graupel, x.density)};
    lin::Growth g;
    lin::convert(c, g, dt);
    lin::bergeron<as_wrf>(c, g, dt);
    lin::collect(c, g, dt);
    lin::exchange_vapour(c, g, dt);
    return g;
}

TEST(Lin, AStormConservesWaterAndIsNeverNegative) {
    MoistCase a = storm();
    const double before = a.water(0);
    for (int n = 0; n < 90; ++n) {
        advance(a.columns(20));
        ASSERT_GE(a.least(), 0) << "step " << n;
    }
    EXPECT_GT(a.rain[0], 3);
    EXPECT_NEAR((a.water(0) + a.rain[0]) / before, 1, single ? 1e-5 : 1e-12);
}

TEST(Lin, WhatTransportLeftNegativeIsFilledFromVapour) {
    MoistCase a = storm();
    for (int k = 0; k < a.nz; ++k) a.columns(1).rain(0, k) = a.columns(1).snow(0, k) = real(-1e-6);
    const double before = a.water(0);
    advance(a.columns(10));
    EXPECT_GE(a.least(), 0);
    EXPECT_NEAR((a.water(0) + a.rain[0]) / before, 1, single ? 1e-6 : 1e-12);
}

TEST(Lin, DryAirKeepsItsBits) {
    MoistCase a(1, 40, 300), before = a;
    advance(a.columns(100));
    for (int k = 0; k < 40; ++k) ASSERT_EQ(a.columns(1).theta(0, k), before.columns(1).theta(0, k));
}

TEST(Lin, LongStepsAreNoLessSafe) {
    MoistCase a = storm();
    for (int n = 0; n < 6; ++n) advance(a.columns(600));
    EXPECT_GE(a.least(), 0);
    for (int k = 0; k < a.nz; ++k) EXPECT_NEAR(a.temperature(0, k), storm().temperature(0, k), 15);
}

/// Columns fall in parts of a step of their own, whatever others are beside them.
TEST(Lin, AColumnIsTheSameAloneAndInABatch) {
    for (const bool as_wrf : {false, true}) {
        MoistCase batch = storm(7);
        MoistColumns all = batch.columns(60);
        all.as_wrf = as_wrf;
        advance(all);
        MoistCase other = storm(7);
        MoistColumns last = other.columns(60);
        last.as_wrf = as_wrf, last.n = 1;
        const auto shift = [](auto &f) { f.origin += 6; };
        for (auto *f : {&last.exner, &last.pressure, &last.density, &last.mass, &last.depth, &last.height})
            shift(*f);
        for (auto *f :
             {&last.theta, &last.vapour, &last.cloud, &last.rain, &last.ice, &last.snow, &last.graupel})
            shift(*f);
        advance(last);
        for (int k = 0; k < 40; ++k) {
            EXPECT_EQ(last.theta(0, k), all.theta(6, k));
            EXPECT_EQ(last.rain(0, k), all.rain(6, k));
            EXPECT_EQ(last.ice(0, k), all.ice(6, k));
        }
        EXPECT_EQ(other.rain[0], batch.rain[6]);
    }
}

TEST(Lin, ExchangesAndAdjustmentKeepWaterAndEnthalpy) {
    std::uint32_t seed = 3;
    const auto any = [&seed](double most) {
        seed = seed * 1664525u + 1013904223u;
        return real(most * (seed / 4294967296.0));
    };
    for (const double temperature : {225.0, 245.0, 268.0, 276.0, 295.0})
        for (int n = 0; n < 200; ++n) {
            Point x = point(temperature);
            x.cloud = any(2e-3), x.rain = any(2e-3), x.snow = any(2e-3), x.graupel = any(2e-3);
            x.ice = temperature < 273 ? any(1e-3) : real(0);
            x.vapour *= any(2);
            const Point before = x;
            lin::exchange(x, growth_of(before, 60));
            EXPECT_NEAR(water(x) / water(before), 1, single ? 2e-6 : 1e-13);
            EXPECT_NEAR(enthalpy(x) / enthalpy(before), 1, single ? 1e-6 : 1e-13) << temperature;
            lin::adjust<false>(x, 60);
            EXPECT_NEAR(water(x) / water(before), 1, single ? 2e-6 : 1e-13);
            EXPECT_NEAR(enthalpy(x) / enthalpy(before), 1, single ? 1e-6 : 1e-13) << temperature;
        }
}

/// Cloud of half droplets, half crystals: saturated with respect to the mean, and as icy as before.
TEST(Lin, AdjustmentSaturatesWithRespectToWhatCloudIsMadeOf) {
    for (const double temperature : {225.0, 255.0, 290.0}) {
        Point x = point(temperature);
        x.vapour *= real(1.1);
        x.cloud = x.ice = real(2e-4);
        if (temperature > 273) x.ice = 0;
        const real icy = x.ice / (x.cloud + x.ice);
        lin::saturate(x);
        const lin::Saturation qs = lin::saturation(x.temperature, x.pressure);
        // The adjustment's own zero of Murray's formula is 0.01 K colder: a thousandth.
        EXPECT_NEAR(x.vapour / ((1 - icy) * qs.water + icy * qs.ice), 1, 1.5e-3);
        EXPECT_NEAR(x.ice / (x.cloud + x.ice), icy, 1e-5);
    }
}

/// In two halves of a step as in one: it depends on WRF's step to the first power.
TEST(Lin, IceThatBecomesSnowByBergeronsProcessGoesByTime) {
    Point x = point(260);
    x.cloud = real(5e-4), x.ice = real(1e-4);
    const auto psfi = [&x](auto as_wrf, double dt) { return growth_of<as_wrf.value>(x, real(dt)).psfi / dt; };
    const std::false_type paper;
    const std::true_type wrf;
    EXPECT_NEAR(psfi(paper, 2) / psfi(paper, 1), 1, 0.02);
    EXPECT_NEAR(psfi(wrf, 2) / psfi(wrf, 1), 2, 0.1);
}

TEST(Lin, NucleiTakeTheirWaterFromDropletsButNotInWrfsForms) {
    Point ours = point(245), wrfs = ours;
    lin::freeze_cloud<false>(ours, 60);
    lin::freeze_cloud<true>(wrfs, 60);
    EXPECT_EQ(ours.ice, 0);
    EXPECT_GT(wrfs.ice, 0);
}

/// LFO83, equations 11 to 13, of 1 g kg-1 in air of 1 kg m-3, evaluated apart.
TEST(Lin, FallSpeedsAreThoseOfThePaper) {
    EXPECT_NEAR(lin::rain_of(real(1e-3), 1).speed, 5.9395, 1e-3);
    EXPECT_NEAR(lin::snow_of(real(1e-3), 1).speed, 1.3538, 1e-3);
    EXPECT_NEAR(lin::graupel_of(real(1e-3), 1).speed, 4.6783, 1e-3);
    EXPECT_NEAR(lin::ice_speed(real(1e-3), 1), 3.29 * std::pow(1e-3, 0.16), 1e-4);
}

/// A layer that gives everything away in a step gives it to those below: nothing is lost on the way.
TEST(Lin, WhatFallsArrivesBelow) {
    MoistCase a(1, 40, 300);
    const MoistColumns c = a.columns(300);
    c.rain(0, 20) = real(3e-3), c.graupel(0, 39) = real(2e-3), c.ice(0, 30) = real(1e-4);
    const double before = a.water(0);
    lin::Sedimentation(40).fall(c, 300);
    EXPECT_NEAR((a.water(0) + a.rain[0]) / before, 1, single ? 1e-6 : 1e-13);
    EXPECT_LT(c.rain(0, 20), 1e-3);
    EXPECT_GT(c.rain(0, 16), 1e-4);
}

/// The rain of a column of graupel is warm rain once it has melted: what melts cools the air there.
TEST(Lin, HailMeltsOnItsWay) {
    MoistCase a(1, 40, 300);
    const MoistColumns c = a.columns(20);
    for (int k = 0; k < 40; ++k) {
        c.vapour(0, k) = saturation_over_water(real(a.temperature(0, k)), c.pressure(0, k));
        c.graupel(0, k) = a.temperature(0, k) > 276 ? real(2e-3) : real(0);
    }
    MoistCase before = a;
    advance(c);
    EXPECT_GT(c.rain(0, 5), 1e-4);
    EXPECT_LT(a.temperature(0, 5), before.temperature(0, 5) - 0.05);
}

} // namespace
} // namespace squall
