/// A step of land with soil, leaves and snow, and one of a glacier.
#pragma once

#include "physics/noah_mp/column.hpp"

namespace squall::noah_mp {

Fluxes advance_land(const Site &site, const Air &air, bool as_wrf, Column &column);

/// Ice of the land, under snow or bare: Column::liquid and moisture (1) are its melted water and all of it.
Fluxes advance_glacier(const Site &site, const Air &air, bool as_wrf, Column &column);

} // namespace squall::noah_mp
