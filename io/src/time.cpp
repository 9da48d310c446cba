/// Model times as text.

#include <chrono>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall::io {
namespace {

using std::chrono::milliseconds;
using Instant = std::chrono::sys_time<milliseconds>;

/// "2000-01-01T00:00:00.5", also with '_' or ' ' for T, an appended Z, or without a time of day.
Instant parse_epoch(const std::string &text) {
    int year = 0, h = 0, min = 0, used = 0;
    unsigned month = 0, day = 0;
    double s = 0;
    char separator = 0;
    const int n = std::sscanf(text.c_str(), "%d-%u-%u%n%c%d:%d:%lf%n", &year, &month, &day, &used, &separator,
                              &h, &min, &s, &used);
    const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month},
                                           std::chrono::day{day}};
    const bool whole = n == 3 || (n == 7 && (separator == 'T' || separator == '_' || separator == ' '));
    const std::string rest = whole ? text.substr(static_cast<std::size_t>(used)) : text;
    const bool in_range = h >= 0 && h < 24 && min >= 0 && min < 60 && s >= 0 && s < 60;
    if (!whole || !(rest.empty() || rest == "Z") || !date.ok() || !in_range)
        throw Error(fmt::format("\"{}\" is not a time; write it as 2000-01-31T12:00:00", text));
    return std::chrono::sys_days{date} + std::chrono::hours{h} + std::chrono::minutes{min} +
           milliseconds{std::llround(s * 1000)};
}

} // namespace

std::string format_time(const Time &time, const std::string &pattern) {
    if (!(std::abs(time.seconds) < 1e15)) throw Error(fmt::format("a time of {} seconds", time.seconds));
    const auto instant = std::chrono::floor<std::chrono::seconds>(
        parse_epoch(time.epoch) + milliseconds{std::llround(time.seconds * 1000)});
    const auto day = std::chrono::floor<std::chrono::days>(instant);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{instant - day};
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            out += pattern[i];
            continue;
        }
        switch (++i < pattern.size() ? pattern[i] : '\0') {
        case 'Y':
            out += fmt::format("{:04d}", static_cast<int>(date.year()));
            break;
        case 'm':
            out += fmt::format("{:02d}", static_cast<unsigned>(date.month()));
            break;
        case 'd':
            out += fmt::format("{:02d}", static_cast<unsigned>(date.day()));
            break;
        case 'H':
            out += fmt::format("{:02d}", clock.hours().count());
            break;
        case 'M':
            out += fmt::format("{:02d}", clock.minutes().count());
            break;
        case 'S':
            out += fmt::format("{:02d}", clock.seconds().count());
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
