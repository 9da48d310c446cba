#include "initial/moist_sounding.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "core/constants.hpp"

namespace squall {
namespace {

constexpr double g = constants::g, r_d = constants::r_d, c_p = constants::c_p, p0 = constants::p0;
constexpr double rv_over_rd = double(constants::r_v) / constants::r_d;
constexpr double cv_over_cp = 1 - r_d / c_p, kappa = r_d / c_p;

/// Density of the dry part of air [kg m-3].
double dry_density(double theta, double vapour, double p) {
    return p0 / (r_d * theta * (1 + rv_over_rd * vapour)) * std::pow(p / p0, cv_over_cp);
}

/// Pressures at the levels from the surface up: p falls by the mean weight of dry air and water
/// between levels.
std::vector<double> integrate_up(double surface_pressure, const std::vector<SoundingLevel> &levels,
                                 bool moist) {
    const auto vapour = [&](std::size_t k) { return moist ? levels[k].vapour : 0; };
    const auto water = [&](std::size_t k) { return moist ? levels[k].vapour + levels[k].cloud : 0; };
    std::vector<double> p{surface_pressure};
    for (std::size_t k = 1; k < levels.size(); ++k) {
        const double weight =
            0.5 * g * (levels[k].z - levels[k - 1].z) * (1 + 0.5 * (water(k) + water(k - 1)));
        const double below = dry_density(levels[k - 1].theta, vapour(k - 1), p[k - 1]);
        double now = p[k - 1];
        for (int n = 0; n < 20; ++n)
            now = p[k - 1] - weight * (below + dry_density(levels[k].theta, vapour(k), now));
        if (!(now > 0))
            throw std::invalid_argument(fmt::format(
                "the atmosphere ends below {} m: theta of {} K is too cold", levels[k].z, levels[k].theta));
        p.push_back(now);
    }
    return p;
}

/// y at `at`, linear in x, which rises (falls where `Falls`); beyond the ends the line goes on.
template <bool Falls = false, class X, class Y> double interpolate(std::size_t n, X x, Y y, double at) {
    std::size_t low = 0, high = n - 1;
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        ((x(middle) > at) != Falls ? high : low) = middle;
    }
    const double weight = (at - x(low)) / (x(high) - x(low));
    return y(low) + weight * (y(high) - y(low));
}

void check_levels(const std::vector<SoundingLevel> &levels) {
    if (levels.size() < 3 || levels[0].z != 0)
        throw std::invalid_argument("a sounding needs at least 3 levels, from the surface up");
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const SoundingLevel &l = levels[k];
        if (k > 0 && !(l.z > levels[k - 1].z))
            throw std::invalid_argument(
                fmt::format("the level at {} m is not above the level at {} m", l.z, levels[k - 1].z));
        if (!(l.theta > 100 && l.theta < 2e4 && l.vapour >= 0 && l.vapour < 0.1 && std::abs(l.u) < 1000 &&
              std::abs(l.v) < 1000))
            throw std::invalid_argument(
                fmt::format("impossible values at {} m: theta {} K, vapour {} g/kg, wind {}, {} m/s", l.z,
                            l.theta, 1000 * l.vapour, l.u, l.v));
    }
}

} // namespace

MoistSounding::MoistSounding(double surface_pressure, std::vector<SoundingLevel> levels)
    : levels_(std::move(levels)) {
    check_levels(levels_);
    pressure_ = integrate_up(surface_pressure, levels_, true);
    const auto density = [&](std::size_t k) {
        return dry_density(levels_[k].theta, levels_[k].vapour, pressure_[k]);
    };
    dry_pressure_ = pressure_;
    for (std::size_t k = levels_.size() - 1; k-- > 0;)
        dry_pressure_[k] = dry_pressure_[k + 1] +
                           0.5 * g * (levels_[k + 1].z - levels_[k].z) * (density(k) + density(k + 1));
}

SoundingLevel MoistSounding::at(double z) const {
    const auto height = [&](std::size_t k) { return levels_[k].z; };
    const double inside = std::clamp(z, 0.0, top());
    const auto value = [&](double SoundingLevel::*member) {
        return interpolate(
            levels_.size(), height, [&](std::size_t k) { return levels_[k].*member; }, inside);
    };
    return {z,
            value(&SoundingLevel::theta),
            value(&SoundingLevel::vapour),
            value(&SoundingLevel::cloud),
            value(&SoundingLevel::u),
            value(&SoundingLevel::v)};
}

