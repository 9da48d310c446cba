/// What happens once species have given each other what they do: numbers are bounded, cloud condenses to
/// saturation, rain evaporates; and whether anything does.
#pragma once

#include "physics/thompson/point.hpp"

namespace squall::thompson {

/// False: there is no water but vapour, and not enough of it for cloud or ice.
bool reacts(const Point &x);

/// There is no cloud, and much less vapour than saturation over water, which was `over_water` at a
/// temperature [K] and changes by 16 % per kelvin at most.
bool far_from_cloud(const Point &x, double over_water, double temperature);

/// Numbers of droplets, crystals and drops that sizes allow for; traces vanish. `density` [kg m-3].
void balance(Point &x, double density);

/// Droplets [m-3] that a cloud of this content [kg m-3] may have: not smaller than 1 micrometre in the mean
/// nor larger than 100, and no more than most_droplets.
double bounded_droplets(double content, double number);

/// Condensation or evaporation of cloud to saturation over water; the amount [kg kg-1].
double condense(Point &x);

/// What WRF counts of a cloud `before` the step [kg kg-1] of which a part froze, so that `cloud` with
/// `droplets_left` [kg-1] was left, and the rest has evaporated. WRF adds up rates in single precision, with
/// fused multiply-add where the processor has it: every other cell keeps a trace of cloud. Of its droplets
/// WRF subtracts those that froze, and then all of them as evaporated: fewer than none are left. Where the
/// trace freezes too, below -38 C, ice loses as many crystals, which are nearly all it has. `density` [kg
/// m-3].
void leave_trace(Point &x, double before, double cloud, double droplets_left, double density, double dt);

/// The same where droplets are counted: as many form of the aerosol as the updraught [m s-1] activates, and
/// those that evaporate give it back (TE14, section 2b).
double condense_on_aerosol(Point &x, double updraught, double dt);

/// Evaporation of rain (Srivastava and Coen 1992); drops that vanish leave aerosol. `graupel_melts`: then
/// some of it is on graupel, which is colder, and evaporates slowly.
void evaporate_rain(Point &x, bool graupel_melts, double dt);

/// Ice above the melting point melts, cloud below -38 C freezes.
void settle_phase(Point &x);

} // namespace squall::thompson
