/// Size distributions: exponential for rain, graupel and ice, gamma for droplets, Field's for snow.
#pragma once

#include <algorithm>
#include <cmath>

#include "physics/thompson/constants.hpp"

namespace squall::thompson {

/// N(D) = n0 exp(-lambda D), of a content [kg m-3] and a number [m-3] of spheres.
struct Exponential {
    double lambda; ///< [m-1]
    double n0;     ///< [m-4]
    double number; ///< [m-3]
    double median_diameter() const { return median / lambda; }
};

inline Exponential exponential_of(double content, double number, double mass) {
    const double lambda = std::cbrt(6 * mass * number / content);
    return {lambda, number * lambda, number};
}

inline double number_for(double content, double lambda, double mass) {
    return content * lambda * lambda * lambda / (6 * mass);
}

/// Rain with a median diameter between 37 micrometres and 2.5 mm; its number follows.
inline Exponential rain_of(double content, double number) {
    const Exponential e = exponential_of(content, number, rain_mass);
    const double d = std::clamp(e.median_diameter(), 0.75 * rain_least, 2.5e-3);
    if (d == e.median_diameter()) return e;
    const double bounded = number_for(content, median / d, rain_mass);
    return {median / d, bounded * median / d, bounded};
}

/// Ice with a mean diameter by mass between 5 and 300 micrometres.
inline Exponential ice_of(double content, double number) {
    constexpr double smallest = 5e-6, largest = 300e-6;
    Exponential e = exponential_of(content, number, ice_mass);
    if (4 / e.lambda < smallest)
        number = std::min(most_ice_number, number_for(content, 4 / smallest, ice_mass));
    else if (4 / e.lambda > largest)
        number = number_for(content, 4 / largest, ice_mass);
    else
        return e;
    return exponential_of(content, number, ice_mass);
}

/// Graupel, whose intercept follows from its content.
inline double graupel_lambda(double content) {
    const double power = std::clamp(3 + 2.0 / 7 * (std::log10(std::max(1e-9, content)) + 8), 2.0, 6.0);
    return std::pow(std::pow(10.0, power) * graupel_mass * 6 / content, 0.25);
}

inline Exponential graupel_with(double content, double lambda) {
    const double number = number_for(content, lambda, graupel_mass);
    return {lambda, number * lambda, number};
}

/// With a median diameter between 50 micrometres and 25.4 mm.
inline Exponential graupel_of(double content) {
    return graupel_with(content, median / std::clamp(median / graupel_lambda(content), rain_least, 25.4e-3));
}

/// Terminal velocity of a drop [m s-1].
inline double drop_speed(double d) {
    const double cubed = d * d * d;
    return -0.1021 + 4.932e3 * d - 0.9551e6 * d * d + 0.07934e9 * cubed - 0.002362e12 * cubed * d;
}

/// Cloud droplets, N(D) = n0 D^nu exp(-lambda D).
struct Droplets {
    int nu;
    double lambda;
};

inline int droplet_shape(double number) {
    return std::min(15, static_cast<int>(std::lround(1e9 / number)) + 2);
}

inline double shape_ratio(int nu) {
    return (nu + 3.0) * (nu + 2) * (nu + 1);
} ///< Gamma(nu + 4) / Gamma(nu + 1)

inline Droplets droplets_of(double content, double number) {
    const int nu = droplet_shape(number);
    return {nu, std::cbrt(number * rain_mass * shape_ratio(nu) / content)};
}

/// The nth moment of snow from its second one (F05, with all temperatures [C] below -0.1).
inline double snow_moment(double n, double celsius, double second) {
    constexpr double a[] = {5.065339, -0.062659, -3.032362, 0.029469, -0.000285,
                            0.31255,  0.000204,  0.003199,  0.0,      -0.015952};
    constexpr double b[] = {0.476221, -0.015896, 0.165977, 0.007468, -0.000141,
                            0.060366, 0.000079,  0.000594, 0.0,      -0.003577};
    const double t = std::min(-0.1, celsius);
    const auto fit = [=](const double *c) {
        return c[0] + c[1] * t + c[2] * n + c[3] * t * n + c[4] * t * t + c[5] * n * n + c[6] * t * t * n +
               c[7] * t * n * n + c[8] * t * t * t + c[9] * n * n * n;
    };
    return std::pow(10.0, fit(a)) * std::pow(second, fit(b));
}

} // namespace squall::thompson
