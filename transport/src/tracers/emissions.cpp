#include "tracers/emissions.hpp"

#include <cmath>

#include "tracers/overlap.hpp"

namespace squall::transport {

double GroundEmission::share_of_surface(const Weather &weather, int i, int j) const {
    const double land = weather.land[weather.column(i, j)], frozen = weather.frozen[weather.column(i, j)];
    const std::string &surface = settings_.emission_surface;
    return surface == "land"  ? land
           : surface == "sea" ? 1 - land
           : surface == "all" ? 1
                              : land * (1 - frozen);
}

void GroundEmission::apply(const TracerRow &row, double, double step) const {
    const auto sine = [](double degrees) { return std::sin(degrees * pi / 180); };
    const double south = std::sin(row.where.south(row.j)), north = std::sin(row.where.south(row.j + 1));
    const double in_band =
        overlap(south, north, sine(settings_.emission_south), sine(settings_.emission_north));
    const double mass = settings_.emission * step * row.area() * in_band / (north - south);
    for (int i = 0; i < row.nx(); ++i) row.mass(0)[i] += mass * share_of_surface(row.weather, i, row.j);
}

void MappedEmission::apply(const TracerRow &row, double begin, double step) const {
    for (const EmissionMap::Record &record : map_.records) {
        const double seconds = overlap(begin, begin + step, record.begin, record.end);
        if (seconds == 0) continue;
        const double *flux = &record.flux[static_cast<std::size_t>(row.j * row.nx())];
        for (int i = 0; i < row.nx(); ++i) row.mass(0)[i] += flux[i] * seconds * row.area();
    }
}

} // namespace squall::transport
