/// What the air is like where nothing says otherwise: its composition, its ozone, and what lies above the
/// top of a model.
#pragma once

#include "physics/radiation/column.hpp"

namespace squall::radiation {

/// The U.S. Standard Atmosphere (1976) up to 84.852 km of geopotential height.
double standard_temperature(double pressure); ///< [K]
double standard_height(double pressure);      ///< [m]

/// Well-mixed gases in a year (with a fraction), by global means; no water, no ozone. Before 1980 those of
/// 1980, after 2023 those of 2023.
MixingRatios well_mixed(double year);

/// Where and when.
struct Season {
    double latitude = 0, longitude = 0; ///< [degrees]
    double day = 0;                     ///< of the year, from 0
};

/// Ozone above a pressure level [molecules cm-2]: a column after Van Heuklon (1979, Solar Energy 22, 63-68),
/// distributed with height as in Lacis and Hansen (1974, JAS 31, 118-133, equation 17), whose height and
/// depth vary with latitude (docs/explanation/radiation.md).
double ozone_above(const Season &season, double pressure);

/// Sets the ozone of the layers of a column whose pressures are set, from layer `first` on.
void set_ozone(Column &column, const Season &season, int first);

/// Sets it to the analytic profile of tropical air of the intercomparison of radiative-convective equilibria:
/// Wing et al. (2018, GMD 11, 793-813), section 3.
void set_tropical_ozone(Column &column);

/// How many layers add_air_above() wants above an interface at this pressure.
int layers_above(double pressure);

/// Sets the layers of a column from `first` on, and their interfaces: standard air, warmer or colder near its
/// bottom so that it joins, with the gases of the layer below, dry and clear. Of what is below, the interface
/// `first` and the layer under it must be set.
void add_air_above(Column &column, int first);

} // namespace squall::radiation
