/// What a history says about itself: WRF's global attributes and CF's.
#pragma once

#include <vector>

#include "config/config.hpp"
#include "grid/grid.hpp"
#include "output/history_fields.hpp"
#include "output/subset.hpp"
#include "squall/io.hpp"

namespace squall {

/// Extents and spacing are those of the part of the domain that the file holds.
std::vector<io::Attribute> history_attributes(const Config &config, const Subset &subset, const Grid &grid);

/// A field as io declares it, with WRF's attributes and CF's.
io::Field declare(const HistoryField &field);

/// Times, XTIME and ITIMESTEP.
std::vector<io::Field> declare_time(const std::string &start);

} // namespace squall
