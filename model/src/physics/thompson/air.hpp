/// The air at a point and what particles grow by there.
#pragma once

#include <algorithm>
#include <cmath>

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

inline Transfer transfer_of(double temperature, double pressure, double density) {
    const double c = temperature - t0;
    Transfer a;
    a.diffusivity = 2.11e-5 * std::pow(temperature / t0, 1.94) * (101325 / pressure);
    a.viscosity = (1.718 + 0.0049 * c - (c < 0 ? 1.2e-5 * c * c : 0)) * 1e-5;
    a.conductivity = (5.69 + 0.0168 * c) * 1e-5 * 418.936;
    a.thinness = std::sqrt(rho0 / density);
    a.ventilation = std::sqrt(density / a.viscosity) * std::sqrt(a.thinness);
    return a;
}

/// The factor of growth by vapour, over 4 pi capacity, diffusivity and the excess of vapour over the
/// saturated density `rvs`, with the heat that it sets free (Srivastava and Coen 1992, JAS 49, 1643-1651).
inline double by_vapour(double temperature, double rvs, double latent_heat, const Transfer &air,
                        double excess) {
    const double per_t = 1 / temperature, slope = per_t * (latent_heat * per_t / r_vapour - 1);
    const double first = rvs * slope;
    const double second =
        rvs * (slope * slope - 2 * latent_heat * per_t * per_t * per_t / r_vapour + per_t * per_t);
    const double gamma = latent_heat * air.diffusivity / air.conductivity * first;
    const double part = gamma / (1 + gamma);
    const double a = std::max(1e-9, 0.5 * part * part * second / first * rvs / first) * excess;
    return (1 - a + 2 * a * a - 5 * a * a * a) / (1 + gamma);
}

/// Temperature of a wet bulb, by the equivalent potential temperature of Bolton (1980, equations 15
/// and 43), which its moist adiabat keeps.
double wet_bulb(double temperature, double pressure, double vapour);

} // namespace squall::thompson
