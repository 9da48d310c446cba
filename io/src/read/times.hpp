/// When the frames of a file are.
#pragma once

#include <vector>

#include "read/source.hpp"

namespace squall::io {

/// By the file's time coordinate, see Reader::times. Throws Error: there is none, or none that is the one.
std::vector<Time> times_of(const Source &source);

} // namespace squall::io
