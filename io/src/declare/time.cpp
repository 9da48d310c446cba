#include "declare/time.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include <fmt/format.h>

namespace squall::io {
namespace {

constexpr std::int64_t ms_per_day = 86'400'000;
constexpr std::int64_t first_gregorian_day = 2'299'161; ///< Julian day number of 1582-10-15

/// Rounds towards minus infinity, as years before 0 and instants before an epoch need it.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

bool divides(std::int64_t n, std::int64_t year) { return year % n == 0; }

bool is_leap(Calendar calendar, std::int64_t year) {
    switch (calendar) {
    case Calendar::noleap:
    case Calendar::day360:
        return false;
    case Calendar::all_leap:
        return true;
    case Calendar::julian:
        return divides(4, year);
    case Calendar::standard:
        if (year < 1583) return divides(4, year);
        break;
    case Calendar::proleptic_gregorian:
    case Calendar::none:
        break;
    }
    return divides(4, year) && (!divides(100, year) || divides(400, year));
}

int days_in_month(Calendar calendar, std::int64_t year, int month) {
    constexpr std::array<int, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (calendar == Calendar::day360) return 30;
    return days[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap(calendar, year));
}

/// Days before a month in a year that begins in March, whose leap day is its last.
constexpr std::int64_t days_before(std::int64_t month_from_march) { return (153 * month_from_march + 2) / 5; }

/// Julian day number: the days of whole years, plus those of this one. `century` counts the leap days
/// that the Gregorian calendar leaves out.
std::int64_t julian_day(const Date &date, bool gregorian) {
    const std::int64_t year = date.year - (date.month < 3), month = (date.month + 9) % 12;
    const auto days = 365 * year + floor_div(year, 4) + days_before(month) + date.day - 1;
    return gregorian ? days - floor_div(year, 100) + floor_div(year, 400) + 1'721'120 : days + 1'721'118;
}

Date date_of_julian_day(std::int64_t day, bool gregorian) {
    std::int64_t year = 0, of_year = 0; // a year from March on
    if (gregorian) {
        const auto days = day - 1'721'120, era = floor_div(days, 146'097), of_era = days - era * 146'097;
        const auto in_era = (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
        year = era * 400 + in_era;
        of_year = of_era - (365 * in_era + in_era / 4 - in_era / 100);
    } else {
        const auto days = day - 1'721'118, era = floor_div(days, 1461), of_era = days - era * 1461;
        const auto in_era = (of_era - of_era / 1460) / 365;
        year = era * 4 + in_era;
        of_year = of_era - 365 * in_era;
    }
    const auto month = (5 * of_year + 2) / 153;
    return {year + (month >= 10), static_cast<int>(month < 10 ? month + 3 : month - 9),
            static_cast<int>(of_year - days_before(month) + 1)};
}

/// Of a calendar whose years are all alike.
Date date_in_even_years(Calendar calendar, std::int64_t day, std::int64_t days_per_year) {
    Date date{floor_div(day, days_per_year), 1, 1};
    auto rest = static_cast<int>(day - date.year * days_per_year);
    while (rest >= days_in_month(calendar, date.year, date.month)) {
        rest -= days_in_month(calendar, date.year, date.month);
        ++date.month;
    }
    date.day = rest + 1;
    return date;
}

std::int64_t days_per_year(Calendar calendar) {
    return calendar == Calendar::noleap ? 365 : calendar == Calendar::all_leap ? 366 : 360;
}

bool uneven(Calendar calendar) {
    return calendar != Calendar::noleap && calendar != Calendar::all_leap && calendar != Calendar::day360;
}

bool is_gregorian(Calendar calendar) {
    return calendar == Calendar::proleptic_gregorian || calendar == Calendar::none;
}

/// Minutes east of UTC in "", "Z", "UTC", "+01:00", "-3", "+0530"; nothing else is one.
bool parse_zone(const char *text, int &minutes) {
    while (*text == ' ') ++text;
    const std::string zone(text);
    minutes = 0;
    if (zone.empty() || zone == "Z" || zone == "UTC" || zone == "GMT") return true;
    int h = 0, m = 0, used = 0;
    char sign = 0;
    if (std::sscanf(text, "%c%2d:%2d%n", &sign, &h, &m, &used) != 3 &&
        std::sscanf(text, "%c%2d%2d%n", &sign, &h, &m, &used) != 3) {
        m = 0;
        if (std::sscanf(text, "%c%2d%n", &sign, &h, &used) != 2) return false;
    }
    if (static_cast<std::size_t>(used) != zone.size() || (sign != '+' && sign != '-')) return false;
    minutes = (sign == '-' ? -1 : 1) * (h * 60 + m);
    return h >= 0 && h < 24 && m >= 0 && m < 60;
}

/// "T12:00:00.5Z" or nothing: milliseconds of the day.
bool parse_clock(const char *text, std::int64_t &ms) {
    ms = 0;
    if (*text == '\0') return true;
    int h = 0, min = 0, used = 0, zone = 0;
    double s = 0;
    const bool separated = *text == 'T' || *text == '_' || *text == ' ';
    if (separated && std::sscanf(text + 1, "%2d:%2d%n", &h, &min, &used) == 2) {
        text += 1 + used;
        if (*text == ':') {
            if (std::sscanf(text, ":%lf%n", &s, &used) != 1) return false;
            text += used;
        }
    }
    if (h < 0 || h > 23 || min < 0 || min > 59 || !(s >= 0 && s < 60) || !parse_zone(text, zone))
        return false;
    ms = ((h * 60 + min - zone) * 60) * std::int64_t(1000) + std::llround(s * 1000);
    return true;
}

} // namespace

Calendar calendar_named(const std::string &name) {
    static const std::map<std::string, Calendar> names = {
        {"", Calendar::proleptic_gregorian},
        {"proleptic_gregorian", Calendar::proleptic_gregorian},
        {"standard", Calendar::standard},
        {"gregorian", Calendar::standard},
        {"julian", Calendar::julian},
        {"noleap", Calendar::noleap},
        {"365_day", Calendar::noleap},
        {"all_leap", Calendar::all_leap},
        {"366_day", Calendar::all_leap},
        {"360_day", Calendar::day360},
        {"none", Calendar::none}};
    const auto found = names.find(name);
    if (found == names.end())
        throw Error(fmt::format("there is no calendar \"{}\"; choose one of: standard, proleptic_gregorian, "
                                "julian, noleap, all_leap, 360_day, none",
                                name));
    return found->second;
}

std::int64_t day_number(Calendar calendar, const Date &date) {
    if (uneven(calendar)) {
        if (calendar == Calendar::standard) {
            const auto day = julian_day(date, true);
            return day >= first_gregorian_day ? day : julian_day(date, false);
        }
        return julian_day(date, is_gregorian(calendar));
    }
    auto day = date.year * days_per_year(calendar) + date.day - 1;
    for (int m = 1; m < date.month; ++m) day += days_in_month(calendar, date.year, m);
    return day;
}

Date date_of(Calendar calendar, std::int64_t day) {
    if (!uneven(calendar)) return date_in_even_years(calendar, day, days_per_year(calendar));
    return date_of_julian_day(day, calendar == Calendar::standard ? day >= first_gregorian_day
                                                                  : is_gregorian(calendar));
}

bool is_date(Calendar calendar, const Date &date) {
    if (date.month < 1 || date.month > 12 || date.day < 1) return false;
    if (date.day > days_in_month(calendar, date.year, date.month)) return false;
    const bool dropped = calendar == Calendar::standard && date.year == 1582 && date.month == 10 &&
                         date.day > 4 && date.day < 15;
    return !dropped;
}

std::int64_t instant_of(const std::string &text, Calendar calendar) {
    int year = 0, used = 0;
    Date date;
    std::int64_t ms = 0;
    const bool dated = std::sscanf(text.c_str(), "%d-%d-%d%n", &year, &date.month, &date.day, &used) == 3;
    date.year = year;
    if (!dated || !is_date(calendar, date) || !parse_clock(text.c_str() + used, ms))
        throw Error(fmt::format("\"{}\" is not a time; write it as 2000-01-31T12:00:00", text));
    return day_number(calendar, date) * ms_per_day + ms;
}

std::int64_t instant_of(const Time &time) {
    if (!(std::abs(time.seconds) < 1e15)) throw Error(fmt::format("a time of {} seconds", time.seconds));
    return instant_of(time.epoch, calendar_named(time.calendar)) + std::llround(time.seconds * 1000);
}

TimeUnits time_units(const std::string &text) {
    static const std::map<std::string, double> lengths = {{"milliseconds", 1e-3},
                                                          {"millisecond", 1e-3},
                                                          {"msec", 1e-3},
                                                          {"seconds", 1},
                                                          {"second", 1},
                                                          {"sec", 1},
                                                          {"secs", 1},
                                                          {"s", 1},
                                                          {"minutes", 60},
                                                          {"minute", 60},
                                                          {"min", 60},
                                                          {"mins", 60},
                                                          {"hours", 3600},
                                                          {"hour", 3600},
                                                          {"hr", 3600},
                                                          {"hrs", 3600},
                                                          {"h", 3600},
                                                          {"days", 86400},
                                                          {"day", 86400},
                                                          {"d", 86400}};
    constexpr const char *since = " since ";
    const auto at = text.find(since);
    const auto unit = lengths.find(text.substr(0, at));
    if (at == std::string::npos || unit == lengths.end())
        throw Error(fmt::format("\"{}\" are not units of time; write them as \"seconds since 2000-01-01 "
                                "00:00:00\", or with minutes, hours or days",
                                text));
    return {unit->second, text.substr(at + 7)};
}

double in_units(const Time &time, const TimeUnits &units) {
    const auto calendar = calendar_named(time.calendar);
    const auto whole = instant_of(time.epoch, calendar) - instant_of(units.epoch, calendar);
    return (static_cast<double>(whole) / 1000 + time.seconds) / units.seconds;
}

std::string format_time(const Time &time, const std::string &pattern) {
    const auto calendar = calendar_named(time.calendar);
    const auto second = floor_div(instant_of(time), 1000), day = floor_div(second, 86'400);
    const auto date = date_of(calendar, day);
    const auto clock = second - day * 86'400;
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            out += pattern[i];
            continue;
        }
        switch (++i < pattern.size() ? pattern[i] : '\0') {
        case 'Y':
            out += fmt::format("{:04d}", date.year);
            break;
        case 'm':
            out += fmt::format("{:02d}", date.month);
            break;
        case 'd':
            out += fmt::format("{:02d}", date.day);
            break;
        case 'H':
            out += fmt::format("{:02d}", clock / 3600);
            break;
        case 'M':
            out += fmt::format("{:02d}", clock / 60 % 60);
            break;
        case 'S':
            out += fmt::format("{:02d}", clock % 60);
            break;
        case '%':
            out += '%';
            break;
        default:
            throw Error(fmt::format("\"{}\": '%' must be followed by one of Y m d H M S %", pattern));
        }
    }
    return out;
}

} // namespace squall::io
