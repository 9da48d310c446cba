// What surrounds the cumulus schemes: the mean of w that they are told, and what lasts from call to call.
#include <cmath>

#include <gtest/gtest.h>

#include "kain_fritsch_case.hpp"
#include "physics/convection.hpp"

namespace squall {
namespace {

constexpr Shape shape{3, 1, 2};
constexpr Range cells{0, 3, 0, 1, 0, 2};

/// After how long a mean of w that was zero has come within 1/e of a w that has become one [s].
double memory(double step, double interval, bool as_wrf) {
    Config config;
    config.run.time_step = step;
    config.run.compatibility = as_wrf ? "wrf" : "none";
    config.physics.cumulus = "kain-fritsch";
    config.physics.cumulus_interval = interval;
    const Convection convection(config, ScalarSet{}, shape.nz);
    State state(shape, 1);
    state.w.fill(1);
    ConvectionState c(shape);
    double seconds = 0;
    while (double(c.updraught(1, 1, 0)) < 1 - std::exp(-1.0) && seconds < 1e5) {
        convection.follow(cells, convection.due(seconds), state, c);
        seconds += step;
    }
    return seconds;
}

TEST(Convection, RemembersTheUpdraughtForTwoIntervalsBetweenCalls) {
    for (const double interval : {120, 300, 600, 1800})
        for (const double step : {20, 60})
            EXPECT_NEAR(memory(step, interval, false), 2 * interval, 1.01 * step) << interval << ' ' << step;
}

/// As WRF's driver has it, where a call weighs as much as a step: in an interval of five steps for 50
/// minutes.
TEST(Convection, AsWrfItRemembersForAsManyTimesLongerAsThereAreStepsBetweenCalls) {
    EXPECT_NEAR(memory(60, 300, true), 3000, 301);
    EXPECT_NEAR(memory(20, 300, true), 15 * 600, 301);
}

TEST(Convection, CalledInEveryStepItRemembersTwoStepsEitherWay) {
    for (const bool as_wrf : {false, true}) EXPECT_EQ(memory(60, 0, as_wrf), 120);
}

/// Steps and intervals long enough to see it: the air rests between two calls for no time.
TEST(KainFritsch, DeepConvectionThatIsLongerThanAnIntervalEndsWithACall) {
    for (const real interval : {real(300), real(420), real(660)}) {
        test::UnstableAir c;
        ConvectiveColumns columns = c.columns(interval);
        cumulus_scheme("kain-fritsch").make(c.layers)->convect(columns);
        ASSERT_GT(c.rate[0], 0);
        ASSERT_GE(c.remaining[0], interval);
        EXPECT_NEAR(std::remainder(double(c.remaining[0]), double(interval)), 0, 1e-3) << interval;
        EXPECT_LE(c.remaining[0], 3600);
    }
}

/// It would end before the next call: a new one is found, or none, rather than a rest.
TEST(KainFritsch, WhatWillNotLastUntilTheNextCallIsFoundAnew) {
    test::UnstableAir c;
    c.remaining[0] = 120;
    c.convect();
    EXPECT_GE(c.remaining[0], 300);
    c.as_wrf = true;
    c.remaining[0] = 120;
    c.convect();
    EXPECT_EQ(c.remaining[0], 120);
}

} // namespace
} // namespace squall
