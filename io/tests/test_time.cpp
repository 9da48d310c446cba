#include <gtest/gtest.h>

#include "support.hpp"

namespace squall::io::test {

TEST(FormatTime, CountsFromTheEpochThroughLeapDays) {
    EXPECT_EQ(format_time({86400.0 * 60, "2000-01-01T12:00:00"}, "%Y-%m-%d_%H-%M-%S"), "2000-03-01_12-00-00");
    EXPECT_EQ(format_time({-1, "2001-01-01"}, "%Y-%m-%d_%H:%M:%S"), "2000-12-31_23:59:59");
    EXPECT_EQ(format_time({432000, "0001-01-01_00:00:00"}, "%Y%m%d"), "00010106");
    EXPECT_EQ(format_time({0, "2000-01-01T00:00:00Z"}, "100%%"), "100%");
}

TEST(FormatTime, IsNotAMomentLateOnWholeSeconds) {
    EXPECT_EQ(format_time({59.9999999, "2000-01-01"}, "%M:%S"), "01:00");
    EXPECT_EQ(format_time({59.5, "2000-01-01"}, "%M:%S"), "00:59");
    EXPECT_EQ(format_time({59.5, "2000-01-01T00:00:00.5"}, "%M:%S"), "01:00");
}

TEST(FormatTime, RefusesWhatItDoesNotUnderstand) {
    for (const char *epoch : {"", "2000", "2000-13-01", "2000-02-30", "2000-01-01T25:00:00",
                              "2000-01-01T00:00:00+01", "2000-01-01x"})
        EXPECT_NE(error_of([&] { format_time({0, epoch}, "%Y"); }), "") << epoch;
    EXPECT_NE(error_of([] { format_time({}, "%q"); }), "");
    EXPECT_NE(error_of([] { format_time({}, "50%"); }), "");
    EXPECT_NE(error_of([] { format_time({1.0 / 0.0}, "%Y"); }), "");
}

} // namespace squall::io::test
