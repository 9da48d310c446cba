/// What one layer does to sunlight, in two streams (Meador and Weaver 1980, JAS 37, 630-643, with the
/// coefficients of Zdunkowski, Welch and Korb 1980, Beitr. Phys. Atmosph. 53, 147-166).
#pragma once

#include <algorithm>
#include <cmath>

#include "physics/radiation/attenuation.hpp"

namespace squall::radiation {

/// Parts of what enters a layer; up to 1 together.
struct LayerOfLight {
    real reflected, transmitted;       ///< of diffuse light
    real beam_reflected, beam_diffuse; ///< of the beam, into diffuse light up and down
    real beam;                         ///< of the beam, as beam
};

/// `absorbed`, `scattered`: optical depths of both; `asymmetry`: of the directions of scattering; `cosine` of
/// the zenith angle, positive.
///
/// Terms of equations 14, 15, 25 and 26 that nearly cancel in thin layers, and where next to nothing is
/// absorbed, are put together first: with L = 1 - e^(-k tau), the differences are products of k, L and what
/// the beam loses, so that single precision holds them.
[[gnu::always_inline]] inline LayerOfLight two_stream(real absorbed, real scattered, real asymmetry,
                                                      real cosine) {
    const real depth = std::max(absorbed + scattered, real(1e-30)), share = 1 / depth;
    const real albedo = scattered * share, rest = absorbed * share;
    const real gamma1 = (8 - albedo * (5 + 3 * asymmetry)) * real(0.25);
    const real gamma2 = 3 * albedo * (1 - asymmetry) * real(0.25);
    const real gamma3 = (2 - 3 * cosine * asymmetry) * real(0.25), gamma4 = 1 - gamma3;
    const real alpha1 = gamma1 * gamma4 + gamma2 * gamma3, alpha2 = gamma1 * gamma3 + gamma2 * gamma4;
    // Equation 18; at least so much that the solution of no absorption follows without a form of its own.
    const real root = std::sqrt(std::max(2 * rest * (gamma1 + gamma2), real(1e-10)));
    // The beam's solution has 1 - (k mu)^2 in the denominator and is smooth there: step aside.
    const real near = 1 - root * cosine * root * cosine;
    const real k = std::abs(near) < real(1e-3) ? root * real(1.001) : root;
    const real k_mu = k * cosine, gap = 1 - k_mu * k_mu;
    const real lost = lost_in(k * depth), left = 1 - lost, lost_twice = lost * (1 + left); // 1 - e^(-2 k tau)
    const real beam_lost = lost_in(depth / cosine), beam = 1 - beam_lost;
    const real denominator = k * (2 - lost_twice) + gamma1 * lost_twice, over = 1 / (denominator * gap);
    const real common = gap * over, of_beam = albedo * over;
    const real up = of_beam * ((1 + k_mu) * (alpha2 - k * gamma3) * lost_twice +
                               2 * k * (gamma3 - alpha2 * cosine) * (lost + beam_lost * left));
    const real down = of_beam * (2 * k * (gamma4 + alpha1 * cosine) * (beam_lost - lost) -
                                 (1 - k_mu) * (alpha1 - k * gamma4) * lost_twice * beam);
    const real reflected = std::min(std::max(up, real(0)), beam_lost);
    return {common * gamma2 * lost_twice, common * 2 * k * left, reflected,
            std::min(std::max(down, real(0)), beam_lost - reflected), beam};
}

} // namespace squall::radiation
