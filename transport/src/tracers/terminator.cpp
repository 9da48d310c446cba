#include "tracers/terminator.hpp"

#include <algorithm>
#include <cmath>

#include "globe/grid.hpp"

namespace squall::transport {
namespace {

constexpr double total = 4e-6, recombination = 1; ///< k2 [s-1]

/// k1 [s-1]: the sun stands over 20 N, 300 E.
double photolysis(double lon, double lat) {
    constexpr double sun_lon = 300 * pi / 180, sun_lat = 20 * pi / 180;
    return std::max(0.0, std::sin(lat) * std::sin(sun_lat) +
                             std::cos(lat) * std::cos(sun_lat) * std::cos(lon - sun_lon));
}

} // namespace

Chlorine balance_at(double lon, double lat) {
    const double r = photolysis(lon, lat) / (4 * recombination), d = std::sqrt(r * r + 2 * r * total);
    return {d - r, (total - (d - r)) / 2};
}

Chlorine react(Chlorine before, double lon, double lat, double step) {
    const double r = photolysis(lon, lat) / (4 * recombination), cl = before.atoms;
    const double d = std::sqrt(r * r + 2 * r * std::max(cl + 2 * before.molecules, 0.0));
    const double e = std::exp(-4 * recombination * d * step);
    const double rate = d * recombination * step > 1e-16 ? (1 - e) / (d * step) : 4 * recombination;
    const double change = -step * rate * (cl - d + r) * (cl + d + r) / (1 + e + step * rate * (cl + r));
    return {cl + change, before.molecules - change / 2};
}

} // namespace squall::transport
