/// Words of files on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace squall::io::tools {

/// A line with \\xNN in place of what a terminal would obey and not show: control characters (a new line,
/// too), those that turn the direction of writing, and bytes that are not UTF-8.
std::string printable(std::string_view line);

} // namespace squall::io::tools
