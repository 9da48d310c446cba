#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "monitor_case.hpp"
#include "run/progress.hpp"
#include "run/text.hpp"

namespace squall {
namespace {

using test::MonitorCase;

constexpr real nan_value = std::numeric_limits<real>::quiet_NaN();

Patch whole(int nx, int ny, int nz) { return make_patch(0, 1, 1, nx, ny, nz, {}); }

void expect_at(const GridPoint &p, int i, int k, int j) {
    EXPECT_EQ(p.i, i);
    EXPECT_EQ(p.k, k);
    EXPECT_EQ(p.j, j);
}

/// What check throws, or "" if it does not.
std::string violation(MonitorCase &c, double time = 98400) {
    try {
        c.monitor.check(c.state, time);
    } catch (const Violation &v) {
        return v.what();
    }
    return "";
}

TEST(Monitor, FindsTheLargestCourantNumbersAndWind) {
    MonitorCase c(whole(23, 17, 9));
    c.state.u.fill(10);
    c.state.v.fill(-20);
    c.set(c.state.u, {22, 8, 16}, -100);
    c.set(c.state.w, {7, 3, 11}, -2);
    const Health h = c.monitor.check(c.state, 0);
    EXPECT_NEAR(h.courant_horizontal.value, 60 * (100 / 10e3 + 20 / 20e3), 1e-6);
    expect_at(h.courant_horizontal.at, 22, 8, 16);
    EXPECT_NEAR(h.courant_vertical.value, 60 * 2 / 500., 1e-5);
    expect_at(h.courant_vertical.at, 7, 2, 11); // the lower of the two layers that share the interface
    EXPECT_EQ(h.w.value, 2);
    expect_at(h.w.at, 7, 3, 11);
    EXPECT_DOUBLE_EQ(h.courant(), h.courant_horizontal.value);
}

TEST(Monitor, HandsANoticeOnWithOneRankToo) {
    MonitorCase c(whole(8, 8, 3));
    EXPECT_EQ(c.monitor.check(c.state, 0, 2).notice, 2);
}

TEST(Monitor, MapFactorsShortenTheDistance) {
    MonitorCase c(whole(8, 8, 3));
    c.state.u.fill(50);
    c.grid.msfux.fill(real(1.25));
    EXPECT_NEAR(c.monitor.check(c.state, 0).courant_horizontal.value, 60 * 50 * 1.25 / 10e3, 1e-6);
}

TEST(Monitor, SeesTheTopInterface) {
    MonitorCase c(whole(8, 8, 3));
    c.set(c.state.w, {1, 3, 2}, 4);
    const Health h = c.monitor.check(c.state, 0);
    expect_at(h.w.at, 1, 3, 2);
    c.set(c.state.ph, {4, 3, 4}, std::numeric_limits<real>::infinity());
    EXPECT_NE(violation(c).find("ph is not a finite number at i = 4, j = 4, k = 3"), std::string::npos);
}

TEST(Monitor, NamesEveryVariableThatIsNotFinite) {
    const Shape s{8, 8, 3};
    for (Array3 State::*a : {&State::u, &State::v, &State::w, &State::theta, &State::ph}) {
        MonitorCase c(whole(s.nx, s.ny, s.nz));
        (c.state.*a)(7, 2, 7) = nan_value;
        EXPECT_NE(violation(c).find("i = 7, j = 7, k = 2"), std::string::npos);
    }
    MonitorCase c(whole(s.nx, s.ny, s.nz));
    c.state.mu(3, 4) = nan_value;
    EXPECT_NE(violation(c).find("mu is not a finite number at i = 3, j = 4, k = 0"), std::string::npos);
}

TEST(Monitor, NamesTheScalarThatIsNotFinite) {
    for (const auto &[n, name] : {std::pair{0, "QVAPOR"}, std::pair{1, "smoke"}}) {
        MonitorCase c(whole(8, 8, 3));
        EXPECT_EQ(violation(c), "");
        c.state.scalars[std::size_t(n)](2, 2, 5) = nan_value;
        const std::string text = violation(c);
        EXPECT_NE(text.find(std::string(name) + " is not a finite number at i = 2, j = 5, k = 2"),
                  std::string::npos)
            << text;
    }
}

TEST(Monitor, TellsTheTimeAndTheLikelyRemedy) {
    MonitorCase c(whole(20, 20, 4));
    c.state.theta(5, 1, 6) = nan_value;
    c.state.w(9, 2, 12) = nan_value;
    const std::string text = violation(c);
    EXPECT_NE(text.find("theta is not a finite number at i = 5, j = 6, k = 1"), std::string::npos) << text;
    EXPECT_NE(text.find("1 d 03:20:00 (98400 s)"), std::string::npos) << text;
    EXPECT_NE(text.find("run.time_step = \"30 s\""), std::string::npos) << text;
}

TEST(Monitor, StopsAboveTheLimitOfTheAdvection) {
    MonitorCase c(whole(20, 20, 4));
    c.state.u.fill(real(1.41 * 10e3 / 60));
    EXPECT_EQ(violation(c), "");
    c.set(c.state.u, {3, 2, 1}, real(1.5 * 10e3 / 60));
    const std::string text = violation(c);
    EXPECT_NE(text.find("the horizontal Courant number is 1.5 at i = 3, j = 1, k = 2"), std::string::npos)
        << text;
    EXPECT_NE(text.find("run.time_step = \"45 s\""), std::string::npos) << text;
}

TEST(Monitor, WindAlongASlopeIsNoFlowThroughSurfaces) {
    MonitorCase c(whole(20, 20, 6));
    c.set_height([](int i, int) { return 1000. * i; }); // 0.1, climbed at 150 m/s
    c.state.u.fill(150);
    c.state.w.fill(15);
    EXPECT_GT(c.monitor.check(c.state, 0).courant_vertical.value, 1.7);
    c.set(c.state.w, {10, 3, 10}, 15 + 14);
    const std::string text = violation(c);
    EXPECT_NE(text.find("the vertical Courant number is 1.68 at i = 10, j = 10, k = 3"), std::string::npos)
        << text;
}

/// What the adaptive step follows: the wind along a slope needs no shorter step, the wind into it does.
TEST(Monitor, WhereItWatchesTheFlowThroughSurfacesItsVerticalCourantNumberIsThat) {
    MonitorCase c(whole(20, 20, 6));
    c.monitor.watch_flow_through_surfaces();
    c.set_height([](int i, int) { return 1000. * i; });
    c.state.u.fill(150);
    c.state.w.fill(15);
    EXPECT_LT(c.monitor.check(c.state, 0).courant_vertical.value, 1e-2);
    c.state.w.fill(12);
    EXPECT_NEAR(c.monitor.check(c.state, 0).courant_vertical.value, 3. * 60 / 500, 1e-3);
}

TEST(Monitor, FindsTheSamePlacesWithOtherTiles) {
    for (int tile : {1, 4, 100}) {
        MonitorCase c(whole(13, 11, 4), MPI_COMM_NULL, tile);
        for (const GridPoint p : {GridPoint{12, 1, 10}, {2, 3, 5}, {9, 2, 5}}) c.set(c.state.w, p, 3);
        expect_at(c.monitor.check(c.state, 0).w.at, 9, 2, 5);
    }
}

TEST(Stability, LimitsAreThoseOfWickerAndSkamarock) {
    EXPECT_EQ(advection_limit(5), 1.42);
    EXPECT_EQ(advection_limit(3), 1.61);
    EXPECT_THROW(advection_limit(7), std::invalid_argument);
}

TEST(Stability, SubstepsNeededBringSoundBelowItsLimit) {
    Stepping s = test::monitor_stepping();
    s.dx = s.dy = 10e3;
    s.acoustic_substeps = 2;
    EXPECT_NEAR(acoustic_courant(s), 353 * 30 * std::sqrt(2.) / 10e3, 1e-9);
    s.acoustic_substeps = substeps_needed(s);
    EXPECT_EQ(s.acoustic_substeps, 4);
    EXPECT_LT(acoustic_courant(s), 1);
    s.one_row = true;
    EXPECT_NEAR(acoustic_courant(s), 353 * 15 / 10e3, 1e-9);
}

TEST(Stability, StepsAreRoundedAsAPersonWould) {
    EXPECT_DOUBLE_EQ(round_step(600), 600);
    EXPECT_DOUBLE_EQ(round_step(457.3), 450);
    EXPECT_DOUBLE_EQ(round_step(0.3049), 0.30);
}

/// A clock that tests set.
struct FakeClock {
    double now = 0;
    Progress::Clock clock() {
        return [this] { return now; };
    }
};

Health some_health() {
    Health h;
    h.courant_horizontal.value = 0.42;
    h.w.value = 0.13;
    return h;
}

TEST(Progress, PlainLinesComeAtTenthsAndEveryTenSeconds) {
    FakeClock wall;
    std::ostringstream out;
    Progress progress(out, false, 0, 86400, wall.clock());
    for (int n = 1; n <= 144; ++n) { // 144 steps of 600 s, each 0.5 s of wall time
        wall.now = 0.5 * n;
        progress.step(600. * n, some_health());
    }
    const std::string text = out.str();
    const auto lines = std::count(text.begin(), text.end(), '\n');
    EXPECT_GE(lines, 10);
    EXPECT_LE(lines, 17);
    EXPECT_NE(text.find("12:00:00  50 %  2 steps/s  36 s left  Courant 0.42  max |w| 0.13 m/s"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(Progress, TerminalsKeepOneShortLine) {
    FakeClock wall;
    std::ostringstream out;
    Progress progress(out, true, 0, 5 * 86400., wall.clock());
    for (int n = 1; n <= 100; ++n) {
        wall.now = 0.02 * n;
        progress.step(600. * n, some_health());
    }
    const std::string text = out.str();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0);
    EXPECT_LE(std::count(text.begin(), text.end(), '\r'), 11);
    EXPECT_LT(text.substr(text.rfind('\r')).size(), 83u);
    progress.finish();
    EXPECT_NE(out.str().find("100 steps to 16:40:00 in 2 s, 50 steps/s\n"), std::string::npos) << out.str();
}

TEST(Text, DurationsAndBytesReadWell) {
    EXPECT_EQ(format_duration(2.5), "2.5 s");
    EXPECT_EQ(format_duration(59.97), "0:01:00");
    EXPECT_EQ(format_duration(5400), "1:30:00");
    EXPECT_EQ(format_duration(98400), "1 d 03:20:00");
    EXPECT_EQ(format_duration(5 * 86400), "5 d");
    EXPECT_EQ(format_bytes(512), "512 B");
    EXPECT_EQ(format_bytes(12.34e6), "12.3 MB");
    EXPECT_EQ(format_bytes(999.7e6), "1.00 GB");
}

} // namespace
} // namespace squall
