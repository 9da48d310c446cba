/// Analytic dry atmospheres at rest in hydrostatic balance, for built-in cases.
#pragma once

#include <functional>

namespace squall {

/// Height in m above the level where the pressure is p0 = 1000 hPa, pressure in Pa, potential
/// temperature in K.
struct Sounding {
    std::function<double(double z)> theta;
    std::function<double(double z)> pressure; ///< not positive or not a number above the atmosphere's end
    std::function<double(double p)> height;
};

/// theta = theta0 exp(n^2 z / g): constant buoyancy frequency n [s-1]; neutral for n = 0.
/// Exner function of Skamarock and Klemp (1994), the integral of d pi / dz = -g / (cp theta).
Sounding constant_stability(double theta0, double n);

/// Temperature t [K] at every height: constant stability with n^2 = g^2 / (cp t).
Sounding isothermal(double t);

/// Temperature t0 - lapse z, lapse in K/m, not 0.
Sounding constant_lapse(double t0, double lapse);

} // namespace squall
