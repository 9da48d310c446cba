#include "physics/thompson/tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "physics/thompson/bins.hpp"
#include "physics/thompson/distributions.hpp"

namespace squall::thompson {
namespace {

/// Of all contents and intercepts.
std::vector<Binned> all_rain(const Bins &b) {
    const int n = contents.size();
    std::vector<Binned> all(static_cast<std::size_t>(n * n));
    for (int r = 0; r < n * n; ++r)
        all[r] = exponential_in_bins(b, contents.value(r / n), rain_intercepts.value(r % n), rain_mass);
    return all;
}

/// A function of diameter in bins.
template <class F> Binned in_bins(const Bins &b, F f) {
    Binned v{};
    for (int i = 0; i < bins; ++i) v[i] = f(b.diameter[i]);
    return v;
}

/// Collection efficiency of Beard and Grover (1974, JAS 31, 543-550): p the ratio of diameters.
double by_inertia(double droplet, double collector, double speed) {
    const double p = droplet / collector;
    const double stokes = droplet * droplet * speed * rho_water / (9 * 1.718e-5 * collector);
    const double f = std::log(9 * stokes / (p * p * rho_water));
    const double k0 = std::exp(-0.1007 - 0.358 * f + 0.0261 * f * f);
    const double z = std::log(stokes / (k0 + 1e-15));
    const double h = 0.1465 + 1.302 * z - 0.607 * z * z + 0.293 * cube(z);
    const double y = 2 / pi * std::atan(h);
    return (y + p) * (y + p) / ((1 + p) * (1 + p));
}

/// That of small drops, fits to Pruppacher and Klett (1978, figure 14-9); `x` in micrometres.
double of_small_drop(double drop, double x) {
    if (drop < 75e-6) return 0.026794 * x - 0.20604;
    if (drop < 125e-6) return -0.00066842 * x * x + 0.061542 * x - 0.37089;
    if (drop < 175e-6)
        return 4.091e-06 * cube(x) * x - 0.00030908 * cube(x) + 0.0066237 * x * x - 0.0013687 * x - 0.073022;
    if (drop < 250e-6) return 9.6719e-5 * cube(x) - 0.0068901 * x * x + 0.17305 * x - 0.65988;
    if (drop < 350e-6) return 9.0488e-5 * cube(x) - 0.006585 * x * x + 0.16606 * x - 0.56125;
    return 0.00010721 * cube(x) - 0.0072962 * x * x + 0.1704 * x - 0.46929;
}

double rain_collects(double drop, double droplet) {
    if (drop < 50e-6 || droplet < 3e-6) return 0;
    return droplet / drop > 0.25 ? of_small_drop(drop, droplet * 1e6)
                                 : by_inertia(droplet, drop, drop_speed(drop));
}

double snow_collects(double flake, double droplet) {
    const double slip = 1.19e4 * (1e4 * droplet * droplet * 0.25);
    const double speed = snow_a * std::pow(flake, snow_b) * std::exp(-snow_f * flake) - slip;
    const double melted = std::cbrt(snow_mass * flake * flake / rain_mass);
    if (droplet / melted > 0.25 || flake < snow_least || droplet < 6e-6 || speed < 1e-3) return 0;
    return by_inertia(droplet, melted, speed);
}

/// Where in a table of bins something of this size is looked up.
int bin_of(double diameter, const Bins &b) {
    const double n =
        bins * std::log(diameter / b.diameter[0]) / std::log(b.diameter[bins - 1] / b.diameter[0]);
    return std::clamp(static_cast<int>(n), 0, bins - 1);
}

/// From 1e-10 to 1e10.
double power_of_ten(int n) {
    constexpr std::array powers{1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0,
                                1e1,   1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10};
    return powers[static_cast<std::size_t>(n + 10)];
}

int droplet_bin(double diameter) { return std::clamp(static_cast<int>(diameter * 1e6), 1, bins) - 1; }

} // namespace

double Digits::value(int n) const { return (n % 9 + 1) * power_of_ten(first + n / 9); }

int Digits::at(double x) const {
    constexpr double nearly = 1 - 2.3e-7; // a little less than a power of ten is one
    if (!(x > power_of_ten(first))) return 0;
    if (x >= power_of_ten(last)) return size() - 1;
    const int binary = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) - 1023; // log2, rounded down
    int decade = (binary * 1233) >> 12;                                                // its log10, likewise
    if (x >= nearly * power_of_ten(decade + 1)) ++decade;
    const int digit = static_cast<int>(x / power_of_ten(decade) + 1e-6);
    return std::min(digit - 1 + 9 * (decade - first), size() - 1);
}

Tables::Tables() {
    collide_with_graupel();
    collide_with_snow();
    freeze_rain();
    freeze_cloud();
    find_large_ice();
    find_efficiencies();
}

const Tables &Tables::shared() {
    static const Tables tables;
    return tables;
}

