/// Pressure and density of the acoustic substeps, linear in the departures.
#pragma once

#include "core/constants.hpp"
#include "core/real.hpp"

namespace squall {

/// al and p of the departure in one layer (Skamarock et al. 2019, eqs 3.13 and 3.15, linearised
/// about the reference). c2a is cp/cv p / alpha, mass that of the layer at the new time.
struct LinearState {
    real al, p;
};

inline LinearState linear_state(real c1, real mass, real rdnw, real mu, real d_ph, real theta, real theta_ref,
                                real alt, real c2a) {
    const real mu_layer = c1 * mu;
    const real full = constants::theta0 + theta_ref;
    const real inverse = 1 / (mass * full);
    const real al = -inverse * full * multiply_add(alt, mu_layer, rdnw * d_ph);
    const real warming = multiply_add(-mu_layer, theta_ref, theta) * inverse;
    return {al, c2a * multiply_add(alt, warming, -al)};
}

} // namespace squall
