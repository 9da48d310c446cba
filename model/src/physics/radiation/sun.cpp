#include "physics/radiation/sun.hpp"

#include <cmath>
#include <numbers>

namespace squall::radiation {
namespace {

constexpr double circle = 2 * std::numbers::pi, radian = circle / 360;

/// Of the year of 365 days [rad].
double year_angle(double day) { return circle * day / 365; }

double declination(double day) {
    const double a = year_angle(day);
    return 0.006918 - 0.399912 * std::cos(a) + 0.070257 * std::sin(a) - 0.006758 * std::cos(2 * a) +
           0.000907 * std::sin(2 * a) - 0.002697 * std::cos(3 * a) + 0.00148 * std::sin(3 * a);
}

double declination_as_wrf(double day) {
    return std::asin(std::sin(23.5 * radian) * std::sin(year_angle(day - 80)));
}

/// What the sun is ahead of the mean sun by [rad].
double equation_of_time(double day) {
    const double a = year_angle(day);
    return 0.000075 + 0.001868 * std::cos(a) - 0.032077 * std::sin(a) - 0.014615 * std::cos(2 * a) -
           0.04089 * std::sin(2 * a);
}

/// Square of the mean distance over the distance.
double nearness(double day) {
    const double a = year_angle(day);
    return 1.000110 + 0.034221 * std::cos(a) + 0.001280 * std::sin(a) + 0.000719 * std::cos(2 * a) +
           0.000077 * std::sin(2 * a);
}

} // namespace

double Sun::cosine(double latitude, double longitude) const {
    const double phi = latitude * radian, hour = hour_at_zero + longitude * radian;
    return std::sin(phi) * std::sin(declination) + std::cos(phi) * std::cos(declination) * std::cos(hour);
}

Direction Sun::direction(double latitude, double longitude) const {
    const double phi = latitude * radian, hour = hour_at_zero + longitude * radian;
    return {-std::cos(declination) * std::sin(hour),
            std::cos(phi) * std::sin(declination) - std::sin(phi) * std::cos(declination) * std::cos(hour),
            cosine(latitude, longitude)};
}

Sun sun_at(double day, bool as_wrf) {
    const double of_day = circle * (day - std::floor(day)); // since midnight
    return {as_wrf ? declination_as_wrf(day) : declination(day),
            of_day - std::numbers::pi + equation_of_time(day), (as_wrf ? 1370.0 : 1361.0) * nearness(day)};
}

} // namespace squall::radiation
