#include "physics/thompson/aerosol.hpp"

#include <cmath>

#include "physics/thompson/constants.hpp"

namespace squall::thompson {
namespace {

double usual(double aloft, double more_below, double height, double ground) {
    const double scale = ground <= 1000 ? 0.8 : ground >= 2500 ? 0.01 : 0.8 * std::cos(ground * 0.001 - 1);
    return aloft + more_below * std::exp(height / 1000 * std::log(aloft / more_below) / scale);
}

} // namespace

double collection_efficiency(const Collector &c, double aerosol, double temperature, double density,
                             double viscosity) {
    constexpr double boltzmann = 1.3806503e-23, mean_path = 0.0256e-6;
    const double slip = 1 + 2 * mean_path / aerosol * (1.257 + 0.4 * std::exp(-0.55 * aerosol / mean_path));
    const double diffusivity = boltzmann * temperature * slip / (3 * pi * viscosity * aerosol);
    const double reynolds = 0.5 * density * c.diameter * c.speed / viscosity;
    const double schmidt_number = viscosity / (density * diffusivity);
    const double stokes = aerosol * aerosol * c.speed * rho_water / (9 * viscosity * c.diameter);
    const double flow = 1 + std::log(1 + reynolds), critical = (1.2 + flow / 12) / (1 + flow);
    const double ratio = aerosol / c.diameter, root = std::sqrt(reynolds);
    double e =
        4 / (reynolds * schmidt_number) *
            (1 + 0.4 * root * std::pow(schmidt_number, 0.3333) + 0.16 * root * std::sqrt(schmidt_number)) +
        4 * ratio * (0.02 + ratio * (1 + 2 * root));
    if (stokes > critical) e += std::pow((stokes - critical) / (stokes - critical + 2.0 / 3), 1.5);
    return std::clamp(e, 1e-5, 1.0);
}

double ice_nuclei(double celsius, double density, double ice_friendly) {
    constexpr double standard = 101325 / (287.05 * 273.15); // [kg m-3]
    if (celsius >= 0) return 0;
    const double per_cm3 = std::max(0.5, ice_friendly * standard * 1e-6 / density);
    const double per_litre =
        5.94e-5 * std::pow(-celsius, 3.33) * std::pow(per_cm3, -0.0264 * celsius + 0.0033);
    return per_litre * density / standard * 1000;
}

double frozen_haze(double temperature, double humidity, double number, double dt) {
    constexpr double gas = 8.314;                                        // [J mol-1 K-1]
    constexpr double volume = 4.0 / 3 * pi * (2.5e-6 * 2.5e-6 * 2.5e-6); // of a radius of 0.025 um [cm3]
    const double potential =
        210368 + 131.438 * temperature - 3.32373e6 / temperature - 41729.1 * std::log(temperature);
    const double x = humidity - std::exp(potential / (gas * temperature));
    const double log_rate = std::min(20.0, -906.7 + x * (8502 + x * (-26924 + x * 29180))); // [cm-3 s-1]
    const double part = -std::expm1(-std::pow(10.0, log_rate) * volume * dt);
    return std::clamp(part * number, 0.0, 1000e3);
}

double usual_water_friendly(double height, double ground) { return usual(50e6, 300e6, height, ground); }
double usual_ice_friendly(double height, double ground) { return usual(0.5e6, 1.5e6, height, ground); }

double usual_source(double water_friendly, double depth) { return water_friendly * 0.000196 * (50 / depth); }

} // namespace squall::thompson
