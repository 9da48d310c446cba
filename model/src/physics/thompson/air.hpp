/// The air at a point and what particles grow by there.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "physics/thompson/constants.hpp"

namespace squall::thompson {

namespace detail {

template <int N> double polynomial(const double (&c)[N], double x) {
    double y = c[N - 1];
    for (int n = N - 2; n >= 0; --n) y = c[n] + x * y;
    return y;
}

inline double mixing_ratio(double e, double pressure) {
    const double bounded = std::min(e, 0.15 * pressure);
    return 0.622 * bounded / std::max(pressure - bounded, 1e-4);
}

} // namespace detail

/// Saturation mixing ratios (Flatau, Walko and Cotton 1992, J. Appl. Meteor. 31, 1507-1513, table 3).
inline double saturation_over_water(double temperature, double pressure) {
    constexpr double c[] = {.611583699e3,  .444606896e2,  .143177157e1,   .264224321e-1,  .299291081e-3,
                            .203154182e-5, .702620698e-8, .379534310e-11, -.321582393e-13};
    return detail::mixing_ratio(detail::polynomial(c, std::max(-80.0, temperature - 273.16)), pressure);
}

inline double saturation_over_ice(double temperature, double pressure) {
    constexpr double c[] = {.609868993e3,  .499320233e2,  .184672631e1,  .402737184e-1, .565392987e-3,
                            .521693933e-5, .307839583e-7, .105785160e-9, .161444444e-12};
    return detail::mixing_ratio(detail::polynomial(c, std::max(-80.0, temperature - 273.16)), pressure);
}

inline double density_of(double temperature, double pressure, double vapour) {
    return 0.622 * pressure / (r_air * temperature * (vapour + 0.622));
}

/// Heat of vaporisation and 1 / heat capacity of moist air.
inline double vaporisation(double celsius) { return l_vap0 + (c_ice - c_liquid) * celsius; }
inline double per_heat_capacity(double vapour) { return 1 / (c_p * (1 + 0.887 * vapour)); }

/// How air carries heat and vapour (Pruppacher and Klett 1978).
struct Transfer {
    double diffusivity;  ///< of vapour [m2 s-1]
    double viscosity;    ///< dynamic [kg m-1 s-1]
    double conductivity; ///< of heat [W m-1 K-1]
    double thinness;     ///< sqrt(rho0 / rho)
    double ventilation;  ///< sqrt(rho / viscosity) (rho0 / rho)^(1/4)
};

inline double diffusivity_of(double temperature, double pressure) {
    return 2.11e-5 * squall::detail::exponential(1.94 * squall::detail::logarithm(temperature / t0)) *
           (101325 / pressure);
}
inline double viscosity_of(double celsius) {
    const double c = std::min(celsius, 0.0);
    return (1.718 + 0.0049 * celsius - 1.2e-5 * c * c) * 1e-5;
}
inline double conductivity_of(double celsius) { return (5.69 + 0.0168 * celsius) * 1e-5 * 418.936; }
inline double thinness_of(double density) { return std::sqrt(rho0 / density); }
inline double ventilation_of(double density, double viscosity, double thinness) {
    return std::sqrt(density / viscosity) * std::sqrt(thinness);
}

inline Transfer transfer_of(double temperature, double pressure, double density) {
    const double c = temperature - t0, viscosity = viscosity_of(c), thinness = thinness_of(density);
    return {diffusivity_of(temperature, pressure), viscosity, conductivity_of(c), thinness,
            ventilation_of(density, viscosity, thinness)};
}

/// The factor of growth by vapour, over 4 pi capacity, diffusivity and the excess of vapour over the
/// saturated density `rvs`, with the heat that it sets free (Srivastava and Coen 1992, JAS 49, 1643-1651).
inline double by_vapour(double temperature, double rvs, double latent_heat, double diffusivity,
                        double conductivity, double excess) {
    const double per_t = 1 / temperature, slope = per_t * (latent_heat * per_t / r_vapour - 1);
    const double first = rvs * slope;
    const double second =
        rvs * (slope * slope - 2 * latent_heat * per_t * per_t * per_t / r_vapour + per_t * per_t);
    const double gamma = latent_heat * diffusivity / conductivity * first;
    const double part = gamma / (1 + gamma);
    const double a = std::max(1e-9, 0.5 * part * part * second / first * rvs / first) * excess;
    return (1 - a + 2 * a * a - 5 * a * a * a) / (1 + gamma);
}

/// Temperature of a wet bulb, by the equivalent potential temperature of Bolton (1980, equations 15
/// and 43), which its moist adiabat keeps.
double wet_bulb(double temperature, double pressure, double vapour);

} // namespace squall::thompson
