/// Values of options.
#pragma once

#include <optional>
#include <string>

namespace squall::io {

/// A number, with an optional k, M or G for powers of 1024; nothing if it is none.
std::optional<double> number_in(const std::string &text);

} // namespace squall::io
