#include "physics/thompson/freezing.hpp"

#include <algorithm>
#include <cmath>

#include "physics/thompson/distributions.hpp"
#include "physics/thompson/tables.hpp"

namespace squall::thompson {
namespace {

double drop_mass(double diameter) { return rain_mass * (diameter * diameter * diameter); }

/// How much colder drops seem where nuclei [m-3] are not 1000 in a cubic metre [K].
double colder_by(double nuclei) { return std::clamp(std::log10(nuclei) - 3, -3.0, 3.0); }

} // namespace

Binned droplets_in_bins(const Bins &b, double content, double number) {
    const Droplets d = droplets_of(content, number);
    const double n0 = number / std::tgamma(d.nu + 1.0) * std::pow(d.lambda, d.nu + 1.0);
    Binned n{};
    for (int i = 0; i < bins; ++i)
        n[i] = n0 * std::pow(b.diameter[i], d.nu) * std::exp(-d.lambda * b.diameter[i]) * b.width[i];
    return n;
}

Binned freezing_parts(const Bins &b, double cold) {
    const double chance = std::exp(cold) - 1;
    Binned p{};
    for (int i = 0; i < bins; ++i)
        p[i] = std::max(0.0, 1 - std::exp(-120 * drop_mass(b.diameter[i]) / rho_water * 5.2e-4 * chance));
    return p;
}

FrozenRain frozen_of_rain(const Bins &b, const Binned &drops, const Binned &parts, double content) {
    constexpr double heaviest_ice = pi * 800 / 6 * (graupel_least * graupel_least * graupel_least);
    double ice = 0, graupel = 0, ice_number = 0, graupel_number = 0;
    for (int i = bins - 1; i >= 0 && ice + graupel < content; --i) {
        const double mass = drop_mass(b.diameter[i]), number = parts[i] * drops[i];
        (mass < heaviest_ice ? ice_number : graupel_number) += number;
        (mass < heaviest_ice ? ice : graupel) += number * mass;
    }
    return {float(ice), float(ice_number), float(graupel), float(graupel_number)};
}

FrozenCloud frozen_of_cloud(const Bins &b, const Binned &cloud, const Binned &parts, double content,
                            double number) {
    double mass = 0, frozen = 0;
    for (int i = bins - 1; i >= 0 && mass < content; --i) {
        const double here = parts[i] * cloud[i];
        frozen = std::min(number, frozen + here);
        mass += here * drop_mass(b.diameter[i]);
    }
    return {float(mass), float(frozen)};
}

/// Of 100 bins from 1 to 3000 cm-3, on a logarithmic scale, the middle.
double DropletNumbers::value(int n) {
    constexpr double step = 0.0800637;
    return std::exp((n + 0.5) * step) * 1e6;
}

/// WRF takes 7 for the logarithm of the whole range, 7.93.
int DropletNumbers::at(double number) {
    constexpr double first = 1.0408, range = 7;
    const long n = std::lround(1 + bins * std::log(number / (first * 1e6)) / range);
    return static_cast<int>(std::clamp(n, 1L, long(bins))) - 1;
}

Freezing::Freezing() {
    for (int c = 0; c < contents.size(); ++c) {
        for (int n = 0; n < rain_intercepts.size(); ++n)
            rain_.push_back(
                exponential_in_bins(rain_bins_, contents.value(c), rain_intercepts.value(n), rain_mass));
        for (int n = 0; n < bins; ++n)
            droplets_.push_back(droplets_in_bins(droplet_bins_, contents.value(c), DropletNumbers::value(n)));
    }
    for (int n = 0; n < ice_numbers.size(); ++n)
        for (int cold = 1; cold <= colds; ++cold) {
            const double seems = cold + colder_by(ice_numbers.value(n));
            rain_parts_.push_back(freezing_parts(rain_bins_, seems));
            droplet_parts_.push_back(freezing_parts(droplet_bins_, seems));
        }
}

const Freezing &Freezing::shared() {
    static const Freezing freezing;
    return freezing;
}

FrozenRain Freezing::rain(int content, int intercept, int cold, int nuclei) const {
    return frozen_of_rain(
        rain_bins_, rain_[static_cast<std::size_t>(content * rain_intercepts.size() + intercept)],
        rain_parts_[static_cast<std::size_t>(nuclei * colds + cold - 1)], contents.value(content));
}

FrozenCloud Freezing::cloud(int content, int number, int cold, int nuclei) const {
    return frozen_of_cloud(droplet_bins_, droplets_[static_cast<std::size_t>(content * bins + number)],
                           droplet_parts_[static_cast<std::size_t>(nuclei * colds + cold - 1)],
                           contents.value(content), DropletNumbers::value(number));
}

double Freezing::droplets_up_to(int diameter, int content, int number) const {
    const Binned &n = droplets_[static_cast<std::size_t>(content * bins + number)];
    double sum = 0;
    for (int i = 0; i < std::clamp(diameter, 1, bins); ++i) sum += n[i];
    return sum;
}

} // namespace squall::thompson
