#include "tracers/sinks.hpp"

#include <cmath>

namespace squall::transport {
namespace {

constexpr double cloudy = 0.8, highest_rain = 8000; ///< relative humidity; [m]
constexpr double mm_per_hour = 1.0 / 3600;          ///< [kg m-2 s-1]

bool in_cloud(const ColumnAir &air, int i, int k) {
    return air.humidity(i, k) >= cloudy * saturation(air.temperature(i, k), air.middle_pressure(i, k));
}

/// The highest layer from which rain falls.
int rain_top(const ColumnAir &air, int i) {
    for (int k = air.nz() - 1; k >= 0; --k)
        if (in_cloud(air, i, k)) return k;
    int top = 0;
    while (top + 1 < air.nz() && air.height(i, top + 1) < highest_rain) ++top;
    return top;
}

} // namespace

void Decay::apply(const TracerRow &row, double, double step) const {
    const double kept = std::exp(-step / lifetime_);
    for (int m = 0; m < moments_of(row.scheme); ++m)
        for (int k = 0; k < row.nz(); ++k)
            for (int i = 0; i < row.nx(); ++i) row.moment(m, k)[i] *= kept;
}

DryDeposition::DryDeposition(const SourceSettings &s)
    : land_(s.deposition_velocity_land >= 0 ? s.deposition_velocity_land : s.deposition_velocity),
      sea_(s.deposition_velocity_sea >= 0 ? s.deposition_velocity_sea : s.deposition_velocity) {}

void DryDeposition::apply(const TracerRow &row, double, double step) const {
    for (int i = 0; i < row.nx(); ++i) {
        const double land = row.weather.land[row.weather.column(i, row.j)];
        const double velocity = land * land_ + (1 - land) * sea_;
        row.scale(i, 0, std::exp(-velocity * step / row.air.thickness(i, 0)));
    }
}

void Washout::apply(const TracerRow &row, double, double step) const {
    for (int i = 0; i < row.nx(); ++i) {
        const double rain = row.weather.rain[row.weather.column(i, row.j)] / mm_per_hour;
        if (!(rain > 0)) continue;
        const double strength = std::pow(rain, settings_.washout_exponent);
        for (int k = rain_top(row.air, i); k >= 0; --k) {
            const double rate = in_cloud(row.air, i, k) ? settings_.rainout : settings_.washout;
            row.scale(i, k, std::exp(-rate * strength * step));
        }
    }
}

void AgeOfAir::apply(const TracerRow &row, double, double step) const {
    for (int i = 0; i < row.nx(); ++i) row.scale(i, 0, 0);
    for (int k = 1; k < row.nz(); ++k)
        for (int i = 0; i < row.nx(); ++i) row.mass(k)[i] += step * row.cell_air(k)[i];
}

} // namespace squall::transport
