/// The fields that a history can hold: WRF's names, with CF's where CF has one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnostics/derivation.hpp"
#include "diagnostics/since_last_frame.hpp"
#include "grid/grid.hpp"
#include "grid/physics_state.hpp"
#include "grid/state.hpp"
#include "output/carried.hpp"
#include "output/diagnosed.hpp"
#include "output/geolocation.hpp"
#include "output/location.hpp"
#include "settings/config.hpp"

namespace squall {

/// What the points of a history come from.
struct HistorySource {
    const State &state;
    const PhysicsState &physics;
    const Array3 &p, &al; ///< perturbation pressure [Pa] and inverse density [m3 kg-1]
    Diagnosed *diagnosed; ///< of the same moment
    const Grid &grid;
    const Geolocation &faces;
    const Carried &carried;
    Derivation *derivation; ///< of the air of the frame; only derived fields ask
    SinceLastFrame *since;  ///< only running fields ask
    double hours_since;     ///< the last frame
    Rows rows = {};         ///< of T, where these alone are wanted now
};

struct HistoryField {
    std::string name, description, units;
    std::string standard_name; ///< of CF; empty where CF has none
    Location where;
    std::function<FieldPoints(const HistorySource &)> points;
    bool by_default = true; ///< whether a history that names no fields has it
    io::Type type = io::Type::f32;
    bool carried = false;                  ///< whether its points are those of the initial file
    bool fixed = false;                    ///< whether its points never change
    std::string cell_methods = {};         ///< of CF, where the points do not stand for moments
    const DerivedField *derived = nullptr; ///< its entry in the table, where it is one of these
    const RunningField *running = nullptr;
};

/// Those that a history of this run can hold, in the order in which they are written. Times, XTIME
/// and ITIMESTEP are in every history besides. Throws io::Error: an initial file that cannot be read.
std::vector<HistoryField> history_fields(const Config &config);

/// Whether State::theta is the potential temperature of moist air.
bool integrates_moist_theta(const Config &config);

} // namespace squall
