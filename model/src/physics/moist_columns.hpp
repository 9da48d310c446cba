/// Columns of moist air as a microphysics scheme sees them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "physics/column.hpp"

namespace squall {

/// Water in the forms that schemes may tell apart, in the order of a run's scalars.
enum class Water { vapour, cloud, rain, ice, snow, graupel };

/// Particles that a scheme counts, too; in the order of a run's scalars. The last three are what droplets
/// form on, and crystals.
enum class Number { rain, ice, snow, graupel, droplets, nuclei, water_friendly, ice_friendly };
inline constexpr std::array all_numbers{Number::rain,           Number::ice,         Number::snow,
                                        Number::graupel,        Number::droplets,    Number::nuclei,
                                        Number::water_friendly, Number::ice_friendly};

/// A batch of columns at the end of a time step. Mixing ratios are per mass of dry air and may come
/// in slightly negative from transport; species the scheme does not declare have a null origin.
struct MoistColumns {
    int n = 0;                   ///< columns, at most columns_at_a_time
    int nz = 0;                  ///< layers
    real dt = 0;                 ///< [s]
    bool as_wrf = false;         ///< WRF's forms where the scheme's differ on purpose
    ConstColumns exner;          ///< (p / p0)^(R/cp)
    ConstColumns pressure;       ///< [Pa]
    ConstColumns density;        ///< of dry air [kg m-3]
    ConstColumns mass;           ///< of dry air in layers [kg m-2]: what falls is shared out by it
    ConstColumns depth;          ///< of layers [m]
    ConstColumns height;         ///< of the middle of layers [m]
    ConstColumns updraught = {}; ///< vertical wind at the lower faces of layers [m s-1]
    Columns theta;               ///< potential temperature [K], to be advanced
    Columns vapour, cloud, rain; ///< [kg kg-1], to be advanced
    Columns ice, snow, graupel;  ///< [kg kg-1], to be advanced
    Columns rain_number = {}, ice_number = {}; ///< particles [kg-1], to be advanced
    real *rain_sum = nullptr;    ///< precipitation of all kinds at the ground [mm], to be added to
    real *snow_sum = nullptr;    ///< of it snow and ice [mm]
    real *graupel_sum = nullptr; ///< of it graupel [mm]
    Columns snow_number = {}, graupel_number = {};  ///< particles [kg-1], to be advanced
    Columns droplet_number = {}, nuclei = {};       ///< likewise
    Columns water_friendly = {}, ice_friendly = {}; ///< likewise
    const real *land = nullptr;           ///< 1 on land and sea ice, 0 on water; null: there is only land
    const real *aerosol_source = nullptr; ///< water-friendly [kg-1 s-1]; null, or below 0: as usual
};

/// In how many parts of equal length a scheme goes through a step of dt seconds.
inline int parts_of_step(real dt, real longest_step) {
    return std::max(1, static_cast<int>(std::lround(dt / longest_step)));
}

} // namespace squall
