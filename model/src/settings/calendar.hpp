/// Model time as calendar time: proleptic Gregorian, UTC, no leap seconds, to the millisecond.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace squall {

using CalendarTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// Reads "2000-01-01T00:00:00" (ISO 8601), "2000-01-01 00:00:00" or WRF's "2000-01-01_00:00:00";
/// years 1 to 9999; the seconds may have a fraction, seconds or the whole time of day may be
/// left out, and "Z" may end it. Throws std::invalid_argument: the text, and what is wrong.
CalendarTime parse_time(std::string_view text);

/// `seconds` after `time`, rounded to the millisecond. |seconds| must be below 1e15.
CalendarTime add_seconds(CalendarTime time, double seconds);

/// Of the year of `time`, what is over: 0 at its beginning, below 1.
double share_of_year(CalendarTime time);

/// Fills a template as strftime does: %Y %m %d %H %M %S, and %% for a percent sign. Seconds are cut
/// to whole ones. Throws std::invalid_argument for another letter after "%".
std::string format_time(CalendarTime time, std::string_view pattern);

/// "2000-01-01T00:00:00", with milliseconds only where they are not 0.
std::string format_iso(CalendarTime time);

} // namespace squall
