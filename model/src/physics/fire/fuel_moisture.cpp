#include "physics/fire/fuel_moisture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "physics/fire/fuel.hpp"

namespace squall::fire {
namespace {

constexpr double hour = 3600;
constexpr std::array<double, moisture_classes> drying_lag{1, 10, 100, 1000, 1e9},
    wetting_lag{1.4, 14, 140, 1400, 1e9}; ///< [h]
constexpr double saturated = 2.5;         ///< in rain
constexpr double saturating_rain = 8;     ///< [mm h-1]
constexpr double least_rain = 0.05;       ///< that counts [mm h-1]
constexpr int living = 4;
constexpr double of_living = 0.3; ///< where it begins

/// Where the water of a class is drawn to, and how fast [s-1].
struct Draw {
    Equilibrium to;
    double rate;
};

Draw drawn(int of_class, double humidity, double temperature, double rain) {
    const auto n = static_cast<std::size_t>(of_class);
    if (const double wet = rain - least_rain; wet > 0)
        return {{saturated, saturated}, (1 - std::exp(-wet / saturating_rain)) / (hour * wetting_lag[n])};
    return {equilibrium(humidity, temperature), 1 / (hour * drying_lag[n])};
}

} // namespace

Equilibrium equilibrium(double humidity, double temperature) {
    const double h = 100 * humidity, cold = 0.18 * (21.1 + 273.15 - temperature) * (1 - std::exp(-0.115 * h));
    const double a = 0.942 * std::pow(h, 0.679) + 0.000499 * std::exp(0.1 * h) + cold,
                 b = 0.618 * std::pow(h, 0.753) + 0.000454 * std::exp(0.1 * h) + cold;
    return {std::max(0.01 * std::max(a, b), 0.0), std::max(0.01 * std::min(a, b), 0.0)};
}

double relative_humidity(double temperature, double vapour, double pressure) {
    constexpr double ratio = 0.622;
    const double t = temperature, e = vapour * pressure / (ratio + (1 - ratio) * vapour);
    const double saturation = std::exp(54.842763 - 6763.22 / t - 4.21 * std::log(t) + 0.000367 * t +
                                       std::tanh(0.0415 * (t - 218.8)) *
                                           (53.878 - 1331.22 / t - 9.44523 * std::log(t) + 0.014025 * t));
    return std::min(e / saturation, 1.0);
}

void advance_moisture(Range columns, const NearGround &air, double elapsed, FuelMoistureState &water) {
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i = columns.i0; i < columns.i1; ++i) {
            const bool first = water.temperature(i, j) == 0;
            const real fallen = (air.rain.origin ? air.rain(i, j) : real(0)) +
                                (air.convective_rain.origin ? air.convective_rain(i, j) : real(0));
            const auto mean = [&](const Array2 &before, ConstField2 now) {
                return first ? double(now(i, j)) : 0.5 * (double(before(i, j)) + now(i, j));
            };
            const double temperature = mean(water.temperature, air.temperature);
            const double humidity = relative_humidity(temperature, mean(water.vapour, air.vapour),
                                                      mean(water.pressure, air.pressure));
            const double rain = first ? 0 : hour * (double(fallen) - water.rain(i, j)) / elapsed;
            for (int n = 0; n < moisture_classes; ++n) {
                real &content = water.content[static_cast<std::size_t>(n)](i, j);
                const Draw draw = drawn(n, humidity, temperature, rain);
                if (first)
                    content = n == living ? real(of_living) : real(0.5 * (draw.to.drying + draw.to.wetting));
                const double to = std::max(std::min(double(content), draw.to.drying), draw.to.wetting);
                content = real(content + (to - content) * -std::expm1(-elapsed * draw.rate));
            }
            water.temperature(i, j) = air.temperature(i, j);
            water.vapour(i, j) = air.vapour(i, j);
            water.pressure(i, j) = air.pressure(i, j);
            water.rain(i, j) = fallen;
        }
}

} // namespace squall::fire
