/// What happens once species have given each other what they do: numbers are bounded, cloud condenses to
/// saturation, rain evaporates.
#pragma once

#include "physics/thompson/point.hpp"

namespace squall::thompson {

/// Numbers of droplets, crystals and drops that sizes allow for; traces vanish. `density` [kg m-3].
void balance(Point &x, double density);

/// Condensation or evaporation of cloud to saturation over water; the amount [kg kg-1].
double condense(Point &x);

/// Evaporation of rain (Srivastava and Coen 1992). `graupel_melts`: then some of it is on graupel, which
/// is colder, and evaporates slowly.
void evaporate_rain(Point &x, bool graupel_melts, double dt);

/// Ice above the melting point melts, cloud below -38 C freezes.
void settle_phase(Point &x);

} // namespace squall::thompson
