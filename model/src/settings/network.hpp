/// Streams that leave no files.
#pragma once

#include <string>

namespace squall {

/// Whether an engine sends frames over the network instead of keeping them.
bool goes_over_network(const std::string &engine);

} // namespace squall
