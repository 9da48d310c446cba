/// Parameters of the scheme. HL06: Hong and Lim (2006, J. Korean Meteor. Soc. 42, 129-151);
/// HDC04: Hong, Dudhia and Chen (2004, MWR 132, 103-120); LFO83: Lin, Farley and Orville (1983,
/// J. Climate Appl. Meteor. 22, 1065-1092); D89: Dudhia (1989, JAS 46, 3077-3107).
#pragma once

#include "core/constants.hpp"

namespace squall::wsm6 {

inline constexpr real pi = real(3.14159265358979);

// Latent heats that do not depend on temperature, and the heat capacity of dry air: with them
// c_p T + L_v q_v - L_f (q_i + q_s + q_g) of a point is conserved to rounding by every process.
inline constexpr real heat_capacity = constants::c_p; ///< [J kg-1 K-1]
inline constexpr real l_v = real(2.5e6);              ///< vaporisation [J kg-1]
inline constexpr real l_f = real(3.5e5);              ///< fusion
inline constexpr real l_s = l_v + l_f;                ///< sublimation
inline constexpr real c_liquid = 4190;                ///< specific heat of water [J kg-1 K-1]

inline constexpr real t0 = real(273.15);    ///< melting point [K]
inline constexpr real rho0 = real(1.28);    ///< reference density of air [kg m-3]
inline constexpr real rho_water = 1000;     ///< [kg m-3]
inline constexpr real q_least = real(1e-9); ///< least precipitation that has a size distribution
inline constexpr real longest_step = 120;   ///< [s]
inline constexpr real droplets = real(3e8); ///< concentration of cloud droplets [m-3]

// Precipitation: N(D) = n0 exp(-lambda D), fall speed a D^b sqrt(rho0 / rho) (HL06, table 1).
inline constexpr real rain_n0 = real(8e6), rain_a = real(841.9), rain_b = real(0.8);
inline constexpr real snow_n0 = real(2e6), snow_a = real(11.72), snow_b = real(0.41), snow_density = 100;
inline constexpr real snow_n0_most = real(1e11), snow_n0_rate = real(0.12); ///< HDC04, equation 6
inline constexpr real graupel_n0 = real(4e6), graupel_a = 330, graupel_b = real(0.8), graupel_density = 500;

// Gamma functions of the exponents b = 0.8 (rain, graupel) and 0.41 (snow).
inline constexpr real gamma_3_8 = real(4.694174205740421), gamma_3_41 = real(3.013314982995661);
inline constexpr real gamma_4_8 = real(17.837861981813607), gamma_4_41 = real(10.275404092015203);
inline constexpr real gamma_6_8 = real(496.6060775736906);
inline constexpr real gamma_2_9 = real(1.8273550806240353), gamma_2_705 = real(1.5508606820316817);

// Cloud ice (HDC04, equations 5a-5c): D = 11.9 sqrt(mass), V = 1.49e4 D^1.31.
inline constexpr real ice_diameter = real(11.9);
inline constexpr real ice_diameter_most = real(500e-6); ///< [m]

} // namespace squall::wsm6
