/// What a history says about itself: WRF's global attributes and CF's.
#pragma once

#include <vector>

#include "grid/grid.hpp"
#include "output/history_fields.hpp"
#include "output/subset.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// Extents and spacing are those of the part of the domain that the file holds.
std::vector<io::Attribute> history_attributes(const Config &config, const Subset &subset, const Grid &grid);

/// A field as io declares it, with WRF's attributes and CF's. `once`: whether it is fixed in time if its
/// points never change; `grid_mapping`: the name of that, or empty.
io::Field declare(const HistoryField &field, bool once, const std::string &grid_mapping);

/// Of times in a history: "minutes since 2000-01-01 00:00:00".
std::string time_units(const std::string &start);

/// I_PARENT_START and J_PARENT_START, which a domain that moves has in every frame.
std::vector<io::Field> declare_place();

/// Times, XTIME and ITIMESTEP.
std::vector<io::Field> declare_time(const std::string &start);

} // namespace squall
