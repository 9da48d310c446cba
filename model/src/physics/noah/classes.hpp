/// Classes of vegetation and soil as Noah knows them: WRF's tables VEGPARM.TBL, SOILPARM.TBL (of Cosby et al.
/// 1984) and GENPARM.TBL.
#pragma once

#include "core/real.hpp"

namespace squall::noah {

/// What a class of vegetation is but for its numbers.
enum class Cover { plants, bare, urban, ice };

/// What changes with the season: without green leaves and with all of them.
struct Range2 {
    real least, most;
};

struct Vegetation {
    Cover cover;
    int roots;        ///< layers of soil that they reach
    real resistance;  ///< least of a canopy, for each leaf area [s m-1]
    real light;       ///< of which the stomata open [W m-2]
    real deficit;     ///< by how much dry air closes them [kg kg-1]^-1
    real snow;        ///< water of a snow that covers everything [m]
    real snow_albedo; ///< of deep snow
    Range2 leaf_area, emissivity, albedo, roughness;
};

struct Soil {
    real exponent;     ///< b of Clapp and Hornberger
    real dry;          ///< below this moisture nothing evaporates from the ground [m3 m-3]
    real porosity;     ///< [m3 m-3]
    real reference;    ///< moisture above which plants lack nothing [m3 m-3]
    real suction;      ///< of saturated soil [m]
    real conductivity; ///< hydraulic, of saturated soil [m s-1]
    real diffusivity;  ///< of water in saturated soil [m2 s-1]
    real wilting;      ///< moisture below which plants draw none [m3 m-3]
    real quartz;       ///< share of the solid
    real limit;        ///< share of saturation from which a step of water is done twice

    real mineral;  ///< conductivity for heat of the solid, to the power of its share of the volume
    real residual; ///< diffusivity of nearly dry soil, over that of saturated soil

    /// Sets these two, which follow from the others.
    void find_powers();
};

/// Rows of vegetations: USGS's 27 classes, then the 20 of IGBP and MODIS.
inline constexpr int usgs_classes = 27, modis_classes = 20;
inline constexpr int soil_classes = 19;
inline constexpr real residual_moisture = real(0.05); ///< of nearly dry soil [m3 m-3]
/// Of soils: water, which land has not, and what stands in for it there.
inline constexpr int water_soil = 14, clay_loam_for_water = 7;

/// Row from 0 on.
Vegetation vegetation(int row);

/// Class from 1 on, of STATSGO and FAO.
Soil soil(int number);

} // namespace squall::noah
