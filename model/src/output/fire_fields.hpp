/// The fields of a history that a fire makes.
#pragma once

#include <vector>

#include "output/history_fields.hpp"

namespace squall {

/// Under WRF's names, most on the fire's cells; empty in a domain without one.
std::vector<HistoryField> fire_fields(const Config &config);

/// Whether a stream can have fields on the fire's cells: it keeps all of the grid, and makes nothing of it.
bool has_fire_cells(const StreamConfig &stream);

} // namespace squall