const WithGraupel &Tables::with_graupel(int intercept, int content, int rain_intercept, int rain,
                                        bool as_wrf) const {
    const int n = contents.size(), rains = n * n, beside = as_wrf ? 4 : 0;
    const int of_rain = std::min(rain * n + rain_intercept + beside, rains - 1);
    return with_graupel_[static_cast<std::size_t>((content * n + intercept) * rains + of_rain)];
}

const WithSnow &Tables::with_snow(int content, int cold, int rain_intercept, int rain) const {
    const int n = contents.size();
    return with_snow_[static_cast<std::size_t>(((content * snow_colds + cold) * n + rain) * n +
                                               rain_intercept)];
}

const FrozenRain &Tables::frozen_rain(int content, int intercept, int cold) const {
    const int n = contents.size();
    return frozen_rain_[static_cast<std::size_t>((content * n + intercept) * colds + cold - 1)];
}

const FrozenCloud &Tables::frozen_cloud(int content, int cold) const {
    return frozen_cloud_[static_cast<std::size_t>(content * colds + cold - 1)];
}

const LargeIce &Tables::large_ice(int content, int number) const {
    return large_ice_[static_cast<std::size_t>(content * ice_numbers.size() + number)];
}

double Tables::rain_efficiency(double diameter, double droplet) const {
    static const Bins b = rain_bins();
    return rain_efficiency_[static_cast<std::size_t>(bin_of(diameter, b) * bins + droplet_bin(droplet))];
}

double Tables::snow_efficiency(double diameter, double droplet) const {
    static const Bins b = snow_bins();
    return snow_efficiency_[static_cast<std::size_t>(bin_of(diameter, b) * bins + droplet_bin(droplet))];
}

/// A kernel's sum over bins of both is bilinear in their numbers: for each distribution of graupel it is
/// summed over graupel once, so that each of rain costs a product of vectors.
void Tables::collide_with_graupel() {
    const Bins rain = rain_bins(), graupel = graupel_bins();
    const int n = contents.size(), rains = n * n;
    with_graupel_.resize(static_cast<std::size_t>(rains) * n * n);
    const auto rain_speed = in_bins(rain, drop_speed);
    const auto graupel_speed = in_bins(graupel, [](double d) { return graupel_a * std::pow(d, graupel_b); });
    const auto of_rain = all_rain(rain);
#pragma omp parallel for schedule(dynamic)
    for (int g = 0; g < rains; ++g) {
        const auto of_graupel = exponential_in_bins(graupel, contents.value(g / n),
                                                    graupel_intercepts.value(g % n), graupel_mass);
        std::array<double, bins> fast{}, fast_mass{}, slow{}; // rain that overtakes, its graupel, other rain
        for (int i = 0; i < bins; ++i)
            for (int j = 0; j < bins; ++j) {
                const double across = rain.diameter[i] + graupel.diameter[j];
                const double swept = pi / 4 * rain_graupel_efficiency * across * across * of_graupel[j];
                const double faster = rain_speed[i] - graupel_speed[j];
                fast[i] += swept * std::max(faster, 0.0);
                fast_mass[i] += swept * std::max(faster, 0.0) * graupel_mass * cube(graupel.diameter[j]);
                slow[i] += swept * std::max(-faster, 0.0);
            }
        for (int r = 0; r < rains; ++r) {
            double mass = 0, number = 0, melting = 0, overtaken = 0, overtaken_mass = 0;
            for (int i = 0; i < bins; ++i) {
                const double here = of_rain[r][i], drop = rain_mass * cube(rain.diameter[i]);
                number += here * fast[i];
                mass += here * fast[i] * drop;
                melting += here * fast_mass[i];
                overtaken += here * slow[i];
                overtaken_mass += here * slow[i] * drop;
            }
            with_graupel_[static_cast<std::size_t>(g) * rains + r] = {
                float(std::min(mass, contents.value(r / n)) + overtaken_mass), float(number + overtaken),
                float(melting), float(overtaken)};
        }
    }
}

