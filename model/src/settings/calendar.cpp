#include "settings/calendar.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace squall {
namespace {

using namespace std::chrono;

constexpr const char *how_to = "write it as \"2000-01-01T00:00:00\"";

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
    throw std::invalid_argument(fmt::format("\"{}\" {}; {}", text, why, how_to));
}

/// Takes the fields of a time off the front of its text.
class TimeReader {
  public:
    explicit TimeReader(std::string_view text) : whole_(text), rest_(text) {}

    /// A number of exactly `digits` digits.
    int number(std::size_t digits) {
        int value = 0;
        if (rest_.size() < digits) refuse(whole_, "is not a calendar time");
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + digits, value);
        if (error != std::errc() || end != rest_.data() + digits || rest_[0] == '-')
            refuse(whole_, "is not a calendar time");
        rest_.remove_prefix(digits);
        return value;
    }

    /// Takes the next character if it is one of `characters`.
    bool take(std::string_view characters) {
        if (rest_.empty() || characters.find(rest_[0]) == std::string_view::npos) return false;
        rest_.remove_prefix(1);
        return true;
    }

    void expect(std::string_view characters) {
        if (!take(characters)) refuse(whole_, "is not a calendar time");
    }

    /// Digits after the decimal point of the seconds.
    milliseconds fraction() {
        if (!take(".")) return milliseconds{0};
        double scale = 1000, sum = 0;
        if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') refuse(whole_, "is not a calendar time");
        for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; rest_.remove_prefix(1))
            sum += (scale /= 10) * (rest_[0] - '0');
        return milliseconds{std::llround(sum)};
    }

    bool done() const { return rest_.empty(); }

  private:
    std::string_view whole_, rest_;
};

milliseconds read_time_of_day(TimeReader &reader, std::string_view text) {
    const int hour = reader.number(2);
    reader.expect(":");
    const int minute = reader.number(2);
    const int second = reader.take(":") ? reader.number(2) : 0;
    const milliseconds fraction = reader.fraction();
    if (hour > 23 || minute > 59 || second > 59) refuse(text, "has an invalid time of day");
    return hours{hour} + minutes{minute} + seconds{second} + fraction;
}

/// What one letter after "%" stands for.
std::string expand(char letter, CalendarTime time, std::string_view pattern) {
    const sys_days day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss<milliseconds> clock{time - day};
    switch (letter) {
    case 'Y':
        return fmt::format("{:04}", int(date.year()));
    case 'm':
        return fmt::format("{:02}", unsigned(date.month()));
    case 'd':
        return fmt::format("{:02}", unsigned(date.day()));
    case 'H':
        return fmt::format("{:02}", clock.hours().count());
    case 'M':
        return fmt::format("{:02}", clock.minutes().count());
    case 'S':
        return fmt::format("{:02}", clock.seconds().count());
    case '%':
        return "%";
    default:
        throw std::invalid_argument(fmt::format(
            "\"%{}\" in \"{}\" is not a part of a time; use %Y %m %d %H %M %S %%", letter, pattern));
    }
}

} // namespace

CalendarTime parse_time(std::string_view text) {
    TimeReader reader(text);
    const int y = reader.number(4);
    reader.expect("-");
    const int m = reader.number(2);
    reader.expect("-");
    const int d = reader.number(2);
    const year_month_day date{year{y}, month{unsigned(m)}, day{unsigned(d)}};
    if (y < 1 || !date.ok()) refuse(text, "is not a calendar date");
    milliseconds of_day{0};
    if (reader.take("T _")) of_day = read_time_of_day(reader, text);
    reader.take("Z");
    if (!reader.done()) refuse(text, "is not a calendar time");
    return sys_days{date} + of_day;
}

CalendarTime add_seconds(CalendarTime time, double s) { return time + milliseconds{std::llround(s * 1000)}; }

double share_of_year(CalendarTime time) {
    const year now = year_month_day(floor<days>(time)).year();
    const sys_days begin = now / January / 1, end = (now + years(1)) / January / 1;
    return duration<double>(time - begin) / duration<double>(end - begin);
}

std::string format_time(CalendarTime time, std::string_view pattern) {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            text += pattern[i];
        } else {
            const char letter = i + 1 < pattern.size() ? pattern[++i] : ' ';
            text += expand(letter, time, pattern);
        }
    }
    return text;
}

std::string format_iso(CalendarTime time) {
    const auto fraction = (time - floor<seconds>(time)).count();
    return format_time(time, "%Y-%m-%dT%H:%M:%S") + (fraction ? fmt::format(".{:03}", fraction) : "");
}

} // namespace squall
