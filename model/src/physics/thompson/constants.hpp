/// Parameters of the scheme. T08: Thompson, Field, Rasmussen and Hall (2008, MWR 136, 5095-5115); T04:
/// Thompson, Rasmussen and Manning (2004, MWR 132, 519-542); F05: Field et al. (2005, QJRMS 131, 1997-2017).
#pragma once

#include <cmath>

namespace squall::thompson {

// Everything is found in double precision: rates of change span twenty orders of magnitude.

inline constexpr double pi = 3.1415926536;
inline constexpr double t0 = 273.15;            ///< melting point [K]
inline constexpr double t_homogeneous = 235.16; ///< where cloud freezes whole [K]
inline constexpr double r_air = 287.04;         ///< [J kg-1 K-1]
inline constexpr double r_vapour = 461.5;       ///< [J kg-1 K-1]
inline constexpr double c_p = 1004.0;           ///< of dry air [J kg-1 K-1]
inline constexpr double l_sub = 2.834e6;        ///< heat of sublimation [J kg-1]
inline constexpr double l_vap0 = 2.5e6;         ///< of vaporisation at 0 C
inline constexpr double l_fus = l_sub - l_vap0; ///< of fusion at 0 C
inline constexpr double c_liquid = 4218, c_ice = 2106;
inline constexpr double rho0 = 101325.0 / (287.05 * 298.0); ///< to which fall speeds refer [kg m-3]

inline constexpr double least = 1e-12;       ///< mixing ratio, or content [kg m-3], that is none
inline constexpr double least_number = 1e-6; ///< [m-3]
inline constexpr double tiny = 1e-15;

// Mass of a particle: a D^b. Rain, ice and graupel are spheres; snow has flakes of two dimensions (F05).
inline constexpr double rho_water = 1000, rho_ice = 890, rho_graupel = 400;
inline constexpr double rain_mass = pi * rho_water / 6, ice_mass = pi * rho_ice / 6;
inline constexpr double graupel_mass = pi * rho_graupel / 6, snow_mass = 0.069;

// Fall speed: a D^b exp(-f D) sqrt(rho0 / rho).
inline constexpr double rain_a = 4854, rain_f = 195; // b = 1; Ferrier (1994)
inline constexpr double snow_a = 40, snow_b = 0.55, snow_f = 100;
inline constexpr double graupel_a = 442, graupel_b = 0.89;
inline constexpr double ice_a = 1493.9;         // b = 1
inline constexpr double droplet_a = 0.316946e8; // b = 2

inline constexpr double droplets = 100e6; ///< concentration of cloud droplets [m-3]
inline constexpr double most_droplets = 1999e6,
                        no_droplets = 2;         ///< where they are counted; where there is no cloud
inline constexpr double most_ice_number = 999e3; ///< [m-3]
inline constexpr double new_crystal = 1e-12;     ///< mass of a nucleated crystal [kg]
inline constexpr double haze_crystal = 1e-13;    ///< of one that was haze
inline constexpr double droplet_least = 1e-6;    ///< diameters [m]
inline constexpr double rain_least = 50e-6, snow_least = 300e-6, graupel_least = 350e-6;
inline constexpr double median = 3.672; ///< volume-median diameter times lambda, exponential

// Shape of snow's distribution (F05).
inline constexpr double snow_mu = 0.6357, kap0 = 490.6, kap1 = 17.46, lam0 = 20.78, lam1 = 3.29;

inline constexpr double of_cube = 0.5, of_plate = 0.15; ///< capacitance over diameter
inline constexpr double snow_ice_efficiency = 0.05, rain_snow_efficiency = 0.95;
inline constexpr double rain_graupel_efficiency = 0.75, rain_ice_efficiency = 0.95;
inline constexpr double schmidt = 0.632;
inline constexpr double first_bound = 1e-6; ///< least content in the tables [kg m-3]

} // namespace squall::thompson
