#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "moist_column.hpp"
#include "physics/saturation.hpp"
#include "physics/wsm6/packed.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall {
namespace {

using test::MoistCase;

constexpr bool single = sizeof(real) == 4;

/// Columns of 40 layers.
void let_fall(const MoistColumns &c, real dt) {
    ScratchMemory memory(wsm6::Sedimentation::scratch_rows(40), columns_at_a_time);
    wsm6::Sedimentation(40, memory.rows()).fall(c, dt);
}

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

/// One point of 1 kg m-3 at 700 hPa.
wsm6::Point point(double temperature) {
    wsm6::Point x{};
    x.temperature = real(temperature);
    x.pressure = 70000;
    x.density = 1;
    x.heat_capacity = wsm6::heat_capacity_of(0);
    x.l_v = wsm6::vaporisation(x.temperature);
    return x;
}

wsm6::Cloudy cloudy(const wsm6::Point &x) {
    const real thin = x.thinness(), colder = wsm6::colder_snow(x.temperature);
    return {x,
            wsm6::saturation(x.temperature, x.pressure),
            wsm6::rain_of(x.rain, x.density, thin),
            wsm6::snow_of(x.snow, x.density, thin, colder),
            wsm6::graupel_of(x.graupel, x.density, thin),
            wsm6::ice_of(x.ice, x.density),
            colder};
}

double water(const wsm6::Point &x) {
    return double(x.vapour) + x.cloud + x.rain + x.ice + x.snow + x.graupel;
}

/// c_p T + l_v q_v - l_f (ice, snow, graupel) with the heats of the step [J kg-1].
double enthalpy(const wsm6::Point &x) {
    return double(x.heat_capacity) * x.temperature + double(x.l_v) * x.vapour -
           double(x.l_f()) * (double(x.ice) + x.snow + x.graupel);
}

TEST(Wsm6, DryAirKeepsItsBits) {
    MoistCase a(3, 20, 500), before = a;
    wsm6_for(20)->advance(a.columns(100));
    for (int k = 0; k < 20; ++k) ASSERT_EQ(a.columns(1).theta(2, k), before.columns(1).theta(2, k));
    EXPECT_EQ(a.water(2), 0);
}

TEST(Wsm6, AStormConservesWaterAndIsNeverNegative) {
    MoistCase a = storm(1);
    const auto scheme = wsm6_for(a.nz);
    const double water = a.water(0);
    for (int n = 0; n < 90; ++n) {
        scheme->advance(a.columns(20));
        ASSERT_GE(a.least(), 0) << "step " << n;
    }
    EXPECT_GT(a.rain[0], 3);
    EXPECT_GT(a.graupel[0] + a.snow[0], 0);
    EXPECT_NEAR((a.water(0) + a.rain[0]) / water, 1, single ? 1e-5 : 1e-12);
}

/// Calls check(point) for points of all mixtures and temperatures, as a made-up sequence has them.
template <class Check> void for_made_up_points(Check check) {
    std::uint32_t seed = 1;
    const auto any = [&seed](double most) {
        seed = seed * 1664525u + 1013904223u;
        return real(most * std::max(seed / 4294967296.0 - 0.3, 0.0)); // 0 in three of ten
    };
    for (int n = 0; n < 2000; ++n) {
        wsm6::Point x = point(225 + 85 * double(any(1)) / 0.7);
        x.vapour = 2 * any(1) * wsm6::saturation(x.temperature, x.pressure).water;
        x.cloud = any(3e-3);
        x.rain = any(5e-3);
        x.ice = any(1e-3);
        x.snow = any(5e-3);
        x.graupel = any(8e-3);
        check(x);
    }
}

TEST(Wsm6, AStepOfAPointKeepsWaterAndEnthalpy) {
    for_made_up_points([](wsm6::Point x) {
        const wsm6::Point before = x;
        wsm6::react<false>(x, 20);
        EXPECT_NEAR(water(x) / std::max(water(before), 1e-6), water(before) / std::max(water(before), 1e-6),
                    single ? 2e-6 : 1e-12);
        EXPECT_NEAR(enthalpy(x), enthalpy(before), single ? 0.2 : 1e-7) << before.temperature << " K";
        EXPECT_GE(std::min({x.cloud, x.rain, x.ice, x.snow, x.graupel}), 0);
    });
}

template <wsm6::Reactions::Kind kind> void expect_bits_of_react(const wsm6::Point &x) {
    wsm6::Point all = x, few = x;
    wsm6::react<false>(all, 60);
    wsm6::Reactions::at<false, kind>(few, 60);
    for (const auto field :
         {&wsm6::Point::temperature, &wsm6::Point::vapour, &wsm6::Point::cloud, &wsm6::Point::rain,
          &wsm6::Point::ice, &wsm6::Point::snow, &wsm6::Point::graupel})
        ASSERT_EQ(all.*field, few.*field) << "kind " << kind << " at " << x.temperature << " K";
}

TEST(Wsm6, ProcessesThatAreLeftOutWhereTheyDoNothingKeepTheBits) {
    using Reactions = wsm6::Reactions;
    int found[Reactions::kinds]{}, n = 0;
    for_made_up_points([&](wsm6::Point x) {
        for (const real part : {real(1), real(1e-7)}) { // of rain and what falls frozen
            if (++n % 3 == 0) x.ice = x.snow = x.graupel = 0;
            x.cloud *= real(0.5), x.rain *= part, x.snow *= part, x.graupel *= part;
            const Reactions::Kind kind = Reactions::kind_of(x);
            ++found[kind];
            if (kind == Reactions::frozen) expect_bits_of_react<Reactions::frozen>(x);
            if (kind == Reactions::crystals) expect_bits_of_react<Reactions::crystals>(x);
            if (kind == Reactions::warm) expect_bits_of_react<Reactions::warm>(x);
        }
    });
    for (const int points : found) EXPECT_GT(points, 100);
}

TEST(Wsm6, PackedPointsKeepTheBits) {
    using Layer = wsm6::Row<true, true>;
    MoistCase packed = storm(30), rows = packed;
    const MoistColumns c = packed.columns(60), other = rows.columns(60);
    wsm6::PackedReactions<Layer, wsm6::Reactions, false>(c, 60).run();
    for (int k = 0; k < rows.nz; ++k)
        wsm6::react_layer(Layer(other, k), other.n, [](wsm6::Point &x, int) { wsm6::react<false>(x, 60); });
    for (const int field : {5, 6, 7, 8, 9, 10, 11}) // theta and all water
        for (int k = 0; k < rows.nz; ++k)
            for (int i = 0; i < rows.n; ++i)
                ASSERT_EQ(packed.storage.field(field)(i, k), rows.storage.field(field)(i, k)) << field << k;
}

TEST(Wsm6, TheBoundBelowSaturationIsOne) {
    for (double t = 150; t < 340; t += 0.25)
        for (const real p : {real(100), real(20000), real(100000)}) {
            const real least = wsm6::Point::least_saturation(real(t), p);
            const real bound = wsm6::below_saturation(real(t), p);
            ASSERT_LT(bound, least) << t << " K";
            ASSERT_TRUE(bound > real(0.5) * least || t < 205 || t > 305 || p < 1e4) << t << " K";
        }
}

TEST(Wsm6, SaturationIsThatOfTables) { // Smithsonian Meteorological Tables, 6th edition, tables 94 and 96
    const auto pressure = [](double q) { return q * 1e5 / (q + 287.0 / 461.6); };
    EXPECT_NEAR(pressure(wsm6::saturation(293.15F, 1e5F).water), 2337.3, 7);
    EXPECT_NEAR(pressure(wsm6::saturation(258.15F, 1e5F).water), 191.18, 1);
    EXPECT_NEAR(pressure(wsm6::saturation(258.15F, 1e5F).ice), 165.2, 1.5);
    EXPECT_EQ(wsm6::saturation(280, 70000).ice, wsm6::saturation(280, 70000).water);
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
    EXPECT_NEAR(a.rain[0] / (rho * 1e-3 * speed * 5), 1, 3e-3);
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

TEST(Wsm6, AFallOfManyLayersKeepsWhatFalls) {
    MoistCase a(1, 40, 50);
    const MoistColumns c = a.columns(60); // 5 m/s: six layers
    for (int k = 20; k < 25; ++k) c.rain(0, k) = real(1e-3 * (k - 19));
    const double before = a.water(0);
    let_fall(c, 60);
    EXPECT_NEAR(a.water(0) / before, 1, single ? 1e-6 : 1e-12);
    EXPECT_EQ(a.rain[0], 0);
    EXPECT_GT(c.rain(0, 15), 1e-4);
    EXPECT_EQ(c.rain(0, 24), 0);
    EXPECT_GE(a.least(), 0);
    let_fall(c, 1200);
    EXPECT_NEAR((a.water(0) + a.rain[0]) / before, 1, single ? 1e-6 : 1e-12);
    EXPECT_GT(a.rain[0], 0.9 * before);
}

TEST(Wsm6, GraupelInSnowFallsAsSlowlyAsTheirMean) {
    MoistCase alone(1, 40, 200), in_snow(1, 40, 200);
    for (int k = 0; k < 40; ++k) {
        alone.columns(20).graupel(0, k) = in_snow.columns(20).graupel(0, k) = real(1e-3);
        in_snow.columns(20).snow(0, k) = real(3e-3);
    }
    let_fall(alone.columns(20), 20);
    let_fall(in_snow.columns(20), 20);
    EXPECT_LT(in_snow.graupel[0], 0.7F * alone.graupel[0]);
    EXPECT_NEAR(in_snow.snow[0] / in_snow.graupel[0], 3, 1e-3);
}

TEST(Wsm6, SnowInFreezingAirDoesNotMelt) {
    wsm6::Point x = point(263);
    x.snow = real(1e-3);
    const wsm6::Cloudy c = cloudy(x);
    wsm6::melt(x, c.snow, c.colder, c.graupel, x.l_f(), 60);
    EXPECT_EQ(x.rain, 0);
    EXPECT_EQ(x.snow, real(1e-3));
}

TEST(Wsm6, IceInWarmAirMeltsAtOnce) {
    wsm6::Point x = point(275);
    x.ice = real(1e-3);
    wsm6::freeze(x, cloudy(x).rain, &wsm6::Point::graupel, x.l_f(), 1);
    EXPECT_EQ(x.ice, 0);
    EXPECT_EQ(x.cloud, real(1e-3));
    EXPECT_NEAR(x.temperature, 275 - 1e-3 * x.l_f() / x.heat_capacity, 1e-3);
}

TEST(Wsm6, CloudBelowMinus40CelsiusIsIce) {
    wsm6::Point x = point(232);
    x.cloud = real(1e-3);
    wsm6::freeze(x, cloudy(x).rain, &wsm6::Point::graupel, x.l_f(), 1);
    EXPECT_EQ(x.cloud, 0);
    EXPECT_NEAR(x.ice, 1e-3, 1e-9);
    EXPECT_NEAR(x.temperature, 232 + 1e-3 * x.l_f() / x.heat_capacity, 1e-3);
}

TEST(Wsm6, IceAndSnowGrowWhereWaterEvaporates) {
    wsm6::Point x = point(258);
    const wsm6::Saturation qs = wsm6::saturation(258, 70000);
    EXPECT_NEAR(qs.ice / qs.water, 0.863, 0.01); // at -15 C
    x.vapour = (qs.water + qs.ice) / 2;
    x.ice = x.snow = x.rain = real(1e-4);
    wsm6::Growth g;
    wsm6::exchange_vapour(cloudy(x), g, x.l_v, 20);
    EXPECT_GT(g.pidep_pigen, 0);
    EXPECT_GT(g.psdep, 0);
    EXPECT_LT(g.prevp, 0);
}

TEST(Wsm6, VapourGrowthNeverPassesSaturation) {
    for (const double s : {0.3, 0.9, 1.05, 1.2})
        for (const double t : {230.0, 265.0}) {
            wsm6::Point x = point(t);
            const real qs = wsm6::saturation(x.temperature, x.pressure).ice;
            x.vapour = real(s) * qs;
            x.ice = x.snow = x.graupel = real(1e-2);
            wsm6::Growth g;
            wsm6::exchange_vapour(cloudy(x), g, x.l_v, 3600);
            const real all = g.pidep_pigen + g.psdep + g.pgdep;
            EXPECT_EQ(all > 0, s > 1);
            EXPECT_LE(std::abs(all), std::abs(x.vapour - qs) * real(1.0001)) << s << " at " << t;
        }
}

TEST(Wsm6, ProcessesTogetherTakeNoMoreThanThereIs) {
    wsm6::Point x = point(270);
    x.cloud = real(1e-3);
    x.rain = x.snow = x.graupel = real(1e-3);
    wsm6::Growth g;
    g.praut_pracw = real(3e-3);
    g.paacw = real(1e-3) / 2;
    wsm6::exchange(x, g, x.l_v);
    EXPECT_NEAR(x.cloud, 0, 1e-9);
    EXPECT_NEAR(x.rain, 1e-3 + 7.5e-4, 1e-9);
    EXPECT_NEAR(x.snow, 1e-3 + 1.25e-4, 1e-9);
    EXPECT_NEAR(x.graupel, 1e-3 + 1.25e-4, 1e-9);
    EXPECT_NEAR(x.temperature, 270 + 2.5e-4 * x.l_f() / x.heat_capacity, 1e-4);
}

TEST(Wsm6, SupercooledRainFreezesOnWhatItMeets) {
    wsm6::Point x = point(265);
    x.rain = x.snow = real(1e-3);
    x.ice = real(1e-4);
    wsm6::Growth g;
    wsm6::collect(cloudy(x), g, 10);
    EXPECT_GT(g.piacr, 0);
    EXPECT_GT(g.psacr, 0);
    wsm6::exchange(x, g, x.l_v);
    EXPECT_LT(x.rain, real(1e-3));
    EXPECT_GT(x.graupel, real(1e-6));
    EXPECT_GT(x.temperature, 265);
}

TEST(Wsm6, LittleGraupelCollectsLittle) {
    wsm6::Point x = point(265);
    x.cloud = real(1e-3);
    x.graupel = real(1e-5);
    wsm6::Growth g, g_more;
    wsm6::collect(cloudy(x), g, 10);
    x.graupel = real(1e-3);
    wsm6::collect(cloudy(x), g_more, 10);
    EXPECT_GT(g.paacw, 0);
    EXPECT_LT(g.paacw, 1e-4F * g_more.paacw);
}

} // namespace
} // namespace squall
