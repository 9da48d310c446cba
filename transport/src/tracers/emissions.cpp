#include "tracers/emissions.hpp"

#include <algorithm>
#include <cmath>

#include "globe/scratch.hpp"
#include "tracers/overlap.hpp"

namespace squall::transport {
namespace {

void lift(const TracerRow &row, int i, double emitted) {
    double in = 0;
    for (int k = 0; k < row.eddies->counter_depth(i); ++k) {
        const double had = row.mass(k)[i], most = had + in;
        const double out = std::min(row.eddies->share(i, k + 1) * emitted, most);
        if (out > in) row.scale(i, k, (most - out) / had);
        row.mass(k)[i] = most - out;
        in = out;
    }
}

} // namespace

void Emission::apply(const TracerRow &row, double begin, double step) const {
    Scratch<double> emitted(static_cast<std::size_t>(row.nx()));
    emit(row, begin, step, emitted.data());
    for (int i = 0; i < row.nx(); ++i) {
        const double mass = emitted[static_cast<std::size_t>(i)];
        if (mass == 0) continue;
        row.mass(0)[i] += mass;
        if (row.eddies) lift(row, i, mass);
    }
}

double GroundEmission::share_of_surface(const Weather &weather, int i, int j) const {
    const double land = weather.land[weather.column(i, j)], frozen = weather.frozen[weather.column(i, j)];
    const std::string &surface = settings_.emission_surface;
    return surface == "land"  ? land
           : surface == "sea" ? 1 - land
           : surface == "all" ? 1
                              : land * (1 - frozen);
}

void GroundEmission::emit(const TracerRow &row, double, double step, double *emitted) const {
    const auto sine = [](double degrees) { return std::sin(degrees * pi / 180); };
    const double south = std::sin(row.where.south(row.j)), north = std::sin(row.where.south(row.j + 1));
    const double in_band =
        overlap(south, north, sine(settings_.emission_south), sine(settings_.emission_north));
    const double mass = settings_.emission * step * row.area() * in_band / (north - south);
    for (int i = 0; i < row.nx(); ++i) emitted[i] += mass * share_of_surface(row.weather, i, row.j);
}

void MappedEmission::emit(const TracerRow &row, double begin, double step, double *emitted) const {
    for (const EmissionMap::Record &record : map_.records) {
        const double seconds = overlap(begin, begin + step, record.begin, record.end);
        if (seconds == 0) continue;
        const double *flux = &record.flux[static_cast<std::size_t>(row.j * row.nx())];
        for (int i = 0; i < row.nx(); ++i) emitted[i] += flux[i] * seconds * row.area();
    }
}

} // namespace squall::transport
