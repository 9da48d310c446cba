// Calendar time: what is read, what is refused, and arithmetic across the calendar's edges.
#include <gtest/gtest.h>

#include <stdexcept>

#include "settings/calendar.hpp"

namespace squall {
namespace {

std::string later(const std::string &start, double seconds) {
    return format_iso(add_seconds(parse_time(start), seconds));
}

TEST(Calendar, TheUsualWaysOfWritingATimeAreRead) {
    for (const char *text : {"2000-01-01T06:00:00", "2000-01-01 06:00:00", "2000-01-01_06:00:00",
                             "2000-01-01T06:00:00Z", "2000-01-01T06:00"})
        EXPECT_EQ(format_iso(parse_time(text)), "2000-01-01T06:00:00") << text;
    EXPECT_EQ(format_iso(parse_time("2000-01-01")), "2000-01-01T00:00:00");
    EXPECT_EQ(format_iso(parse_time("0001-01-01_00:00:00")), "0001-01-01T00:00:00");
    EXPECT_EQ(format_iso(parse_time("2000-01-01T00:00:00.25")), "2000-01-01T00:00:00.250");
}

TEST(Calendar, WhatIsNoTimeIsRefused) {
    for (const char *text :
         {"", "2000", "2000-13-01", "2001-02-29", "0000-01-01", "2000-01-01T24:00:00", "2000-01-01T00:60:00",
          "2000-01-01T", "2000-01-01T1:00:00", "2000-01-01x00:00:00", "2000-01-01T00:00:00+01", "-200-01-01",
          "2000--1-01", "2000-01-01T00:00:00.", "tomorrow"})
        EXPECT_THROW(parse_time(text), std::invalid_argument) << text;
}

TEST(Calendar, SecondsCrossMonthsLeapDaysAndCenturies) {
    EXPECT_EQ(later("2000-02-28T00:00:00", 2 * 86400), "2000-03-01T00:00:00");
    EXPECT_EQ(later("1900-02-28T00:00:00", 86400), "1900-03-01T00:00:00");
    EXPECT_EQ(later("0001-01-01T00:00:00", 365 * 86400.0), "0002-01-01T00:00:00");
    EXPECT_EQ(later("1999-12-31T23:59:59", 1.5), "2000-01-01T00:00:00.500");
    EXPECT_EQ(later("2000-03-01T00:00:00", -1), "2000-02-29T23:59:59");
}

TEST(Calendar, TemplatesAreFilled) {
    const CalendarTime time = parse_time("2003-04-05T06:07:08");
    EXPECT_EQ(format_time(time, "history_%Y-%m-%d_%H:%M:%S.nc"), "history_2003-04-05_06:07:08.nc");
    EXPECT_EQ(format_time(time, "100%%"), "100%");
    EXPECT_THROW(format_time(time, "%q"), std::invalid_argument);
    EXPECT_THROW(format_time(time, "%"), std::invalid_argument);
}

} // namespace
} // namespace squall
