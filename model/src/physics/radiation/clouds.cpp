#include "physics/radiation/clouds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace squall::radiation {
namespace {

constexpr double pi = std::numbers::pi, freezing = 273.15;
constexpr double water_density = 1000, ice_density = 917, snow_density = 100; ///< [kg m-3]
constexpr double least_condensate = 1e-9;                                     ///< [kg kg-1]

} // namespace

double cloud_cover(double condensate, double humidity, double saturation) {
    if (condensate < least_condensate) return 0;
    if (humidity >= 1) return 1;
    const double dry = std::pow((1 - humidity) * saturation, 0.49);
    const double cover = std::pow(std::max(humidity, 0.0), 0.25) * (1 - std::exp(-100 * condensate / dry));
    return cover < 0.01 ? 0 : cover > 0.99 ? 1 : cover; // nearly all or nothing is drawn for nobody
}

double drop_radius(double content, bool over_land) {
    const double number = over_land ? 3e8 : 1e8, breadth = over_land ? 0.67 : 0.80; // [m-3]
    return 1e6 * std::cbrt(3 * content / (4 * pi * water_density * breadth * number));
}

double crystal_radius(double content, double temperature) {
    const double cold = std::max(freezing - temperature, 0.0), grams = std::max(content * 1e3, 1e-6);
    const double b = std::min(-2 + 1e-3 * std::pow(cold, 1.5) * std::log10(grams / 50), 0.0);
    const double b_at_least = std::max(b, -6.0);
    return std::max(377.4 + b_at_least * (203.3 + b_at_least * (37.91 + 2.3696 * b_at_least)), 5.0);
}

double flake_radius(double content, double temperature) {
    const double intercept = std::min(2e6 * std::exp(0.12 * std::max(freezing - temperature, 0.0)), 1e11);
    const double slope = std::pow(pi * snow_density * intercept / std::max(content, 1e-9), 0.25); // [m-1]
    return 1e6 * 1.5 / slope * snow_density / ice_density;
}

} // namespace squall::radiation
