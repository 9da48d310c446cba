/// What a run file says of how land with leaves of its own computes its processes.
#pragma once

#include <string>

namespace squall {

/// [land]: of physics.land = "noah-mp".
struct LandConfig {
    std::string leaf_area = "table";       ///< table | file
    std::string leaf_cover = "most";       ///< most | season | leaf-area
    std::string water_stress = "moisture"; ///< moisture | potential | ssib
    std::string runoff = "free-drainage";  ///< free-drainage | groundwater
    std::string frozen_soil = "niu-yang";  ///< niu-yang | koren
    std::string snowfall = "jordan";       ///< jordan | bats | freezing

    bool reads_leaf_area() const { return leaf_area == "file"; }
    bool has_groundwater() const { return runoff == "groundwater"; }
};

} // namespace squall
