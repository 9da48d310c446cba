/// The closure's numbers and those of water, with the values that WRF's scheme uses.
#pragma once

#include "core/constants.hpp"
#include "core/real.hpp"

namespace squall::mynn_edmf {

// Nakanishi and Niino (2009), c2 and c3 as Canuto et al. (2008) and Kitamura (2010) want them, by which
// turbulence has no critical Richardson number.
inline constexpr real b1 = 24, b2 = 15, c2 = real(0.729), c3 = real(0.340), c5 = real(0.2);
inline constexpr real gamma_1 = real(0.235), prandtl = real(0.74);
inline constexpr real root_b1 = real(2.88449914061481660); // cube root of b1
inline constexpr real a1 = b1 * (1 - 3 * gamma_1) / 6;
inline constexpr real c1 = gamma_1 - 1 / (3 * a1 * root_b1);
inline constexpr real a2 = a1 * (gamma_1 - c1) / (gamma_1 * prandtl);
inline constexpr real gamma_2 = b2 / b1 * (1 - c3) + 2 * a1 / b1 * (3 - 2 * c2);

inline constexpr real karman = real(0.4);
inline constexpr real gravity_per_theta = constants::g / 300;       ///< g / theta of reference [m s-2 K-1]
inline constexpr real least_energy = real(1e-5), most_energy = 150; ///< of q^2 [m2 s-2]
inline constexpr real energy_over_momentum = 3;                     ///< K of q^2 over that of momentum

inline constexpr real vaporisation = real(2.5e6), fusion = real(3.5e5); ///< latent heats [J kg-1]
inline constexpr real vaporisation_per_cp = vaporisation / constants::c_p;
inline constexpr real sublimation_per_cp = (vaporisation + fusion) / constants::c_p;
inline constexpr real c_p_vapour = 4 * constants::r_v; ///< [J kg-1 K-1]

} // namespace squall::mynn_edmf
