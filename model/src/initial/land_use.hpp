/// What the ground is like by its class of land use: WRF's table for surface layer and slab (LANDUSE.TBL).
#pragma once

#include <string>

#include "core/real.hpp"

namespace squall {

/// Whose classes the numbers are of: 24 of USGS (and playa, lava, white sand), or 20 of IGBP and MODIS as
/// Noah has them.
enum class LandClasses { usgs, modis };

/// By the attribute MMINLU of an initial file; false for others.
bool land_classes(const std::string &mminlu, LandClasses &classes);

struct LandUse {
    real albedo;          ///< 0 to 1
    real availability;    ///< of moisture: evaporation over that of open water
    real emissivity;      ///< of longwave radiation
    real roughness;       ///< for momentum [m]
    real thermal_inertia; ///< [cal cm-2 K-1 s-1/2]
    real snow_effect;     ///< snow multiplies the albedo by 1 and this
};

/// How many classes there are; the class of water, and that of ice. Classes count from 1.
int land_use_count(LandClasses classes);
int water_of(LandClasses classes);
int ice_of(LandClasses classes);

/// Of a class in its summer (15 April to 15 October in the north) or winter.
LandUse land_use(LandClasses classes, int number, bool summer);

/// Whether it is summer on this day of the year (1 to 366) at this latitude [degrees].
bool is_summer(int day, real latitude);

/// Of a calendar time (ISO 8601), 1 for the first of January.
int day_of_year(const std::string &time);

} // namespace squall
