/// What species give each other at a point: T08, section 2; T04, appendix A; TE14, section 2, of aerosols.
#pragma once

#include "physics/thompson/point.hpp"
#include "physics/thompson/tables.hpp"

namespace squall::thompson {

/// Rates of change of contents [kg m-3 s-1] and numbers [m-3 s-1]; >= 0 unless said otherwise.
struct Growth {
    // Cloud.
    double autoconversion = 0, autoconverted_drops = 0, autoconverted_droplets = 0;
    double to_rain = 0, droplets_to_rain = 0;         ///< collected by rain
    double to_snow = 0, droplets_to_snow = 0;         ///< by snow, which stays snow
    double to_rimed_snow = 0;                         ///< by snow that becomes graupel
    double to_graupel = 0, droplets_to_graupel = 0;   ///< by graupel
    double cloud_freezing = 0, droplets_freezing = 0; ///< to ice
    // Rain.
    double drops_merging = 0;                         ///< drops collected by drops; negative: they break up
    double rain_to_ice = 0, drops_to_ice = 0;         ///< freezing of small drops
    double rain_to_graupel = 0, drops_to_graupel = 0; ///< of large ones
    // Vapour; negative where it is set free.
    double nucleation = 0, nuclei = 0;
    double haze_freezing = 0, haze_frozen = 0; ///< water-friendly aerosol that has taken up water, to ice
    double ice_growth = 0, crystals_growing = 0;
    double ice_growth_to_snow = 0, snow_growth = 0, graupel_growth = 0;
    // Ice.
    double ice_to_snow = 0, crystals_to_snow = 0;     ///< those that are large
    double collected_ice = 0, collected_crystals = 0; ///< by snow
    double ice_in_rain = 0, crystals_in_rain = 0;     ///< by rain, to graupel
    double rain_on_ice = 0, drops_on_ice = 0;         ///< with the rain that collects it
    double graupel_of_ice = 0;                        ///< what the two make
    double splinters = 0, splinters_of_snow = 0, splinters_of_graupel = 0, splinter_number = 0;
    // Collisions of rain with snow and graupel: what each gains, of either sign.
    double rain_by_snow = 0, snow_by_rain = 0, graupel_by_both = 0, drops_on_snow = 0;
    double rain_by_graupel = 0, graupel_by_rain = 0, drops_on_graupel = 0;
    // Melting.
    double snow_melting = 0, drops_of_snow = 0, graupel_melting = 0, drops_of_graupel = 0;

    double water_friendly_swept = 0, ice_friendly_swept = 0; ///< aerosols collected by what falls

    double snow_speed_up = 1; ///< how much faster rimed snow falls
};

/// What the rates depend on beside the point.
struct Step {
    double wet_bulb; ///< temperature of melting particles [K]
    double dt;       ///< [s]
    bool as_wrf;     ///< see Tables::with_graupel, bound and apply
    Counted counted = Counted::no;
};

/// The rates at a point.
Growth growth_of(const Point &x, const Contents &c, const Step &step, const Tables &tables);

/// Bounds rates that together would take more than there is. Rain that freezes with snow or ice makes as
/// much graupel as both lose; as WRF has it, as much as they would have lost had there been enough of
/// them, which makes water.
void bound(Growth &g, const Point &x, const Contents &c, const Step &step);

/// Carries them out over the step, with their heat; as WRF does without that of cloud which melting snow
/// and graupel collect, that becomes ice.
void apply(const Growth &g, Point &x, const Contents &c, const Step &over);

} // namespace squall::thompson
