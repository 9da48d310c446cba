/// The closure's numbers: constants and stability functions of Nakanishi and Niino (2009).
#pragma once

#include <algorithm>
#include <cmath>

#include "core/real.hpp"

namespace squall::mynn {

// From large eddies of convective, neutral and stable boundary layers.
inline constexpr real b1 = 24, b2 = 15, c2 = real(0.75), c3 = real(0.352), c5 = real(0.2);
inline constexpr real gamma_1 = real(0.235), prandtl = real(0.74);
inline constexpr real root_b1 = real(2.8844991); // cube root of b1
inline constexpr real a1 = b1 * (1 - 3 * gamma_1) / 6;
inline constexpr real c1 = gamma_1 - 1 / (3 * a1 * root_b1);
inline constexpr real a2 = a1 * (gamma_1 - c1) / (gamma_1 * prandtl);
inline constexpr real gamma_2 = (2 * a1 * (3 - 2 * c2) + b2 * (1 - c3)) / b1;

/// Dimensionless diffusivities S of K = L q S.
struct Stability {
    real momentum, heat;
};

/// Of turbulence whose production balances its dissipation (level 2), at gradient Richardson number `ri`:
/// Mellor and Yamada (1982), with the flux Richardson number that follows from it. Zero from the critical
/// Richardson number on.
inline Stability level_2(real ri) {
    constexpr real f1 = b1 * (gamma_1 - c1) + 2 * a1 * (3 - 2 * c2) + 3 * a2 * (1 - c2) * (1 - c5);
    constexpr real f2 = b1 * (gamma_1 + gamma_2) - 3 * a1 * (1 - c2);
    constexpr real rf1 = b1 * (gamma_1 - c1) / f1, rf2 = b1 * gamma_1 / f2;
    constexpr real critical = gamma_1 / (gamma_1 + gamma_2);
    constexpr real ratio = a1 * f1 / (a2 * f2);
    const real x = std::min(std::max(ri, real(-1e4)), real(10));
    // ratio (rf1 - rf) / (rf2 - rf) = x / rf, the smaller root
    const real half = real(0.5) * (x / ratio + rf1);
    const real root = half - std::sqrt(half * half - x / ratio * rf2);
    const real rf = std::min(root, critical);
    const real heat = 3 * a2 * (gamma_1 + gamma_2) * (critical - rf) / (1 - rf);
    return {ratio * (rf1 - rf) / (rf2 - rf) * heat, heat};
}

/// Of turbulence with a history (level 2.5): gm and gh are L^2/q^2 times the squared shear and times minus
/// the squared buoyancy frequency; `growing` is q over that of level 2, at most 1, by which growing
/// turbulence is weaker (Helfand and Labraga 1988, J. Atmos. Sci. 45, 113-132).
inline Stability level_2_5(real gm, real gh, real growing) {
    const real square = growing * growing;
    const real phi_1 = 1 - 3 * square * a2 * b2 * (1 - c3) * gh;
    const real phi_2 = 1 - 9 * square * a1 * a2 * (1 - c2) * gh;
    const real phi_3 = phi_1 + 9 * square * a2 * a2 * (1 - c2) * (1 - c5) * gh;
    const real phi_4 = phi_1 - 12 * square * a1 * a2 * (1 - c2) * gh;
    const real phi_5 = 6 * square * a1 * a1 * gm;
    const real d = phi_2 * phi_4 + phi_5 * phi_3;
    return {growing * a1 * (phi_3 - 3 * c1 * phi_4) / d, growing * a2 * (phi_2 + 3 * c1 * phi_5) / d};
}

/// Both at one point: shear squared and buoyancy frequency squared [s-2], L [m] and q [m s-1].
inline Stability stability(real shear, real frequency, real length, real q) {
    const Stability balanced = level_2(frequency / std::max(shear, real(1e-10)));
    const real square = length * length;
    const real produced = b1 * square * (balanced.momentum * shear - balanced.heat * frequency);
    const real growing = q * q < produced ? q / std::sqrt(std::max(produced, real(1e-20))) : real(1);
    const real per_q = square / (q * q);
    return level_2_5(per_q * shear, -per_q * frequency, growing);
}

} // namespace squall::mynn
