#include "run/text.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace squall {

std::string format_duration(double seconds) {
    if (seconds < 59.95) return fmt::format("{:.4g} s", std::round(seconds * 10) / 10);
    const auto s = static_cast<std::int64_t>(std::llround(seconds));
    const std::int64_t days = s / 86400, h = s / 3600 % 24, m = s / 60 % 60;
    if (days > 0 && s % 86400 == 0) return fmt::format("{} d", days);
    if (days > 0) return fmt::format("{} d {:02}:{:02}:{:02}", days, h, m, s % 60);
    return fmt::format("{}:{:02}:{:02}", h, m, s % 60);
}

std::string format_bytes(double bytes) {
    constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t u = 0;
    for (; bytes >= 999.5 && u + 1 < units.size(); ++u) bytes /= 1000;
    if (u == 0) return fmt::format("{:.0f} B", bytes);
    return fmt::format("{:.{}f} {}", bytes, bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0, units[u]);
}

} // namespace squall
