/// Saturation mixing ratios.
#pragma once

#include "core/real.hpp"

namespace squall {

/// Mixing ratio of saturated air [kg kg-1] at this temperature [K] and pressure [Pa]: over water
/// after Bolton (1980, equation 10), over ice after Murray (1967); the same at 273.15 K.
real saturation_over_water(real temperature, real pressure);
real saturation_over_ice(real temperature, real pressure);

/// Specific humidity of air saturated over water as the schemes of Janjic have it: Tetens (1930), without the
/// vapour's share of the pressure.
real saturated_humidity_of_janjic(real temperature, real pressure);

} // namespace squall
