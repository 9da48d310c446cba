#include "physics/mynn_edmf/saturation.hpp"

#include <algorithm>

#include "physics/mynn_edmf/constants.hpp"

namespace squall::mynn_edmf {
namespace {

constexpr real melting = real(273.15), all_water = melting - 6, all_ice = 240; // [K]

/// A polynomial of eighth degree in degrees Celsius.
real polynomial(const real (&c)[9], real x) {
    real sum = c[8];
    for (int n = 7; n >= 0; --n) sum = c[n] + x * sum;
    return sum;
}

/// Pressure of vapour over water and over ice [Pa] (Flatau et al. 1992, table 3).
real over_water(real x) {
    constexpr real c[] = {real(.611583699e3),  real(.444606896e2),   real(.143177157e1),
                          real(.264224321e-1), real(.299291081e-3),  real(.203154182e-5),
                          real(.702620698e-8), real(.379534310e-11), real(-.321582393e-13)};
    return polynomial(c, x);
}
real over_ice(real x) {
    constexpr real c[] = {real(.609868993e3),  real(.499320233e2),  real(.184672631e1),
                          real(.402737184e-1), real(.565392987e-3), real(.521693933e-5),
                          real(.307839583e-7), real(.105785160e-9), real(.161444444e-12)};
    return polynomial(c, x);
}

real ratio_at(real vapour_pressure, real pressure) {
    const real bounded = std::min(vapour_pressure, real(0.15) * pressure);
    return real(0.622) * bounded / std::max(pressure - bounded, real(1e-5));
}

} // namespace

real saturation(real temperature, real pressure) {
    const real x = std::max(real(-80), temperature - melting);
    if (temperature >= all_water) return ratio_at(over_water(x), pressure);
    if (temperature <= all_ice) return ratio_at(over_ice(x), pressure);
    const real frozen = (all_water - temperature) / (all_water - all_ice);
    return (1 - frozen) * ratio_at(over_water(x), pressure) + frozen * ratio_at(over_ice(x), pressure);
}

real latent_heat(real temperature) {
    constexpr real c_liquid = 4190, c_ice = 2106; // [J kg-1 K-1]
    const real above = temperature - melting;
    const real of_water = vaporisation + (c_p_vapour - c_liquid) * above,
               of_ice = vaporisation + fusion + (c_p_vapour - c_ice) * above;
    const real frozen = std::clamp((melting - temperature) / (melting - all_ice), real(0), real(1));
    return (1 - frozen) * of_water + frozen * of_ice;
}

} // namespace squall::mynn_edmf
