#include "winds/flows.hpp"

#include <algorithm>
#include <cmath>

#include "globe/grid.hpp"

namespace squall::transport {
namespace {

double square(double x) { return x * x; }

/// Whether a time is a whole number of periods, up to a second in a million years.
bool is_whole(double time, double period) { return std::abs(std::remainder(time, period)) < 1e-9 * period; }

// Nair and Jablonowski (2008): where a vortex is at first, and how wide it is.
const Direction3 first_vortex = to_direction(1.5 * pi, 0);
constexpr double vortex_width = 3;
constexpr int vortex_steps = 8192;

// Kent and others (2014), test 1-1: how deep the layers are in which the circulation fades at the top and the
// ground, in pressures of the top.
constexpr double fading = 0.2;
const double test_top = pressure_at(12000);

// Their test 1-2.
constexpr double cells = 5, updraught = 0.15, westerly = 40, lid = 12000;

// Williamson and others (1992), equations 143 to 149: their omega and K, R, and Omega.
constexpr double wave_rate = 7.848e-6, wave_number = 4, earth_rate = 7.292e-5;

} // namespace

SolidBody::SolidBody(const WindSettings &s)
    : rate_(2 * pi / s.period), axis_{-std::sin(s.angle * pi / 180), 0, std::cos(s.angle * pi / 180)} {}

double SolidBody::stream(double lon, double lat, double) const {
    return -radius * radius * rate_ * dot(axis_, to_direction(lon, lat));
}

std::optional<Direction3> SolidBody::origin(const Direction3 &there, double time) const {
    return turned(there, axis_, -rate_ * time);
}

MovingVortices::MovingVortices(const WindSettings &s) : SolidBody(s) {
    integral_.push_back(0);
    const double step = 1.0 / vortex_steps;
    for (int n = 0; n < vortex_steps; ++n) // Simpson's rule
        integral_.push_back(integral_.back() +
                            step / 6 * (turn(n * step) + 4 * turn((n + 0.5) * step) + turn((n + 1) * step)));
}

/// Their equations 18 and 19.
double MovingVortices::turn(double sine) const {
    const double rho = vortex_width * std::sqrt(std::max(1 - sine * sine, 0.0));
    const double speed = 1.5 * std::sqrt(3.0) * std::tanh(rho) / square(std::cosh(rho));
    return rate_ * (rho > 1e-8 ? speed / rho : 1.5 * std::sqrt(3.0));
}

/// The integral between its steps by Hermite's cubic, which its derivative makes possible.
double MovingVortices::stream(double lon, double lat, double time) const {
    const double sine = dot(to_direction(lon, lat), turned(first_vortex, axis_, rate_ * time));
    const double place = std::min(std::abs(sine), 1.0) * vortex_steps, step = 1.0 / vortex_steps;
    const int n = std::min(static_cast<int>(place), vortex_steps - 1);
    const double x = place - n;
    const double low = integral_[static_cast<std::size_t>(n)],
                 high = integral_[static_cast<std::size_t>(n) + 1];
    const double between =
        low * square(1 - x) * (1 + 2 * x) + high * square(x) * (3 - 2 * x) +
        step * (turn(n * step) * x * square(1 - x) - turn((n + 1) * step) * square(x) * (1 - x));
    return SolidBody::stream(lon, lat, time) - radius * radius * (sine < 0 ? -between : between);
}

std::optional<Direction3> MovingVortices::origin(const Direction3 &there, double time) const {
    const Direction3 carried = turned(there, axis_, -rate_ * time);
    return turned(carried, first_vortex, -turn(dot(carried, first_vortex)) * time);
}

double Deformation::stream(double lon, double lat, double time) const {
    const double west = lon - 2 * pi * time / period_;
    return radius * radius / period_ *
           (10 * square(std::sin(west) * std::cos(lat)) * std::cos(pi * time / period_) -
            2 * pi * std::sin(lat));
}

std::optional<Direction3> Deformation::origin(const Direction3 &there, double time) const {
    if (is_whole(time, period_)) return there;
    return std::nullopt;
}

double Deformation3::zonal(double lon, double south, double north, double time) const {
    const double omega = 23000 * pi / period_, west = lon - 2 * pi * time / period_;
    const auto area = [](double lat) { return lat / 2 + std::sin(2 * lat) / 4; }; // of cos^2
    return -radius * radius / gravity * omega * std::cos(west) * std::cos(2 * pi * time / period_) *
           (area(north) - area(south));
}

double Deformation3::profile_zonal(double p) const {
    const double depth = fading * test_top;
    return 1 + std::exp((test_top - test_surface) / depth) - std::exp((p - test_surface) / depth) -
           std::exp((test_top - p) / depth);
}

double HadleyCells::stream(double, double lat, double) const { return -radius * westerly * std::sin(lat); }

double HadleyCells::meridional(double lat, double time) const {
    const double density = test_surface / (test_gas_constant * test_temperature);
    return updraught * density / cells * radius * radius * square(std::cos(lat)) * std::sin(cells * lat) *
           std::cos(pi * time / period_);
}

double HadleyCells::profile_meridional(double pressure) const {
    return std::sin(pi * height_of(pressure) / lid);
}

std::optional<Direction3> HadleyCells::origin(const Direction3 &there, double time) const {
    if (is_whole(time, period_)) return there; // what is tested is the same at all longitudes
    return std::nullopt;
}

double OverMountain::terrain(double lon, double lat) const {
    const double distance =
        std::acos(std::clamp(dot(to_direction(lon, lat), to_direction(1.5 * pi, 0)), -1.0, 1.0));
    if (distance >= 0.75 * pi) return 0;
    return 1000 * (1 + std::cos(distance / 0.75)) * square(std::cos(16 * distance));
}

double RossbyHaurwitz::stream(double lon, double lat, double time) const {
    constexpr double r = wave_number;
    const double east = (r * (3 + r) * wave_rate - 2 * earth_rate) / ((1 + r) * (2 + r));
    return radius * radius * wave_rate * std::sin(lat) *
           (std::pow(std::cos(lat), r) * std::cos(r * (lon - east * time)) - 1);
}

std::optional<Direction3> RossbyHaurwitz::origin(const Direction3 &there, double time) const {
    if (time == 0) return there;
    return std::nullopt;
}

} // namespace squall::transport
