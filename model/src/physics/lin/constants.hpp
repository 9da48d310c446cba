/// Parameters of the scheme. LFO83: Lin, Farley and Orville (1983, J. Climate Appl. Meteor. 22, 1065-1092);
/// RH84: Rutledge and Hobbs (1984, JAS 41, 2949-2972); CS02: Chen and Sun (2002, J. Meteor. Soc. Japan 80,
/// 99-118).
#pragma once

#include "core/constants.hpp"

namespace squall::lin {

inline constexpr real pi = real(3.14159265358979);

inline constexpr real l_v = real(2.5e6), l_f = real(3.5e5); ///< heats of vaporisation and fusion [J kg-1]
inline constexpr real l_s = l_v + l_f;                      ///< of sublimation
inline constexpr real c_liquid = 4187, c_solid = 2093;      ///< specific heats [J kg-1 K-1]
inline constexpr real t0 = real(273.15);                    ///< melting point [K]
inline constexpr real rho0 = real(1.29);                    ///< reference density of air [kg m-3]
inline constexpr real q_least = real(1e-8);                 ///< least that falls and collects [kg kg-1]

/// Particles of an exponential size distribution, N(D) = n0 exp(-D / l), that fall with a D^b.
struct Kind {
    real n0;                        ///< [m-4]
    real density;                   ///< [kg m-3]
    real gamma_3, gamma_4, gamma_5; ///< Gamma(3 + b), Gamma(4 + b), Gamma((5 + b) / 2)
};

inline constexpr Kind rain{real(8e6), 1000, real(4.6941742), real(17.837862), real(1.8273551)};   // b = 0.8
inline constexpr Kind snow{real(3e6), 100, real(2.5492570), real(8.2850851), real(1.4569332)};    // b = 0.25
inline constexpr Kind graupel{real(4e6), 400, real(3.3233509), real(11.631728), real(1.6083594)}; // b = 0.5

inline constexpr real rain_a = real(841.99667);  ///< [m^0.2 s-1]
inline constexpr real snow_a = real(4.8360713);  ///< [m^0.75 s-1]
inline constexpr real graupel_drag = real(0.6);  ///< coefficient of hailstones (LFO83)
inline constexpr real drop_at_rest = real(0.78); ///< ventilation (LFO83, equations 31 and 52)
inline constexpr real drop_in_motion = real(0.31);
inline constexpr real ice_mass = real(4.19e-13); ///< of a crystal [kg]
inline constexpr real mass_40 = real(2.46e-10);  ///< of crystals of 40 and 50 micrometres [kg]
inline constexpr real mass_50 = real(4.8e-10);
inline constexpr real diameter_50 = real(1e-4); ///< of the latter: they are named for their radius [m]

} // namespace squall::lin
