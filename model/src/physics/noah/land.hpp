/// A step of land with soil and vegetation, and one of ice.
#pragma once

#include "physics/noah/column.hpp"

namespace squall::noah {

Fluxes advance_land(const Site &site, Column &column, const Air &air);

/// What ice there is.
enum class Ice { none, glacier, sea };

/// Ice of the land, under at least 0.1 m of snow's water, or 3 m of the sea's, under at least 0.01 m:
/// `column`'s layers of temperature lie in it, its water stays as it is.
Fluxes advance_ice(Ice ice, const Site &site, Column &column, const Air &air);

/// The vapour flux as a humidity of the surface, and the heat flux that its temperature drives.
void finish(Fluxes &fluxes, const Air &air, real heat_per_kelvin, real skin);

} // namespace squall::noah
