/// The fields that a history can hold: WRF's names, with CF's where CF has one.
#pragma once

#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "grid/state.hpp"
#include "output/geolocation.hpp"
#include "output/location.hpp"

namespace squall {

/// What the points of a history come from.
struct HistorySource {
    const State &state;
    const Array3 &p;    ///< perturbation pressure [Pa]
    const Array2 &psfc; ///< pressure at the surface [Pa]
    const Grid &grid;
    const Geolocation &faces;
};

struct HistoryField {
    std::string name, description, units;
    std::string standard_name; ///< of CF; empty where CF has none
    Location where;
    Points (*points)(const HistorySource &);
};

/// In the order in which they are written. Times, XTIME and ITIMESTEP are in every history besides.
const std::vector<HistoryField> &history_fields();

} // namespace squall
