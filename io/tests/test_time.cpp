#include <gtest/gtest.h>

#include "declare/time.hpp"
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
                              "2000-01-01T00:00:00+1x", "2000-01-01x", "2000-01-01T12", "1-2"})
        EXPECT_NE(error_of([&] { format_time({0, epoch}, "%Y"); }), "") << epoch;
    EXPECT_NE(error_of([] { format_time({}, "%q"); }), "");
    EXPECT_NE(error_of([] { format_time({}, "50%"); }), "");
    EXPECT_NE(error_of([] { format_time({1.0 / 0.0}, "%Y"); }), "");
}

TEST(FormatTime, UnderstandsZones) {
    EXPECT_EQ(format_time({0, "2000-01-01T00:00:00+01:30"}, "%d %H:%M"), "31 22:30");
    EXPECT_EQ(format_time({0, "2000-01-01 12:00 UTC"}, "%d %H:%M"), "01 12:00");
    EXPECT_EQ(format_time({0, "2000-01-01 00:00:00 -3"}, "%d %H:%M"), "01 03:00");
}

/// As cftime 1.6 has it.
TEST(Calendars, AgreeWithCftime) {
    struct Known {
        const char *calendar, *epoch;
        double seconds;
        const char *date;
    };
    const Known all[] = {
        {"standard", "1850-01-01T00:00:00", 26204, "1850-01-01T07:16:44"},
        {"standard", "1582-10-04T12:00:00", 478878394, "1597-12-17T01:46:34"},
        {"standard", "1582-10-04T12:00:00", 86400, "1582-10-15T12:00:00"},
        {"standard", "0001-01-01T00:00:00", 549401848, "0018-05-30T19:37:28"},
        {"proleptic_gregorian", "1850-01-01T00:00:00", 24013570, "1850-10-05T22:26:10"},
        {"proleptic_gregorian", "2000-02-28T23:59:59", 18012245475, "2570-12-12T01:31:14"},
        {"proleptic_gregorian", "0001-01-01T00:00:00", 71441, "0001-01-01T19:50:41"},
        {"julian", "1850-01-01T00:00:00", 6432012, "1850-03-16T10:40:12"},
        {"julian", "2000-02-28T23:59:59", 24013435, "2000-12-02T22:23:54"},
        {"noleap", "1850-01-01T00:00:00", 18809268, "1850-08-06T16:47:48"},
        {"365_day", "2000-02-28T23:59:59", 16870123770, "2535-02-10T01:29:29"},
        {"noleap", "0001-01-01T00:00:00", 505953775, "0017-01-16T22:42:55"},
        {"all_leap", "1582-10-04T12:00:00", 2680386, "1582-11-04T12:33:06"},
        {"366_day", "2000-02-28T23:59:59", 42023133970, "3329-01-24T20:46:09"},
        {"360_day", "1850-01-01T00:00:00", 35245346979, "2983-02-23T06:09:39"},
        {"360_day", "2000-02-28T23:59:59", 9756258656, "2313-10-28T15:50:55"},
        {"360_day", "2000-02-30T00:00:00", 86400, "2000-03-01T00:00:00"},
    };
    for (const auto &k : all)
        EXPECT_EQ(format_time({k.seconds, k.epoch, k.calendar}, "%Y-%m-%dT%H:%M:%S"), k.date)
            << k.calendar << " " << k.epoch;
}

TEST(Calendars, CountEveryDayOnceThereAndBack) {
    for (const char *name : {"standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day"}) {
        const auto calendar = calendar_named(name);
        auto before = date_of(calendar, day_number(calendar, {-5, 12, 30}) - 1);
        for (auto day = day_number(calendar, {-5, 12, 30}); day < day_number(calendar, {2101, 1, 1}); ++day) {
            const auto date = date_of(calendar, day);
            ASSERT_TRUE(is_date(calendar, date)) << name << " " << day;
            ASSERT_EQ(day_number(calendar, date), day) << name;
            const bool next = date.day == before.day + 1 || date.day == 1 ||
                              (date.year == 1582 && date.day == 15); // where the calendar was changed
            ASSERT_TRUE(next) << name << " " << day;
            before = date;
        }
    }
}

TEST(Calendars, RefuseDatesThatTheyDoNotHave) {
    const auto refused = [](const char *calendar, const char *date) {
        return !error_of([&] { format_time({0, date, calendar}, "%Y"); }).empty();
    };
    EXPECT_TRUE(refused("noleap", "2000-02-29"));
    EXPECT_TRUE(refused("360_day", "2000-01-31"));
    EXPECT_TRUE(refused("standard", "1582-10-10"));
    EXPECT_TRUE(refused("proleptic_gregorian", "1900-02-29"));
    EXPECT_FALSE(refused("standard", "1500-02-29"));
    EXPECT_FALSE(refused("all_leap", "1900-02-29"));
    EXPECT_TRUE(refused("mayan", "2000-01-01"));
}

TEST(TimeUnits, CountInTheirCalendar) {
    EXPECT_EQ(in_units({3600, "2000-03-01", "noleap"}, time_units("hours since 2000-02-28")), 25);
    EXPECT_EQ(in_units({3600, "2000-03-01", ""}, time_units("hours since 2000-02-28")), 49);
    EXPECT_EQ(in_units({0, "2000-01-02 12:00:00", ""}, time_units("days since 2000-1-1 00:00:0.0")), 1.5);
    for (const char *none : {"m", "K", "months since 2000-01-01", "seconds", "s since"})
        EXPECT_NE(error_of([&] { time_units(none); }), "") << none;
}

} // namespace squall::io::test
