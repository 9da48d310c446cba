/// Integrated profile functions of the Eta surface layer.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/real.hpp"

namespace squall::eta {

/// zeta = z/L at which they are looked at, as by Janjic (1996).
inline constexpr real least_zeta = -5, most_zeta = 1;

/// In stable air, of momentum and heat: Holtslag and De Bruin (1988, J. Appl. Meteor. 27, 689-704).
inline real psi_stable(real zeta) {
    return real(0.7) * zeta + real(0.75) * zeta * (6 - real(0.35) * zeta) * std::exp(real(-0.35) * zeta);
}

/// What is added to ln(z/z0) for momentum and heat at zeta. Unstable: Paulson (1970, J. Appl. Meteor. 9,
/// 857-861).
inline real psi_momentum(real zeta) {
    if (zeta >= 0) return psi_stable(zeta);
    const real x = std::sqrt(std::sqrt(1 - 16 * zeta));
    return -2 * std::log((x + 1) / 2) - std::log((x * x + 1) / 2) + 2 * std::atan(x) -
           std::numbers::pi_v<real> / 2;
}
inline real psi_heat(real zeta) {
    if (zeta >= 0) return psi_stable(zeta);
    return -2 * std::log((std::sqrt(1 - 16 * zeta) + 1) / 2);
}

/// A logarithmic profile from z0 to z, corrected for stability: ln(z/z0) + psi(z/L) - psi(z0/L), with
/// `per_metre` = 1/L. The lower end is bounded as that of the lowest layer's profile is, whose upper end is
/// `ratio` times as high as z0.
template <class Psi> real profile(real z, real z0, real ratio, real per_metre, Psi psi) {
    const real top = std::clamp(z * per_metre, least_zeta, most_zeta);
    const real bottom = std::clamp(z0 * per_metre, least_zeta / ratio, most_zeta / ratio);
    return psi(top) - psi(bottom) + std::log(z / z0);
}

} // namespace squall::eta
