#include "physics/thompson/air.hpp"

namespace squall::thompson {
namespace {

/// `log_p`: ln(1000 hPa / pressure).
double equivalent_theta(double temperature, double log_p, double vapour, double condensing) {
    const double q = vapour + 1e-8;
    return temperature * std::exp(log_p * 0.2854 * (1 - 0.28 * q) +
                                  (3.376 / condensing - 0.00254) * 1000 * q * (1 + 0.81 * q));
}

double dew_point(double pressure, double vapour) {
    const double q = vapour + 1e-8, log_e = std::log(pressure * q / (0.622 + q));
    return (35.86 * log_e - 4947.2325) / (log_e - 23.6837);
}

double condensation_temperature(double temperature, double dew) {
    return 56 + 1 / (1 / (dew - 56) + std::log(temperature / dew) / 800);
}

/// Where saturated air of this pressure has this equivalent potential temperature (Newton's method).
double saturated_at(double theta_e, double pressure, double log_p) {
    const auto of = [=](double t) {
        return equivalent_theta(t, log_p, saturation_over_water(t, pressure), t);
    };
    double t = (theta_e - 0.5 * std::pow(std::max(theta_e - 270, 0.0), 1.05)) * std::exp(-0.2 * log_p);
    for (int n = 0; n < 100; ++n) {
        const double now = of(t), step = (theta_e - now) / (of(t + 1) - now);
        t += step;
        if (!(std::abs(step) >= 0.01)) break;
    }
    return t;
}

} // namespace

double wet_bulb(double temperature, double pressure, double vapour) {
    const double dew = std::min(temperature - 0.001, dew_point(pressure, vapour));
    const double condensing = condensation_temperature(temperature, dew), log_p = std::log(1e5 / pressure);
    return std::min(temperature,
                    saturated_at(equivalent_theta(temperature, log_p, vapour, condensing), pressure, log_p));
}

} // namespace squall::thompson
