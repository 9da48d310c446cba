#include "initial/sounding.hpp"

#include <cmath>

#include "core/constants.hpp"

namespace squall {
namespace {

constexpr double g = constants::g, r_d = constants::r_d, c_p = constants::c_p, p0 = constants::p0;
constexpr double kappa = r_d / c_p;

Sounding neutral(double theta0) {
    return {[=](double) { return theta0; },
            [=](double z) { return p0 * std::pow(1 - g * z / (c_p * theta0), 1 / kappa); },
            [=](double p) { return c_p * theta0 / g * (1 - std::pow(p / p0, kappa)); }};
}

} // namespace

Sounding constant_stability(double theta0, double n) {
    if (n == 0) return neutral(theta0);
    const double s = n * n / g;                 // d ln theta / dz
    const double drop = g / (c_p * theta0 * s); // of the Exner function over an infinite depth
    return {[=](double z) { return theta0 * std::exp(s * z); },
            [=](double z) { return p0 * std::pow(1 + drop * std::expm1(-s * z), 1 / kappa); },
            [=](double p) { return -std::log1p((std::pow(p / p0, kappa) - 1) / drop) / s; }};
}

Sounding isothermal(double t) { return constant_stability(t, g / std::sqrt(c_p * t)); }

Sounding constant_lapse(double t0, double lapse) {
    const double exponent = r_d * lapse / g;
    const auto pressure = [=](double z) { return p0 * std::pow(1 - lapse * z / t0, 1 / exponent); };
    return {[=](double z) { return (t0 - lapse * z) * std::pow(p0 / pressure(z), kappa); }, pressure,
            [=](double p) { return t0 / lapse * (1 - std::pow(p / p0, exponent)); }};
}

} // namespace squall
