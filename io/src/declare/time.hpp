/// Calendars of CF, and instants in them.
#pragma once

#include <cstdint>
#include <string>

#include "squall/io.hpp"

namespace squall::io {

enum class Calendar {
    proleptic_gregorian,
    standard, ///< Julian before 1582-10-15, Gregorian from then on
    julian,
    noleap,
    all_leap,
    day360,
    none ///< counted as in proleptic_gregorian, where a date is needed
};

/// By CF's names: standard (gregorian), proleptic_gregorian, julian, noleap (365_day), all_leap
/// (366_day), 360_day, none; "" is proleptic_gregorian. Throws Error on any other.
Calendar calendar_named(const std::string &name);

struct Date {
    std::int64_t year = 0;
    int month = 1, day = 1;
};

/// Days from a day of the calendar's own, the same for all dates; the date must be one of the calendar.
std::int64_t day_number(Calendar calendar, const Date &date);
Date date_of(Calendar calendar, std::int64_t day);
bool is_date(Calendar calendar, const Date &date);

/// Milliseconds from the beginning of the calendar's day 0 to "2000-01-31T12:00:00.5", also with '_' or
/// a blank for the T, with Z, UTC or an offset such as +01:00 behind it, or without a time of day. Throws
/// Error.
std::int64_t instant_of(const std::string &text, Calendar calendar);
/// To the nearest millisecond. Throws Error.
std::int64_t instant_of(const Time &time);

/// What CF calls the units of a time coordinate: "hours since 2000-01-01 00:00:00".
struct TimeUnits {
    double seconds = 1; ///< of one unit
    std::string epoch;
};
/// Throws Error on units that are none of time, and on those without a length of their own (months, years).
TimeUnits time_units(const std::string &text);

/// A time in these units.
double in_units(const Time &time, const TimeUnits &units);

} // namespace squall::io
