/// How fast what there is of a species falls, in several layers at once (T08, table A1).
#pragma once

#include "physics/thompson/point.hpp"

namespace squall::thompson {

/// Layers that hold the species.
struct Falling {
    Lanes thinness; ///< sqrt(rho0 / rho)
    Lanes celsius;
    Lanes content, number; ///< [kg m-3], [m-3]
};

/// Means by mass and by number [m s-1].
struct Speeds {
    Lanes mass, number;
};

void rain_speeds(const Falling &f, Speeds &s);
void ice_speeds(const Falling &f, Speeds &s);
/// Of the distribution's two parts, where it neither melts nor rimes.
void snow_speeds(const Falling &f, Speeds &s);
void graupel_speeds(const Falling &f, Speeds &s);

} // namespace squall::thompson
