/// Size distributions: exponential for rain, graupel and ice, gamma for droplets, Field's for snow.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "physics/thompson/constants.hpp"

namespace squall::thompson {

inline constexpr double log_ten = 2.302585092994046;

/// Within a relative 3e-10, without branches, so that loops over them run on all lanes. For positive x.
inline double power(double x, double exponent) {
    return squall::detail::exponential(exponent * squall::detail::logarithm(x));
}
inline double cube_root(double x) { return power(x, 1.0 / 3); }

inline double cube(double x) { return x * x * x; }

/// N(D) = n0 exp(-lambda D), of a content [kg m-3] and a number [m-3] of spheres.
struct Exponential {
    double lambda; ///< [m-1]
    double n0;     ///< [m-4]
    double number; ///< [m-3]
    double median_diameter() const { return median / lambda; }
};

/// lambda^3.
inline double steepness(double content, double number, double mass) { return 6 * mass * number / content; }

inline Exponential exponential_of(double content, double number, double mass) {
    const double lambda = std::cbrt(steepness(content, number, mass));
    return {lambda, number * lambda, number};
}

inline double number_for(double content, double lambda, double mass) {
    return content * lambda * lambda * lambda / (6 * mass);
}

/// Number of drops, of a content [kg m-3], whose median diameter is between 37 micrometres and 2.5 mm.
inline double bounded_drops(double content, double number) {
    constexpr double steepest = median / (0.75 * rain_least), flattest = median / 2.5e-3;
    const double found = steepness(content, number, rain_mass);
    return found > cube(steepest)   ? number_for(content, steepest, rain_mass)
           : found < cube(flattest) ? number_for(content, flattest, rain_mass)
                                    : number;
}

inline Exponential rain_of(double content, double number) {
    return exponential_of(content, bounded_drops(content, number), rain_mass);
}

/// Number of crystals whose mean diameter by mass is between 5 and 300 micrometres.
inline double bounded_crystals(double content, double number) {
    constexpr double steepest = 4 / 5e-6, flattest = 4 / 300e-6;
    const double found = steepness(content, number, ice_mass);
    return found > cube(steepest)   ? std::min(most_ice_number, number_for(content, steepest, ice_mass))
           : found < cube(flattest) ? number_for(content, flattest, ice_mass)
                                    : number;
}

/// Graupel, whose intercept follows from its content.
inline double graupel_lambda(double content) {
    const double decades = squall::detail::logarithm(std::max(1e-9, content)) / log_ten;
    const double decade = std::min(std::max(3 + 2.0 / 7 * (decades + 8), 2.0), 6.0);
    return power(squall::detail::exponential(log_ten * decade) * graupel_mass * 6 / content, 0.25);
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

/// lambda^3.
inline double droplet_steepness(double content, double number, int nu) {
    return number * rain_mass * shape_ratio(nu) / content;
}

inline Droplets droplets_of(double content, double number) {
    const int nu = droplet_shape(number);
    return {nu, std::cbrt(droplet_steepness(content, number, nu))};
}

/// The nth moment of snow from its second one: 10^a second^b, a and b quadratic in the temperature [C] (F05,
/// with all temperatures below -0.1).
class SnowMoment {
  public:
    explicit constexpr SnowMoment(double n)
        : a_{5.065339 + n * (-3.032362 + n * (0.31255 - n * 0.015952)),
             -0.062659 + n * (0.029469 + n * 0.003199), -0.000285 + n * 0.000204},
          b_{0.476221 + n * (0.165977 + n * (0.060366 - n * 0.003577)),
             -0.015896 + n * (0.007468 + n * 0.000594), -0.000141 + n * 0.000079} {}

    /// `log_second`: the natural logarithm of the second moment.
    double from(double log_second, double celsius) const {
        const double t = std::min(-0.1, celsius);
        return squall::detail::exponential(log_ten * (a_[0] + t * (a_[1] + t * a_[2])) +
                                           log_second * (b_[0] + t * (b_[1] + t * b_[2])));
    }

  private:
    double a_[3], b_[3];
};

inline double snow_moment(double n, double celsius, double second) {
    return SnowMoment(n).from(squall::detail::logarithm(second), celsius);
}

} // namespace squall::thompson
