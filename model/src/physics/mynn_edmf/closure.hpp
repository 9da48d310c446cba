/// The stability functions, with the turbulent Prandtl number growing in stable air (Canuto et al. 2008, J.
/// Atmos. Sci. 65, 2437-2447; Kitamura 2010, J. Meteor. Soc. Japan 88, 857-864).
#pragma once

#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/constants.hpp"

namespace squall::mynn_edmf {

/// Dimensionless diffusivities S of K = L q S.
struct Stability {
    real momentum, heat;
    real growing = 1; ///< q over that of level 2, at most 1
};

inline real richardson(real shear, real buoyancy) { return -buoyancy / std::max(shear, real(1e-10)); }

/// By which a2 is less.
inline real weakening(real ri) { return 1 / (1 + std::max(ri, real(0))); }

/// Of turbulence whose production balances its dissipation (Nakanishi and Niino 2009, equations 31-34).
inline Stability level_2(real ri) {
    const real a = a2 * weakening(ri);
    const real critical = gamma_1 / (gamma_1 + gamma_2);
    const real f1 = b1 * (gamma_1 - c1) + 3 * a * (1 - c2) * (1 - c5) + 2 * a1 * (3 - 2 * c2);
    const real f2 = b1 * (gamma_1 + gamma_2) - 3 * a1 * (1 - c2);
    const real rf1 = b1 * (gamma_1 - c1) / f1, rf2 = b1 * gamma_1 / f2;
    const real ratio = a1 / a * f1 / f2;
    const real ri2 = rf1 * ratio, sum = ri + ri2;
    const real root = std::sqrt(std::max(sum * sum - 4 * rf2 * ratio * ri, real(0)));
    // The smaller root of a quadratic equation, in the form that loses no digits.
    const real flux = sum > 0 ? 4 * rf2 * ratio * ri / (sum + root) : sum - root;
    const real rf = std::min(flux / (2 * ratio), critical);
    const real heat = 3 * a * (gamma_1 + gamma_2) * (critical - rf) / (1 - rf);
    return {ratio * (rf1 - rf) / (rf2 - rf) * heat, heat};
}

/// Of turbulence with a history: squared shear and minus the squared buoyancy frequency [s-2], L [m], q [m
/// s-1] (Nakanishi and Niino 2009, equations 27-30; what grows is weaker, Helfand and Labraga 1988).
inline Stability stability(real shear, real buoyancy, real length, real q) {
    const real ri = richardson(shear, buoyancy);
    Stability s = level_2(ri);
    const real l2 = length * length, balanced = b1 * l2 * (s.momentum * shear + s.heat * buoyancy);
    s.heat = std::max(s.heat, real(1e-5));
    const real q2 = std::max(q * q, -l2 * buoyancy); // eddies are no larger than stability lets them
    if (q2 < balanced) {
        s.growing = std::sqrt(q2 / balanced);
        s.momentum *= s.growing;
        s.heat *= s.growing;
    } else {
        const real a = a2 * weakening(ri), gm = l2 * shear / q2, gh = l2 * buoyancy / q2;
        const real phi_1 = 1 - 3 * a * b2 * (1 - c3) * gh;
        const real phi_2 = 1 - 9 * a1 * a * (1 - c2) * gh;
        const real phi_3 = phi_1 + 9 * a * a * (1 - c2) * (1 - c5) * gh;
        const real phi_4 = phi_1 - 12 * a1 * a * (1 - c2) * gh;
        const real phi_5 = 6 * a1 * a1 * gm;
        const real d = std::max(phi_2 * phi_4 + phi_3 * phi_5, real(1e-20));
        s.momentum = a1 * (phi_3 - 3 * c1 * phi_4) / d;
        s.heat = a * (phi_2 + 3 * c1 * phi_5) / d;
    }
    s.heat = std::clamp(s.heat, real(0), real(4));
    // No more of momentum than of heat times a Prandtl number (Esau and Grachev 2007).
    const real most = ri >= 1            ? 7 * ri
                      : ri >= real(0.01) ? real(6.873) * ri + 1 / (real(6.873) * ri)
                                         : real(5);
    s.momentum = std::min(s.momentum, most * std::max(s.heat, real(0.02)));
    return s;
}

} // namespace squall::mynn_edmf
