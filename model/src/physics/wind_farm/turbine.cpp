#include "physics/wind_farm/turbine.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace squall {

TurbineType::TurbineType(double hub, double diameter, double standing, std::vector<double> speeds,
                         std::vector<double> thrusts, std::vector<double> powers)
    : hub_(real(hub)), radius_(real(diameter / 2)), standing_(real(standing)),
      speeds_(speeds.begin(), speeds.end()), thrusts_(thrusts.begin(), thrusts.end()) {
    const double swept = std::numbers::pi / 4 * diameter * diameter;
    for (std::size_t n = 0; n < powers.size(); ++n)
        powers_.push_back(
            real(1000 * powers[n] / (0.5 * double(air_density) * std::pow(speeds[n], 3) * swept)));
}

real TurbineType::area() const { return real(std::numbers::pi) * radius_ * radius_; }

TurbineCoefficients TurbineType::coefficients(real speed) const {
    if (speed <= speeds_.front()) return {standing_, 0};
    if (speed >= speeds_.back()) return {thrusts_.back(), 0};
    const auto upper = static_cast<std::size_t>(std::ranges::upper_bound(speeds_, speed) - speeds_.begin());
    const real share = (speed - speeds_[upper - 1]) / (speeds_[upper] - speeds_[upper - 1]);
    const auto at = [&](const std::vector<real> &curve) {
        return curve[upper - 1] + share * (curve[upper] - curve[upper - 1]);
    };
    return {at(thrusts_), at(powers_)};
}

/// Of the disc of radius r, cut d above its middle: r^2 (pi / 2 + asin(d / r)) + d sqrt(r^2 - d^2).
real TurbineType::area_below(real height) const {
    const real r = radius_, d = std::clamp(height - hub_, -r, r);
    return r * r * (real(std::numbers::pi / 2) + std::asin(d / r)) + d * std::sqrt(r * r - d * d);
}

real TurbineType::area_between(real lower, real upper) const { return area_below(upper) - area_below(lower); }

} // namespace squall
