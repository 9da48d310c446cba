/// What one layer does to sunlight, in two streams (Meador and Weaver 1980, JAS 37, 630-643, with the
/// coefficients of Zdunkowski, Welch and Korb 1980, Beitr. Phys. Atmosph. 53, 147-166).
#pragma once

#include <algorithm>
#include <cmath>

#include "physics/radiation/attenuation.hpp"

namespace squall::radiation {

/// Parts of what enters a layer; up to 1 together.
struct LayerOfLight {
    double reflected, transmitted;       ///< of diffuse light
    double beam_reflected, beam_diffuse; ///< of the beam, into diffuse light up and down
    double beam;                         ///< of the beam, as beam
};

/// `depth`: optical; `albedo`: of single scattering; `asymmetry`: of its directions; `cosine` of the
/// zenith angle, positive. In double precision, as terms nearly cancel in thin layers.
inline LayerOfLight two_stream(double depth, double albedo, double asymmetry, double cosine) {
    const double gamma1 = (8 - albedo * (5 + 3 * asymmetry)) * 0.25;
    const double gamma2 = 3 * albedo * (1 - asymmetry) * 0.25;
    const double gamma3 = (2 - 3 * cosine * asymmetry) * 0.25, gamma4 = 1 - gamma3;
    const double alpha1 = gamma1 * gamma4 + gamma2 * gamma3, alpha2 = gamma1 * gamma3 + gamma2 * gamma4;
    // Equation 18; at least so much that the solution of no absorption follows without a form of its own.
    double k = std::sqrt(std::max((gamma1 - gamma2) * (gamma1 + gamma2), 1e-8));
    // The beam's solution has 1 - (k mu)^2 in the denominator and is smooth there: step aside.
    const double gap = 1 - k * cosine * k * cosine;
    k = std::abs(gap) < 1e-4 ? k * 1.0002 : k;
    const double k_mu = k * cosine;
    const double e = attenuation(k * depth), e2 = e * e, beam = attenuation(depth / cosine);
    const double common = 1 / (k * (1 + e2) + gamma1 * (1 - e2)); // equations 25 and 26
    const double of_beam = albedo * common / (1 - k_mu * k_mu);   // equations 14 and 15
    const double up =
        of_beam * ((1 - k_mu) * (alpha2 + k * gamma3) - (1 + k_mu) * (alpha2 - k * gamma3) * e2 -
                   2 * (k * gamma3 - alpha2 * k_mu) * e * beam);
    const double down =
        -of_beam * ((1 + k_mu) * (alpha1 + k * gamma4) * beam -
                    (1 - k_mu) * (alpha1 - k * gamma4) * e2 * beam - 2 * (k * gamma4 + alpha1 * k_mu) * e);
    const double lost = 1 - beam, reflected = std::min(std::max(up, 0.0), lost);
    return {common * gamma2 * (1 - e2), common * 2 * k * e, reflected,
            std::min(std::max(down, 0.0), lost - reflected), beam};
}

} // namespace squall::radiation
