/// Saturation over what is water above 267 K, ice below 240 K, and a mixture between.
#pragma once

#include "core/real.hpp"

namespace squall::mynn_edmf {

/// Mixing ratio of saturated air [kg kg-1] at this temperature [K] and pressure [Pa]; the vapour's pressure
/// is that of Flatau et al. (1992, J. Appl. Meteor. 31, 1507-1513).
real saturation(real temperature, real pressure);

/// Latent heat of what forms then [J kg-1]: water above 273.15 K, ice below 240 K.
real latent_heat(real temperature);

} // namespace squall::mynn_edmf
