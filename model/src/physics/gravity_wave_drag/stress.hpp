/// Stress [N m-2] of the flow over and around mountains within a cell.
#pragma once

#include <cmath>

#include "physics/gravity_wave_drag/orography.hpp"

namespace squall::kim_arakawa {

/// The air between the ground and the reference level, and what it flows over.
struct LowLevelFlow {
    real density;   ///< [kg m-3]
    real speed;     ///< of the mean wind [m s-1]
    real frequency; ///< of buoyancy, N [s-1]
    real spacing;   ///< of the grid [m]
    real deviation; ///< of height [m]
    real convexity; ///< OC
    Facing facing;
    real mountains; ///< m
};

/// What waves carry upwards from the reference level (Kim and Arakawa 1995):
///
///     E m / dx rho U^3 / N G, G = Fr^2 OC / (Fr^2 OC + 0.5), E = (OA + 2)^(0.8 Fr), Fr = N sigma OD / U
///
/// with the aspect OD of Choi and Hong (2015). Of low mountains m / dx rho N (sigma OD)^2 U OC / 0.5: as
/// linear hydrostatic waves.
real wave_stress(const LowLevelFlow &flow);

/// Air at an interface, along the low-level wind.
struct Aloft {
    real density;    ///< [kg m-3]
    real speed;      ///< [m s-1], positive
    real frequency;  ///< of buoyancy [s-1]
    real richardson; ///< of the flow without waves, at least 1/4
};

/// The most that waves carry through an interface: with more they break, the Richardson number of waves and
/// flow together falling below 1/4 (Lindzen 1981; Kim and Arakawa 1995).
/// `mountains`: m / dx [m-1]. Inline, so that loops over columns vectorise.
inline real saturation_stress(real mountains, const Aloft &aloft) {
    const real c = 2 + 1 / std::sqrt(aloft.richardson);
    const real froude = 2 * std::sqrt(c) - c; // of the waves, at which they break
    return mountains * aloft.density * aloft.speed * aloft.speed * aloft.speed / aloft.frequency * froude *
           froude;
}

/// What the flow that does not come over the mountains leaves (Kim and Doyle 2005; Choi and Hong 2015):
///
///     rho / 2 m / dx^2 C_d front across depth U^2, C_d = max(2 - 1 / OD, 0)
///
/// depth: of the blocked air above the ground [m].
real blocking_stress(const LowLevelFlow &flow, real depth);

} // namespace squall::kim_arakawa
