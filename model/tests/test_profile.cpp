/// What a profile tells of loops and spans.

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "core/profile.hpp"
#include "parallel/tiles.hpp"

namespace squall {
namespace {

void rest(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

const Profile::Routine &named(const std::vector<Profile::Routine> &all, const std::string &name) {
    for (const auto &routine : all)
        if (routine.name == name) return routine;
    throw std::out_of_range("no routine " + name);
}

void loop_over_tiles() {
    for_each_tile(make_tiles({0, 8, 0, 4, 0, 1}, 8, 1), [](const Range &) { rest(2); });
}

TEST(Profile, KnowsALoopByWhoAsksForItAndEachThreadsShare) {
    Profile::start(omp_get_max_threads(), 100);
    loop_over_tiles();
    loop_over_tiles();
    const auto profile = Profile::stop();
    const auto routines = profile->routines();
    ASSERT_EQ(routines.size(), 1u);
    EXPECT_EQ(routines[0].name, "loop_over_tiles");
    EXPECT_EQ(routines[0].calls, 2);
    double busy = 0;
    for (const double seconds : routines[0].threads) {
        EXPECT_LE(seconds, routines[0].total + 1e-3);
        busy += seconds;
    }
    EXPECT_GE(busy, 8 * 2e-3); // eight tiles of 2 ms
    EXPECT_EQ(profile->events().size(), 8u);
}

TEST(Profile, TakesWhatBeganWithinASpanFromItsOwnTime) {
    Profile::start(1, 100);
    {
        const Span outer("outer", Profile::Kind::exchanging);
        rest(2);
        const Span inner("inner", Profile::Kind::waiting);
        rest(10);
    }
    const auto routines = Profile::stop()->routines();
    const auto &outer = named(routines, "outer"), &inner = named(routines, "inner");
    EXPECT_GE(inner.self, 10e-3);
    EXPECT_GE(outer.total, 12e-3);
    EXPECT_NEAR(outer.self, outer.total - inner.total, 1e-6);
    EXPECT_EQ(inner.kind, Profile::Kind::waiting);
}

TEST(Profile, CountsOnWhereThereIsNoRoomForEventsAndSaysHowManyItLost) {
    Profile::start(1, 3);
    for (int n = 0; n < 5; ++n) const Span span("short", Profile::Kind::output);
    const auto profile = Profile::stop();
    EXPECT_EQ(named(profile->routines(), "short").calls, 5);
    EXPECT_EQ(profile->events().size(), 3u);
    EXPECT_EQ(profile->events_lost(), 2);
}

TEST(Profile, OfNobodyCostsNothingAndKeepsNothing) {
    Profile::stop();
    loop_over_tiles();
    EXPECT_EQ(Profile::running(), nullptr);
}

} // namespace
} // namespace squall
