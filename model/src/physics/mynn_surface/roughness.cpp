#include "physics/mynn_surface/roughness.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/constants.hpp"

namespace squall::mynn_surface {
namespace {

constexpr real karman = real(0.4);

/// ln(z/z0) of snow as a polynomial in the logarithm of its Reynolds number.
using Polynomial = std::array<real, 3>;

real at(const Polynomial &p, real x) { return std::exp(p[0] + (p[1] + p[2] * x) * x); }

} // namespace

real viscosity(real temperature) {
    const real t = temperature - real(273.15);
    return real(1.326e-5) * (1 + ((real(-4.84e-9) * t + real(8.301e-6)) * t + real(6.542e-3)) * t);
}

real of_water(real ust, real speed, real z, real viscosity) {
    constexpr real flat = real(1e-4); // of the wind's profile up to 10 m
    const real at_10m = speed * std::log(10 / flat) / std::log(z / flat);
    const real charnock = real(0.011) + real(0.007) * std::clamp((at_10m - 10) / 8, real(0), real(1));
    const real z0 = charnock * ust * ust / constants::g + real(0.11) * viscosity / std::max(ust, real(0.05));
    return std::clamp(z0, real(1.27e-7), real(2.85e-3));
}

ScalarRoughness scalars_of_water(real reynolds) {
    const real z = std::clamp(real(5.5e-5) * std::pow(reynolds, real(-0.6)), real(2e-9), real(1e-4));
    return {z, z};
}

ScalarRoughness scalars_of_land(real z0, real reynolds) {
    const real z = z0 * std::min(std::exp(real(-0.085) * karman * std::sqrt(reynolds)), real(0.75));
    return {z, z};
}

ScalarRoughness scalars_of_snow(real ust, real viscosity) {
    const real off = (ust - real(0.18)) / real(0.1);
    const real z0 =
        real(0.135) * viscosity / ust + real(0.035) * ust * ust / real(9.8) * (5 * std::exp(-off * off) + 1);
    const real reynolds = std::min(ust * z0 / viscosity, real(1000)), x = std::log(reynolds);
    if (reynolds <= real(0.135)) return {z0 * std::exp(real(1.25)), z0 * std::exp(real(1.61))};
    constexpr Polynomial heat{real(0.149), real(-0.55), 0}, vapour{real(0.351), real(-0.628), 0};
    constexpr Polynomial rough_heat{real(0.317), real(-0.565), real(-0.183)};
    constexpr Polynomial rough_vapour{real(0.396), real(-0.512), real(-0.180)};
    const bool rough = reynolds >= real(2.5);
    return {z0 * at(rough ? rough_heat : heat, x), z0 * at(rough ? rough_vapour : vapour, x)};
}

} // namespace squall::mynn_surface
