/// The fields of a history that say where its points are; they change only where the domain moves.
#pragma once

#include <vector>

#include "output/history_fields.hpp"

namespace squall {

/// Latitudes and longitudes.
std::vector<HistoryField> coordinate_fields();

/// Factors of the map, and how the Earth turns under it.
std::vector<HistoryField> map_fields();

/// The vertical coordinate.
std::vector<HistoryField> level_fields();

} // namespace squall
