/// Physical constants in SI units, with the values WRF uses, so that both solve
/// the same equations to the last digit of the constants.
#pragma once

#include "core/real.hpp"

namespace squall::constants {

inline constexpr real g = real(9.81);                ///< gravity [m s-2]
inline constexpr real r_d = real(287.0);             ///< gas constant of dry air [J kg-1 K-1]
inline constexpr real r_v = real(461.6);             ///< gas constant of water vapour [J kg-1 K-1]
inline constexpr real c_p = real(7.0 * 287.0 / 2.0); ///< specific heat at constant pressure [J kg-1 K-1]
inline constexpr real c_v = c_p - r_d;               ///< specific heat at constant volume [J kg-1 K-1]
inline constexpr real kappa = r_d / c_p;             ///< R/cp
/// Moist potential temperature is theta (1 + rv_over_rd q_v), q_v the mixing ratio of vapour.
inline constexpr real rv_over_rd = r_v / r_d;
/// Virtual temperature is T (1 + virtual_factor q), q the specific humidity or, as many schemes have it, q_v.
inline constexpr real virtual_factor = r_v / r_d - 1;
inline constexpr real cp_over_cv = real(1.4);        ///< cp/cv
inline constexpr real p0 = real(1.0e5);              ///< reference pressure [Pa]
inline constexpr real theta0 = real(300.0);          ///< offset of perturbation potential temperature [K]
inline constexpr real earth_radius = real(6.370e6);  ///< [m]
inline constexpr real omega_earth = real(7.2921e-5); ///< angular speed of the Earth [s-1]

} // namespace squall::constants
