#include "physics/grell_freitas/cloud.hpp"

#include <cmath>

namespace squall::grell_freitas {
namespace {

constexpr real highest_source = 4000; // [m]

/// The lowest interface above the source at which a parcel is buoyant; -1: none up to `highest`.
int first_buoyant(const Air &air, const Cloud &cloud, int highest) {
    Parcel parcel(air, cloud);
    for (int k = cloud.source + 1; k <= highest; ++k)
        if (parcel.rise(cloud.size.entrainment) >= air.forced.h_saturated[k]) return k;
    return -1;
}

bool find_base(const Air &air, Cloud &cloud) {
    const int end = first_above(air, highest_source), highest = std::min(end + 2, air.nz - 3);
    cloud.source = 1;
    for (int k = 2; k <= highest; ++k)
        if (air.forced.h[k] > air.forced.h[cloud.source]) cloud.source = k;
    if (cloud.source >= end) return false;
    const real inhibited = air.land && air.heat_flux > 0 && cloud.excess.energy > 0 ? 10000 : 7500; // [Pa]
    for (;; ++cloud.source) {
        cloud.base = first_buoyant(air, cloud, highest);
        if (cloud.base < 0) return false;
        const bool next = cloud.base == cloud.source + 1;
        if (next || air.p[cloud.source] - air.p[cloud.base] <= inhibited) return true;
    }
}

/// In a small cell the grid lifts air that is saturated already.
bool resolved(const Air &air, const Cloud &cloud) {
    return cloud.size.largest() &&
           air.forced.q[cloud.base] >= real(0.97) * air.forced.q_saturated[cloud.base];
}

void find_top(const Air &air, Cloud &cloud) {
    Parcel parcel(air, cloud);
    real buoyancy = 0, most = 0;
    cloud.top = 0;
    for (int k = cloud.source + 1; k + 2 < air.nz; ++k) {
        const real energy = parcel.rise(entrainment(air, cloud, k - 1));
        if (k < cloud.base) continue;
        buoyancy += (energy - air.forced.h_saturated[k]) * (air.z[k] - air.z[k - 1]);
        if (buoyancy > most) most = buoyancy, cloud.top = k;
    }
    cloud.neutral = cloud.top;
}

} // namespace

Parcel::Parcel(const Air &air, const Cloud &cloud)
    : air_(air), at_(cloud.source), energy_(source_energy(air.forced, cloud, cloud.source)) {}

real Parcel::rise(real rate) {
    ++at_;
    const real mixed = rate * (air_.z[at_] - air_.z[at_ - 1]);
    energy_ =
        ((1 - real(0.5) * mixed) * energy_ + mixed * air_.forced.energy[at_ - 1]) / (1 + real(0.5) * mixed);
    return energy_;
}

Size size_of_draughts(real spacing) {
    constexpr real pi = real(3.14), widest = real(0.2) / real(7e-5); // [m]
    const real share = pi * widest * widest / (spacing * spacing);
    if (share <= Size::largest_share) return {share, real(0.2) / widest};
    return {Size::largest_share, real(0.2) / std::sqrt(Size::largest_share * spacing * spacing / pi)};
}

real entrainment(const Air &air, const Cloud &cloud, int k) {
    const real humidity = std::min(air.forced.q[k] / air.forced.q_saturated[k], real(1));
    return cloud.size.entrainment * (cloud.shallow ? real(2.3) - 2 * humidity : real(1.3) - humidity);
}

real source_energy(const Sounding &air, const Cloud &cloud, int interface) {
    const int n = std::min(interface + 1, 3);
    real sum = 0;
    for (int k = interface; k > interface - n; --k) sum += air.h[k];
    return sum / real(n) + cloud.excess.energy;
}

int most_stable(const Air &air, const Cloud &cloud, int highest) {
    int stable = cloud.base;
    for (int k = cloud.base + 1; k <= highest; ++k)
        if (air.forced.h_saturated[k] < air.forced.h_saturated[stable]) stable = k;
    return stable;
}

bool find_cloud(const Air &air, Cloud &cloud) {
    cloud.size = size_of_draughts(air.spacing);
    cloud.excess = excess_of_parcels(air);
    if (!find_base(air, cloud) || resolved(air, cloud)) return false;
    cloud.stable = most_stable(air, cloud, air.nz - 2);
    find_top(air, cloud);
    if (cloud.top <= cloud.base + 2) return false;
    const real lower = air.p[cloud.source], upper = air.p[cloud.top];
    cloud.largest = (upper + (air.p[cloud.stable] - upper) * real(0.4) - lower) / (upper - lower);
    cloud.beta = real(1.3);
    return true;
}

Shape::Shape(real lower, real upper, real at, real beta) : from(lower), depth(upper - lower), b(beta) {
    at = std::clamp(at, real(0.2), real(0.9));
    a = (at * (beta - 2) + 1) / (1 - at);
}

real Shape::at(real pressure) const {
    const real x = std::clamp((pressure - from) / depth, real(0), real(1));
    return std::pow(x, a - 1) * std::pow(1 - x, b - 1);
}

real Shape::norm() const { return std::tgamma(a + b) / (std::tgamma(a) * std::tgamma(b)); }

} // namespace squall::grell_freitas
