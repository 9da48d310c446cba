/// The fields of a history that surface layer, boundary layer and land make.
#pragma once

#include <vector>

#include "output/history_fields.hpp"

namespace squall {

/// Empty in a run without surface layer.
std::vector<HistoryField> surface_fields(const Config &config);

} // namespace squall
