/// Numbers as people read them, in what a run prints.
#pragma once

#include <string>

namespace squall {

/// "45 s", "1:30:00", "2 d 03:20:00"; fractions of a second only below a minute ("2.5 s").
std::string format_duration(double seconds);

/// "512 B", "12.3 MB": decimal prefixes.
std::string format_bytes(double bytes);

} // namespace squall
