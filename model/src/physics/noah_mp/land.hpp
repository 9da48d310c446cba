/// A step of land with soil, leaves and snow, and one of a glacier.
#pragma once

#include "physics/noah_mp/column.hpp"

namespace squall::noah_mp {

/// How far a layer of soil meets what plants want: 0 to 1.
/// moisture: of its liquid water [m3 m-3] between wilting point and reference. potential: of the water's
/// potential between that of saturated soil and that at which they wilt, Oleson et al. (2004,
/// NCAR/TN-461+STR), equation 8.10. ssib: 1 - exp(-5.8 (ln(150 m) - ln(-potential))), Xue et al. (1991, J.
/// Climate 4, 345-364), with one sensitivity for all vegetation.
real met_by_soil(LandOptions::Stress stress, const noah::Soil &soil, real liquid);

Fluxes advance_land(const Site &site, const Air &air, bool as_wrf, Column &column);

/// Ice of the land, under snow or bare: Column::liquid and moisture (1) are its melted water and all of it.
Fluxes advance_glacier(const Site &site, const Air &air, bool as_wrf, Column &column);

} // namespace squall::noah_mp