void Tables::collide_with_snow() {
    const Bins rain = rain_bins(), snow = snow_bins();
    const int n = contents.size(), rains = n * n;
    with_snow_.resize(static_cast<std::size_t>(n) * snow_colds * rains);
    const auto rain_speed = in_bins(rain, drop_speed);
    const auto snow_speed =
        in_bins(snow, [](double d) { return 1.5 * snow_a * std::pow(d, snow_b) * std::exp(-snow_f * d); });
    const auto of_rain = all_rain(rain);
#pragma omp parallel for schedule(dynamic)
    for (int s = 0; s < n * snow_colds; ++s) {
        const double m2 = contents.value(s / snow_colds) / snow_mass;
        const double inverse = m2 / snow_moment(3, std::min(-0.01, -5.0 * (s % snow_colds)), m2);
        const auto flakes = in_bins(snow, [=](double d) {
            return m2 * cube(inverse) *
                   (kap0 * std::exp(-inverse * lam0 * d) +
                    kap1 * std::pow(inverse * d, snow_mu) * std::exp(-inverse * lam1 * d));
        });
        // Numbers by rain's bin: with heavy drops while rain is faster, slower; with others.
        std::array<double, bins> fast{}, slow{}, light{}, snow_with{};
        for (int i = 0; i < bins; ++i)
            for (int j = 0; j < bins; ++j) {
                const double d = snow.diameter[j], mass = snow_mass * d * d;
                const double across = rain.diameter[i] + d;
                const double faster = rain_speed[i] - snow_speed[j];
                const double met = pi / 4 * rain_snow_efficiency * across * across * flakes[j] *
                                   snow.width[j] * std::abs(faster);
                if (rain_mass * cube(rain.diameter[i]) > 1.5 * mass) {
                    (faster > 0 ? fast : slow)[i] += met;
                    snow_with[i] += met * mass;
                } else
                    light[i] += met;
            }
        for (int r = 0; r < rains; ++r) {
            double heavy = 0, overtaken = 0, others = 0, frozen = 0, number = 0;
            for (int i = 0; i < bins; ++i) {
                const double here = of_rain[r][i], drop = rain_mass * cube(rain.diameter[i]);
                heavy += here * fast[i] * drop;
                overtaken += here * slow[i] * drop;
                others += here * light[i] * drop;
                frozen += here * snow_with[i];
                number += here * (fast[i] + slow[i] + light[i]);
            }
            with_snow_[static_cast<std::size_t>(s) * rains + r] = {
                float(std::min(heavy, contents.value(r / n)) + overtaken), float(others), float(frozen),
                float(number)};
        }
    }
}

void Tables::freeze_rain() {
    const Bins rain = rain_bins();
    const int n = contents.size();
    frozen_rain_.resize(static_cast<std::size_t>(n) * n * colds);
    std::vector<Binned> parts;
    for (int cold = 1; cold <= colds; ++cold) parts.push_back(freezing_parts(rain, cold));
#pragma omp parallel for
    for (int r = 0; r < n * n; ++r) {
        const double content = contents.value(r / n);
        const Binned of_rain = exponential_in_bins(rain, content, rain_intercepts.value(r % n), rain_mass);
        for (int cold = 0; cold < colds; ++cold)
            frozen_rain_[static_cast<std::size_t>(r * colds + cold)] =
                frozen_of_rain(rain, of_rain, parts[static_cast<std::size_t>(cold)], content);
    }
}

void Tables::freeze_cloud() {
    const double number = DropletNumbers::value(DropletNumbers::at(droplets));
    const Bins b = droplet_bins();
    frozen_cloud_.resize(static_cast<std::size_t>(contents.size() * colds));
    for (int c = 0; c < contents.size(); ++c) {
        const double content = contents.value(c);
        const Binned of_cloud = droplets_in_bins(b, content, number);
        for (int cold = 1; cold <= colds; ++cold)
            frozen_cloud_[static_cast<std::size_t>(c * colds + cold - 1)] =
                frozen_of_cloud(b, of_cloud, freezing_parts(b, cold), content, number);
    }
}

/// Of growth by vapour, crystals smaller than snow get the part of the first moment that is theirs
/// (Harrington et al. 1995, JAS 52, 4344-4366).
void Tables::find_large_ice() {
    const double smallest = std::cbrt(new_crystal / ice_mass);
    const Bins b = growing_bins(smallest, 2 * snow_least);
    large_ice_.resize(static_cast<std::size_t>(ice_contents.size() * ice_numbers.size()));
    for (int c = 0; c < ice_contents.size(); ++c)
        for (int m = 0; m < ice_numbers.size(); ++m) {
            const double content = ice_contents.value(c), number = ice_numbers.value(m);
            const double lambda = std::cbrt(6 * ice_mass * number / content), mean = 4 / lambda;
            LargeIce &out = large_ice_[static_cast<std::size_t>(c * ice_numbers.size() + m)];
            if (mean > 5 * snow_least)
                out = {float(content), float(number), 0};
            else if (mean < smallest)
                out = {0, 0, 1};
            else {
                const double x = lambda * snow_least;
                double mass = 0, large = 0;
                for (int i = 0; i < bins; ++i) {
                    if (b.diameter[i] < snow_least) continue;
                    const double here = number * lambda * std::exp(-lambda * b.diameter[i]) * b.width[i];
                    large += here;
                    mass += here * ice_mass * cube(b.diameter[i]);
                }
                out = {float(mass), float(large), float(1 - (1 + x) * std::exp(-x))};
            }
        }
}

void Tables::find_efficiencies() {
    const Bins rain = rain_bins(), snow = snow_bins(), cloud = droplet_bins();
    for (int i = 0; i < bins; ++i)
        for (int j = 0; j < bins; ++j) {
            const double by_rain = rain_collects(rain.diameter[i], cloud.diameter[j]);
            const double by_snow = snow_collects(snow.diameter[i], cloud.diameter[j]);
            rain_efficiency_.push_back(float(std::clamp(by_rain, 0.0, 0.95)));
            snow_efficiency_.push_back(float(std::clamp(by_snow, 0.0, 0.95)));
        }
}

} // namespace squall::thompson