namespace {

double value_at(const std::vector<SoundingLevel> &levels, const std::vector<double> &values, double z) {
    return interpolate(
        levels.size(), [&](std::size_t k) { return levels[k].z; }, [&](std::size_t k) { return values[k]; },
        z);
}

double height_at(const std::vector<SoundingLevel> &levels, const std::vector<double> &pressure, double p) {
    return interpolate<true>(
        levels.size(), [&](std::size_t k) { return pressure[k]; }, [&](std::size_t k) { return levels[k].z; },
        p);
}

} // namespace

double MoistSounding::pressure(double z) const { return value_at(levels_, pressure_, z); }
double MoistSounding::dry_pressure(double z) const { return value_at(levels_, dry_pressure_, z); }
double MoistSounding::height_of(double p) const { return height_at(levels_, pressure_, p); }
double MoistSounding::height_of_dry(double p) const { return height_at(levels_, dry_pressure_, p); }

Sounding MoistSounding::base() const {
    struct Base {
        std::vector<SoundingLevel> levels;
        std::vector<double> pressure, theta;
    };
    const auto b = std::make_shared<Base>();
    b->levels = levels_;
    b->pressure = integrate_up(pressure_[0], levels_, false);
    for (const SoundingLevel &l : levels_) b->theta.push_back(l.theta);
    return {[b](double z) { return value_at(b->levels, b->theta, z); },
            [b](double z) { return z > b->levels.back().z ? 0 : value_at(b->levels, b->pressure, z); },
            [b](double p) { return height_at(b->levels, b->pressure, p); }};
}

MoistSounding read_sounding(const SmallFiles &files, const std::string &file) {
    std::istringstream in = files.open(file);
    const auto fail = [&](int line, const std::string &what) {
        throw std::runtime_error(fmt::format("{}:{}: {}", file, line, what));
    };
    std::string text;
    double p = 0, theta = 0, vapour = 0;
    if (!std::getline(in, text) || !(std::istringstream(text) >> p >> theta >> vapour))
        fail(1, "the first line of a sounding must hold the pressure [hPa], potential temperature [K] and "
                "vapour [g/kg] at the surface");
    if (!(p > 100 && p < 1200)) fail(1, fmt::format("a surface pressure of {} hPa is impossible", p));
    std::vector<SoundingLevel> levels;
    for (int line = 2; std::getline(in, text); ++line) {
        if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
        SoundingLevel l{};
        if (!(std::istringstream(text) >> l.z >> l.theta >> l.vapour >> l.u >> l.v))
            fail(line, "not five numbers: height [m], potential temperature [K], vapour [g/kg], u, v [m/s]");
        l.vapour /= 1000;
        if (levels.empty() && l.z > 0) levels.push_back({0, theta, vapour / 1000, 0, l.u, l.v});
        levels.push_back(l);
    }
    try {
        return MoistSounding(100 * p, levels);
    } catch (const std::invalid_argument &e) {
        throw std::runtime_error(fmt::format("{}: {}", file, e.what()));
    }
}

double saturation_mixing_ratio(double t, double p) {
    const double e = 611.2 * std::exp(17.67 * (t - 273.15) / (t - 29.65));
    return e / (rv_over_rd * (p - e));
}

std::vector<SoundingLevel> weisman_klemp_levels(double surface_pressure, double most_vapour) {
    constexpr double tropopause = 12000, surface = 300, theta_there = 343, t_there = 213;
    const auto level = [](double z) {
        const double height = z / tropopause;
        const double theta = height <= 1 ? surface + (theta_there - surface) * std::pow(height, 1.25)
                                         : theta_there * std::exp(g / (c_p * t_there) * (z - tropopause));
        return SoundingLevel{z, theta, 0};
    };
    std::vector<SoundingLevel> levels;
    for (double z = 0; z <= 40000; z += 50) levels.push_back(level(z));
    // The vapour needs the pressure, which the vapour changes a little.
    for (int n = 0; n < 10; ++n) {
        const auto pressure = integrate_up(surface_pressure, levels, true);
        for (std::size_t k = 0; k < levels.size(); ++k) {
            const double height = levels[k].z / tropopause;
            const double humidity = height <= 1 ? 1 - 0.75 * std::pow(height, 1.25) : 0.25;
            const double t = levels[k].theta * std::pow(pressure[k] / p0, kappa);
            levels[k].vapour = std::min(most_vapour, humidity * saturation_mixing_ratio(t, pressure[k]));
        }
    }
    return levels;
}

} // namespace squall
