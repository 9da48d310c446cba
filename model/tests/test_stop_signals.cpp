#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "run/stop_signals.hpp"

namespace squall {
namespace {

TEST(StopSignals, TheFirstIsKeptAndNoneEndsTheProcess) {
    const StopSignals heeded;
    EXPECT_EQ(StopSignals::received(), 0);
    std::raise(SIGUSR1);
    std::raise(SIGTERM);
    std::raise(SIGTERM); // an echo
    EXPECT_EQ(StopSignals::received(), SIGUSR1);
}

TEST(StopSignals, EachRunStartsAfresh) {
    {
        const StopSignals heeded;
        std::raise(SIGHUP);
    }
    const StopSignals heeded;
    EXPECT_EQ(StopSignals::received(), 0);
}

TEST(StopSignals, WhatIsIgnoredStaysIgnored) {
    std::signal(SIGHUP, SIG_IGN); // as nohup does
    {
        const StopSignals heeded;
        std::raise(SIGHUP);
        EXPECT_EQ(StopSignals::received(), 0);
    }
    EXPECT_EQ(std::signal(SIGHUP, SIG_DFL), SIG_IGN);
}

void raise_twice(int number) {
    const StopSignals heeded;
    std::raise(number);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    std::raise(number);
    std::exit(0);
}

TEST(StopSignalsDeathTest, TheSameAgainEndsTheProcess) {
    EXPECT_EXIT(raise_twice(SIGTERM), testing::KilledBySignal(SIGTERM), "");
}

TEST(StopSignalsDeathTest, AWarningNeverEndsTheProcess) {
    EXPECT_EXIT(raise_twice(SIGUSR1), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace squall
