/// For files that are given up while a library still has them open.
#pragma once

#include <string>

namespace squall::io {

/// This process's descriptors of a file lead to memory of their own from now on, wherever they are: what a
/// library writes once more when it closes them changes nothing and cannot fail.
void lead_nowhere(const std::string &file);

} // namespace squall::io
