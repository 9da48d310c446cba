#include "physics/radiation/clouds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace squall::radiation {
namespace {

constexpr double pi = std::numbers::pi, freezing = 273.15;
constexpr double water_density = 1000, ice_density = 917, snow_density = 100; ///< [kg m-3]
constexpr double least_condensate = 1e-9;                                     ///< [kg kg-1]

/// Of crystals [um], each kelvin from the coldest on.
constexpr double coldest = 180; // [K]
constexpr std::array crystals{
    5.92779, 6.26422, 6.61973, 6.99539, 7.39234, 7.81177, 8.25496, 8.72323, 9.21800, 9.74075, 10.2930,
    10.8765, 11.4929, 12.1440, 12.8317, 13.5581, 14.2319, 15.0351, 15.8799, 16.7674, 17.6986, 18.6744,
    19.6955, 20.7623, 21.8757, 23.0364, 24.2452, 25.5034, 26.8125, 27.7895, 28.6450, 29.4167, 30.1088,
    30.7306, 31.2943, 31.8151, 32.3077, 32.7870, 33.2657, 33.7540, 34.2601, 34.7892, 35.3442, 35.9255,
    36.5316, 37.1602, 37.8078, 38.4720, 39.1508, 39.8442, 40.5552, 41.2912, 42.0635, 42.8876, 43.7863,
    44.7853, 45.9170, 47.2165, 48.7221, 50.4710, 52.4980, 54.8315, 57.4898, 60.4785, 63.7898, 65.5604,
    71.2885, 75.4113, 79.7368, 84.2351, 88.8833, 93.6658, 98.5739, 103.603, 108.752, 114.025, 119.424,
    124.954, 130.630, 136.457, 142.446, 148.608, 154.956, 161.503, 168.262, 175.248, 182.473, 189.952,
    197.699, 205.728, 214.055, 222.694, 231.661, 240.971, 250.639};

} // namespace

double cloud_cover(double condensate, double humidity, double saturation) {
    if (condensate < least_condensate) return 0;
    if (humidity >= 1) return 1;
    const double dry = std::pow((1 - humidity) * saturation, 0.49);
    const double cover = std::pow(std::max(humidity, 0.0), 0.25) * (1 - std::exp(-100 * condensate / dry));
    return cover < 0.01 ? 0 : cover > 0.99 ? 1 : cover; // nearly all or nothing is drawn for nobody
}

double counted_drop_radius(double content, double number, double breadth) {
    return 1e6 * std::cbrt(3 * content / (4 * pi * water_density * breadth * number));
}

double drop_radius(double content, bool over_land) {
    return over_land ? counted_drop_radius(content, 3e8, 0.67) : counted_drop_radius(content, 1e8, 0.80);
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

double drop_radius_at(double temperature, bool over_land, double snow_below) {
    constexpr double over_water = 14, of_land = 8;
    if (!over_land) return over_water;
    const double cold = std::clamp((freezing - temperature) / 20, 0.0, 1.0),
                 snowy = std::clamp(snow_below / 100, 0.0, 1.0);
    const double bare = of_land + (over_water - of_land) * cold;
    return bare + (over_water - bare) * snowy;
}

double crystal_radius_at(double temperature) {
    const double position = std::clamp(temperature - coldest, 0.0, crystals.size() - 1.0);
    const std::size_t below = std::min(static_cast<std::size_t>(position), crystals.size() - 2);
    const double part = position - static_cast<double>(below);
    return crystals[below] + part * (crystals[below + 1] - crystals[below]);
}

} // namespace squall::radiation
