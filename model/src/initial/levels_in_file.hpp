/// The levels that a wrfinput file brings.
#pragma once

#include <string>

#include "grid/grid.hpp"

namespace squall {

/// Of a file with `nz` layers. Throws std::runtime_error: the file, and what is wrong or missing.
VerticalGrid levels_in_file(const std::string &file, int nz);

} // namespace squall
