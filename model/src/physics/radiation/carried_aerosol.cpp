#include "physics/radiation/carried_aerosol.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace squall::radiation {
namespace {

constexpr std::array humidities{0.1, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.998};
constexpr int temperatures = 4; ///< 300, 270, 240, 210 K

using ByHumidity = double[humidities.size()][temperatures];

/// [1e-15 m2]
constexpr ByHumidity of_water_friendly{
    {5.73936, 5.73936, 5.73936, 5.73936}, {6.93515, 6.93168, 6.9257, 6.91833},
    {7.24707, 7.23809, 7.23108, 7.218},   {8.9513, 9.01582, 9.13216, 9.16219},
    {10.6695, 10.637, 10.5999, 10.5443},  {13.7908, 13.7172, 13.6362, 13.5287},
    {22.6019, 22.4435, 22.3254, 22.0496}, {441.983, 393.335, 345.569, 296.971}};

/// [1e-12 m2]
constexpr ByHumidity of_ice_friendly{
    {2.63577, 2.63577, 2.63577, 2.63577}, {2.72095, 2.72092, 2.72091, 2.72087},
    {2.77219, 2.77222, 2.77201, 2.77111}, {2.87263, 2.87252, 2.87241, 2.87211},
    {2.96752, 2.96726, 2.96702, 2.96603}, {3.15081, 3.1502, 3.14927, 3.14817},
    {3.66798, 3.6654, 3.66173, 3.65796},  {75.0091, 67.9097, 60.7845, 53.6085}};

/// What particles swell with.
double swelling(double humidity) { return humidity / (1 - humidity); }

} // namespace

Extinction extinction_of_carried(double humidity, double temperature) {
    const double h = std::clamp(humidity, 0.101, 0.991);
    const auto upper = static_cast<std::size_t>(std::ranges::upper_bound(humidities, h) - humidities.begin());
    const double low = swelling(humidities[upper - 1]);
    const double part = (swelling(h) - low) / (swelling(humidities[upper]) - low);
    const int t =
        std::clamp(static_cast<int>(std::lround(10.999 - 0.0333 * temperature)), 1, temperatures) - 1;
    const auto of = [&](const ByHumidity &x) {
        return x[upper - 1][t] + part * (x[upper][t] - x[upper - 1][t]);
    };
    return {of(of_water_friendly) * 1e-15, of(of_ice_friendly) * 1e-12};
}

} // namespace squall::radiation
