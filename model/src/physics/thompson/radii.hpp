/// How large particles are to radiation: effective radii [um], of as many as the scheme counts (TE14, section
/// 2d).
#pragma once

#include "physics/thompson/point.hpp"

namespace squall::thompson {

/// Of contents and numbers per volume of air [kg m-3], [m-3].
/// 2.5 to 50.
double droplet_radius(double content, double number);
/// 5 to 125.
double crystal_radius(double content, double number);
/// Half the mean diameter by mass, 10 to 999; `celsius`: temperature.
double snow_radius(double content, double celsius);

} // namespace squall::thompson
