/// A point of moist air and what the rates of the scheme depend on there.
#pragma once

#include <array>

#include "physics/microphysics_scheme.hpp"
#include "physics/saturation.hpp"
#include "physics/wsm6/constants.hpp"

namespace squall::wsm6 {

/// Mixing ratios [kg kg-1] by Water.
struct Mixture {
    std::array<real, 6> q;
    real &operator[](Water w) { return q[static_cast<std::size_t>(w)]; }
    real operator[](Water w) const { return q[static_cast<std::size_t>(w)]; }
    real condensate() const { return q[1] + q[2] + q[3] + q[4] + q[5]; }
};

struct Point {
    real temperature; ///< [K]
    real pressure;    ///< [Pa]
    real density;     ///< [kg m-3]
    Mixture q;
};

/// A vapour excess over saturation `qs` that phase change takes up until the air, which it warms, is
/// just saturated; negative where the air can take up water (one Newton step).
real adjustable(real vapour, real qs, real latent_heat, real temperature);

/// An exponential size distribution of precipitation.
struct Particles {
    real n0 = 0;                 ///< intercept [m-4]
    real l1 = 0, l2 = 0, l3 = 0; ///< powers 1 to 3 of 1 / lambda [m]; 0 where there is none
    real lb = 0;                 ///< 1 / lambda to the power b of the fall speed
    real speed = 0;              ///< mass-weighted fall speed [m s-1]

    bool any() const { return l1 > 0; }
};

Particles rain_of(real q, real density);
Particles snow_of(real q, real density, real temperature);
Particles graupel_of(real q, real density);

/// Cloud ice, all crystals of a size (HDC04, equations 5a-5c).
struct Crystals {
    real number = 0;   ///< [m-3]
    real diameter = 0; ///< [m]
    real speed = 0;    ///< [m s-1]
};

Crystals ice_of(real q, real density);

/// Properties of the air that the growth of particles from vapour depends on.
struct Air {
    real cold;             ///< t0 - temperature [K]
    real thinness;         ///< sqrt(rho0 / density)
    real conductivity;     ///< of heat [W m-1 K-1]
    real ventilation;      ///< Sc^(1/3) nu^(-1/2) (rho0 / density)^(1/4), LFO83 equation 32
    real qs_water, qs_ice; ///< saturation mixing ratios
    real resistance_water; ///< density times A + B of D89 (equations B5 and B6), over water [s m-2]
    real resistance_ice;   ///< over ice
};

Air air_of(const Point &x);

/// Diameter times ventilation of all particles in a volume, times 2 pi [m-2]: what vapour and heat
/// pass through (the brackets of LFO83, equations 31, 32, 46, 47 and 52).
real ventilated_rain(const Particles &p, const Air &air);
real ventilated_snow(const Particles &p, const Air &air);
real ventilated_graupel(const Particles &p, const Air &air);

} // namespace squall::wsm6
