/// How exactly a field is kept, as run files write it: "absolute 0.01", "relative 1e-3",
/// "packed 0 0.04".
#pragma once

#include <string>

#include "squall/io.hpp"

namespace squall {

/// Throws std::invalid_argument: the text, and what is wanted in its place.
io::Precision parse_precision(const std::string &text);

} // namespace squall
