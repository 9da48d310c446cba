/// What to say of a word that nobody knows.
#pragma once

#include <string>
#include <vector>

namespace squall::io {

/// "did you mean shard?" if one of the known words is near, and what else there is.
std::string advice(const std::string &unknown, const std::vector<std::string> &known);

} // namespace squall::io
