/// What the user should know of how a run reads its boundary file.
#pragma once

#include <string>

#include "settings/config.hpp"

namespace squall {

/// Which potential temperature the file is taken to hold, where its header alone does not say so; else "".
/// Throws std::runtime_error as BoundaryFile does.
std::string note_on_boundary(const Config &config);

} // namespace squall
