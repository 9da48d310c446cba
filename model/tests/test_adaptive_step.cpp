// How long steps are that follow the Courant number, and where they end.
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "core/interval.hpp"
#include "run/adaptive_step.hpp"
#include "run/digital_filter.hpp"

namespace squall {
namespace {

/// A day of minutes on 10 km, with output every hour.
Config hourly() {
    Config c;
    c.run.time_step = 60;
    c.run.duration = 86400;
    c.run.acoustic_substeps = 8;
    c.run.adaptive_time_step = true;
    c.domain = {100, 100, 40, 10e3, 10e3, {}};
    StreamConfig history;
    history.name = "history";
    history.interval = 3600;
    c.streams = {history};
    return c;
}

Health courant(double horizontal, double vertical) {
    Health h;
    h.courant_horizontal.value = horizontal;
    h.courant_vertical.value = vertical;
    return h;
}

constexpr double never = std::numeric_limits<double>::infinity();

TEST(AdaptiveStep, GrowsByATwentiethWhileTheFlowIsSlow) {
    AdaptiveStep step(hourly());
    EXPECT_DOUBLE_EQ(step.longest(), 60);
    step.adapt(courant(0.2, 0.1), 60);
    EXPECT_DOUBLE_EQ(step.longest(), 63);
    for (int n = 0; n < 20; ++n) step.adapt(courant(0.2, 0.1), step.longest());
    EXPECT_DOUBLE_EQ(step.longest(), 80); // 8 s per km
}

TEST(AdaptiveStep, ComesBackToTheTargetOfEitherDirection) {
    AdaptiveStep step(hourly());
    step.adapt(courant(0.82, 0.5), 60);
    EXPECT_NEAR(step.longest(), 60 * 0.84 / 0.82, 1e-9);
    step.adapt(courant(0.5, 1.5), 60);
    EXPECT_NEAR(step.longest(), 60 * (1.2 - 0.15) / 1.5, 1e-9);
    step.adapt(courant(0.5, 40), 60);
    EXPECT_NEAR(step.longest(), 30, 1e-9); // at least half
    step.adapt(courant(0.5, 40), 30);
    EXPECT_DOUBLE_EQ(step.longest(), 20); // a third of run.time_step
}

TEST(AdaptiveStep, AShortStepBeforeOutputLeavesTheNextItsLength) {
    AdaptiveStep step(hourly());
    step.adapt(courant(0.05, 0), 10);
    EXPECT_DOUBLE_EQ(step.longest(), 63);
    step.adapt(courant(0.2, 0), 10); // 42 s would be 0.84
    EXPECT_DOUBLE_EQ(step.longest(), 42);
}

TEST(AdaptiveStep, EndsAtTheTimesOfOutputAndOfTheBoundary) {
    AdaptiveStep step(hourly());
    step.set_longest(70);
    double seconds = 0;
    int steps = 0;
    while (seconds < 3600) {
        const double end = step.end_of_step(seconds, never);
        EXPECT_LE(end - seconds, 70 * (1 + 1e-6));
        seconds = end;
        ++steps;
    }
    EXPECT_EQ(seconds, 3600); // exactly
    EXPECT_EQ(steps, 52);
    EXPECT_EQ(step.end_of_step(3600, 3650), 3650);
    EXPECT_EQ(step.end_of_step(86390, never), 86400);
}

TEST(AdaptiveStep, SoundBoundsItWhereSubstepsAreFew) {
    Config c = hourly();
    c.run.acoustic_substeps = 4;
    const AdaptiveStep step(c);
    EXPECT_NEAR(step.most(), 0.98 * 4 * 10e3 / (353 * std::sqrt(2.0)), 1e-6); // 78.5 s
    c.run.max_time_step = 70;
    EXPECT_DOUBLE_EQ(AdaptiveStep(c).most(), 70);
}

TEST(Interval, OfStepsThatFollowEachOtherOneHasEachMultiple) {
    double seconds = 0;
    int due = 0;
    for (int n = 0; seconds < 36000 - 1e-6; ++n) {
        const double step = 17 + 5 * std::sin(double(n));
        due += falls_due(seconds, step, 600);
        seconds += step;
    }
    EXPECT_EQ(due, static_cast<int>(std::ceil(seconds / 600)));
    EXPECT_NE(falls_due(1, 59, 59.95), falls_due(60, 30, 59.95)); // just before the end of the longer
    for (int n = 0; n < 1000; ++n) EXPECT_EQ(falls_due(n * 0.3, 0.3, 2.1), n % 7 == 0) << n;
    // Shortly before a shorter step, and before a longer one.
    EXPECT_EQ(falls_due(10, 80, 89.93) + falls_due(90, 40, 89.93), 1);
    EXPECT_EQ(falls_due(50, 40, 89.95) + falls_due(90, 80, 89.95), 1);
}

/// What a filter leaves of a wave of a period.
double response(const std::vector<double> &weights, double dt, double period) {
    const int half = static_cast<int>(weights.size() / 2);
    double sum = 0;
    for (int n = -half; n <= half; ++n)
        sum += weights[static_cast<std::size_t>(n + half)] * std::cos(2 * std::numbers::pi * n * dt / period);
    return sum;
}

TEST(DigitalFilter, LetsSlowWavesPassAndStopsFastOnes) {
    for (const char *window : {"dolph", "lanczos"}) {
        const auto h = filter_weights(window, 30, 60, 3600); // an hour's span
        ASSERT_EQ(h.size(), 61U);
        for (std::size_t n = 0; n < 30; ++n) EXPECT_NEAR(h[n], h[60 - n], 1e-12) << window;
        EXPECT_NEAR(response(h, 60, 1e9), 1, 1e-9) << window;
        EXPECT_GT(response(h, 60, 12 * 3600), 0.97) << window;
        for (const double period : {150.0, 300.0, 600.0, 900.0})
            EXPECT_LT(std::abs(response(h, 60, period)), 0.09) << window << " " << period;
    }
}

/// Of a span of an hour in steps of a minute, of waves that the filter stops from an hour on.
TEST(DigitalFilter, HasTheWeightsOfItsPublications) {
    const auto lanczos = filter_weights("lanczos", 30, 60, 3600);
    // sin(n theta) / (n pi) times sin(n pi / 31) / (n pi / 31), theta = pi / 30, over theta / pi: by hand,
    // Lynch and Huang (1992, Mon. Wea. Rev. 120, 1019-1034).
    EXPECT_NEAR(lanczos[45] / lanczos[30], 0.63662 * 0.65700, 1e-5);
    EXPECT_NEAR(lanczos[50] / lanczos[30], 0.41350 * 0.44296, 1e-5);
    EXPECT_NEAR(lanczos[60] / lanczos[30], 0, 1e-12);
    // T_60(x0 cos(theta / 2)) / T_60(x0), x0 = 1 / cos(theta_s / 2): Lynch (1997, ibid. 125, 655-660).
    const auto dolph = filter_weights("dolph", 30, 60, 3600);
    const auto chebyshev = [](double x) {
        return std::abs(x) > 1 ? std::cosh(60 * std::acosh(std::abs(x))) : std::cos(60 * std::acos(x));
    };
    const double x0 = 1 / std::cos(std::numbers::pi * 60 / 3600);
    for (double period = 125; period < 1e6; period *= 1.1)
        EXPECT_NEAR(response(dolph, 60, period),
                    chebyshev(x0 * std::cos(std::numbers::pi * 60 / period)) / chebyshev(x0), 1e-9)
            << period;
}

TEST(DigitalFilter, DolphsRipplesAreAllOfOneHeight) {
    const auto h = filter_weights("dolph", 30, 60, 2400);
    const double x0 = 1 / std::cos(std::numbers::pi * 60 / 2400), most = 1 / std::cosh(60 * std::acosh(x0));
    double highest = 0;
    for (double period = 121; period < 2400; period *= 1.002)
        highest = std::max(highest, std::abs(response(h, 60, period)));
    EXPECT_NEAR(highest, most, 0.02 * most);
}

} // namespace
} // namespace squall
