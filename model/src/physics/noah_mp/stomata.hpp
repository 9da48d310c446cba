/// How leaves let vapour out while they take up carbon dioxide: Ball et al. (1987) with photosynthesis after
/// Farquhar et al. (1980), as in Niu et al. (2011), equations B1 to B9.
#pragma once

#include "physics/noah_mp/column.hpp"

namespace squall::noah_mp {

/// What photosynthesis hangs on.
struct LeafClimate {
    real light;           ///< visible, that leaves take up over their area [W m-2], of the ground under them
    real temperature;     ///< of leaves [K]
    real saturation;      ///< vapour pressure within them [Pa]
    real vapour_pressure; ///< around them [Pa]
    real air_temperature, pressure; ///< [K], [Pa]
    real moist;                     ///< share of the soil's water that plants want
    real resistance;                ///< of the air around leaves [s m-1]
    bool growing;
};

/// Resistance of stomata [s m-1], of a unit of leaf area.
real stomatal_resistance(const Vegetation &vegetation, const LeafClimate &climate);

} // namespace squall::noah_mp
