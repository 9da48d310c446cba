/// Parameters of the scheme. HL06: Hong and Lim (2006, J. Korean Meteor. Soc. 42, 129-151);
/// HDC04: Hong, Dudhia and Chen (2004, MWR 132, 103-120); DHL08: Dudhia, Hong and Lim (2008, J. Meteor.
/// Soc. Japan 86A, 33-44); LFO83: Lin, Farley and Orville (1983, J. Climate Appl. Meteor. 22, 1065-1092).
#pragma once

#include "core/constants.hpp"

namespace squall::wsm6 {

inline constexpr real pi = real(3.14159265358979);

inline constexpr real c_vapour = 4 * constants::r_v;   ///< specific heat at constant pressure [J kg-1 K-1]
inline constexpr real c_liquid = 4190, c_solid = 2106; ///< of water, of ice
inline constexpr real l_v0 = real(2.5e6);              ///< heat of vaporisation at the melting point [J kg-1]
inline constexpr real l_f0 = real(3.5e5);              ///< of fusion
inline constexpr real l_s = l_v0 + l_f0;               ///< of sublimation, at any temperature

inline constexpr real t0 = real(273.15);       ///< melting point [K]
inline constexpr real triple = t0 + real(.01); ///< [K]
inline constexpr real e_triple = real(610.78); ///< saturation vapour pressure there [Pa]
inline constexpr real rho0 = real(1.28);       ///< reference density of air [kg m-3]
inline constexpr real rho_water = 1000;        ///< [kg m-3]
inline constexpr real q_least = real(1e-9);    ///< least precipitation that collects [kg kg-1]
inline constexpr real q_trace = real(1e-15);   ///< of cloud, what is no more than this is none
inline constexpr real longest_step = 120;      ///< [s]
inline constexpr real droplets = real(3e8);    ///< concentration of cloud droplets [m-3]

// Precipitation: N(D) = n0 exp(-lambda D), fall speed a D^b sqrt(rho0 / rho) (HL06, table 1).
inline constexpr real rain_n0 = real(8e6), rain_a = real(841.9), rain_b = real(0.8);
inline constexpr real snow_n0 = real(2e6), snow_a = real(11.72), snow_b = real(0.41), snow_density = 100;
inline constexpr real snow_n0_most = real(1e11), snow_n0_rate = real(0.12); ///< HDC04, equation 6
inline constexpr real graupel_n0 = real(4e6), graupel_a = 330, graupel_b = real(0.8), graupel_density = 500;
// 1 / lambda of what is too little to collect [m].
inline constexpr real rain_least = real(1 / 8e4), snow_least = real(1 / 1e5), graupel_least = real(1 / 6e4);

// Gamma functions of the exponents b = 0.8 (rain, graupel) and 0.41 (snow): as WRF has them, of 10^4
// factors of Weierstrass' product, which is 0.04 to 0.23 % less than the whole of it.
inline constexpr real gamma_3_8 = real(4.690749), gamma_3_41 = real(3.0114555);
inline constexpr real gamma_4_8 = real(17.81771), gamma_4_41 = real(10.265534);
inline constexpr real gamma_6_8 = real(495.46457);
inline constexpr real gamma_2_9 = real(1.8265808), gamma_2_705 = real(1.5503021);

// Cloud ice (HDC04, equations 5a-5c): D = 11.9 sqrt(mass), V = 1.49e4 D^1.31.
inline constexpr real ice_diameter = real(11.9);
inline constexpr real ice_diameter_most = real(500e-6); ///< [m]
inline constexpr real of_any_size = 1;                  ///< [m], no bound

} // namespace squall::wsm6
