/// The fields of a history that clouds, convection, radiation and mountains within cells make.
#pragma once

#include <vector>

#include "grid/scalars.hpp"
#include "output/history_fields.hpp"

namespace squall {

/// What has fallen, and the heat of microphysics. Empty in dry air. `convects`: whether a scheme of cumulus
/// runs.
std::vector<HistoryField> precipitation_fields(const ScalarSet &scalars, bool convects);

/// Empty in a run without radiation.
std::vector<HistoryField> radiation_fields(const Config &config);

/// Of the drag of mountains within cells, components along the grid; empty in a run without it.
std::vector<HistoryField> gravity_wave_fields(const Config &config);

} // namespace squall
