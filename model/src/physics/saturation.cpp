#include "physics/saturation.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace squall {
namespace {

constexpr real t0 = real(273.15); ///< melting point [K]
constexpr real e0 = real(611.2);  ///< vapour pressure there [Pa]
constexpr real epsilon = constants::r_d / constants::r_v;

/// Bounded where water boils, high up and warm.
real mixing_ratio(real e, real pressure) {
    const real bounded = std::min(e, real(0.99) * pressure);
    return epsilon * bounded / (pressure - bounded);
}

} // namespace

real saturation_over_water(real temperature, real pressure) {
    return mixing_ratio(e0 * std::exp(real(17.67) * (temperature - t0) / (temperature - real(29.65))),
                        pressure);
}

real saturation_over_ice(real temperature, real pressure) {
    return mixing_ratio(e0 * std::exp(real(21.8745584) * (temperature - t0) / (temperature - real(7.66))),
                        pressure);
}

real saturated_humidity_of_janjic(real temperature, real pressure) {
    return real(379.90516) / pressure *
           std::exp(real(17.2693882) * (temperature - real(273.16)) / (temperature - real(35.86)));
}

} // namespace squall
