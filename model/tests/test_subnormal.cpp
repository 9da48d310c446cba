#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

#include "core/real.hpp"
#include "core/subnormal.hpp"

namespace {

using namespace squall;

bool halves_to_zero(real q) {
    volatile real half = q;
    half = half / 2;
    return half == 0;
}

bool zero_in_all_threads_once_asked_for() {
    flush_subnormals();
    constexpr real least = std::numeric_limits<real>::min();
    int flushed = 1;
#pragma omp parallel reduction(&& : flushed)
    flushed = flushed && halves_to_zero(least) && !halves_to_zero(4 * least);
    return flushed != 0;
}

// In a process of its own, for the others keep their arithmetic.
TEST(SubnormalDeathTest, NumbersAreZeroInAllThreadsOnceAskedFor) {
    GTEST_FLAG_SET(death_test_style, "threadsafe"); // threads of OpenMP do not survive a fork
    EXPECT_FALSE(halves_to_zero(std::numeric_limits<real>::min()));
    EXPECT_EXIT(std::exit(zero_in_all_threads_once_asked_for() ? 0 : 1), testing::ExitedWithCode(0), "");
}

} // namespace
