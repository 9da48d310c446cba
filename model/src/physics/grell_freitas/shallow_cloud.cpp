#include <array>
#include <cmath>

#include "physics/grell_freitas/shallow.hpp"

namespace squall::grell_freitas {
namespace {

/// Interfaces, 0: none, as WRF keeps them: five, of which the last is replaced.
using Levels = std::array<int, 12>;
constexpr int most_levels = 5;

/// What temperature does between interfaces.
struct Lapse {
    const Air &air;

    real over(int k) const { return air.z[k + 1] - air.z[k - 1]; }
    real slope(int k) const { return (air.now.t[k + 1] - air.now.t[k - 1]) / over(k); }
    /// None is known of the lowest two interfaces.
    real bend(int k) const { return k < 2 ? real(1) : std::abs((slope(k + 1) - slope(k - 1)) / over(k)); }
    bool bends_least(int k) const { return bend(k) < bend(k + 1) && bend(k) < bend(k - 1); }
    bool steepest(int k) const { return slope(k) < slope(k - 1) && slope(k) < slope(k + 1); }
};

Levels least_bends(const Lapse &lapse, int from, int last) {
    Levels levels{};
    int n = 0;
    const int highest = std::min(last + 2, lapse.air.nz - 4);
    for (int k = std::max(2, from); k <= highest; ++k) {
        if (!lapse.bends_least(k)) continue;
        levels[static_cast<std::size_t>(n)] = k;
        n = std::min(n + 1, most_levels - 1);
        if (k + 1 >= last) break;
    }
    return levels;
}

int count(const Levels &levels) {
    return static_cast<int>(std::max_element(levels.begin(), levels.end()) - levels.begin()) + 1;
}

/// Takes out where it cools fastest upwards, which is no inversion.
void drop_steepest(const Lapse &lapse, Levels &levels) {
    const auto n = static_cast<std::size_t>(count(levels));
    std::size_t dropped = 0;
    for (std::size_t k = 0; k < n && levels[k + dropped] > 0; ++k) {
        if (!lapse.steepest(levels[k + dropped])) continue;
        ++dropped;
        for (std::size_t j = k; j < n; ++j) levels[j] = levels[j + dropped];
    }
}

int inversion(const Air &air, const Cloud &cloud) {
    constexpr real usual_depth = 10000; // [Pa]
    const Lapse lapse{air};
    Levels levels = least_bends(lapse, cloud.base + 1, cloud.stable + 3);
    drop_steepest(lapse, levels);
    const auto miss = [&](int k) { return std::abs(std::abs(air.p[k] - air.p[cloud.base]) - usual_depth); };
    return *std::min_element(levels.begin(), levels.begin() + count(levels),
                             [&](int a, int b) { return miss(a) < miss(b); });
}

/// The lowest interface from the source on at which a parcel is buoyant; -1: none up to `highest`.
int first_buoyant_from_source(const Air &air, const Cloud &cloud, int highest) {
    Parcel parcel(air, cloud);
    for (int k = cloud.source; k <= highest; ++k) {
        if (k > cloud.source) parcel.rise(cloud.size.entrainment);
        if (parcel.energy() >= air.forced.h_saturated[k]) return k;
    }
    return -1;
}

bool find_base(const Air &air, Cloud &cloud, int end) {
    constexpr real inhibited = 15000; // [Pa]
    const int within = end_of_boundary_layer(air), highest = std::min(end + 2, air.nz - 5);
    int most = 1;
    for (int k = 2; k <= end; ++k)
        if (air.forced.h[k] > air.forced.h[most]) most = k;
    // WRF counts from the second interface as if it were the first.
    for (cloud.source = air.as_wrf ? std::max(most - 1, 1) : most;; ++cloud.source) {
        cloud.base = first_buoyant_from_source(air, cloud, highest);
        if (cloud.base < 0) return false;
        const real from = air.p[within >= 3 ? within : cloud.source];
        if (cloud.base <= cloud.source + 2 || from - air.p[cloud.base] <= inhibited) break;
    }
    cloud.base = std::max(cloud.base, 1);
    return true;
}

} // namespace

bool find_shallow_cloud(const Air &air, Cloud &cloud) {
    constexpr real highest_source = 3000, deepest = 20000; // [m], [Pa]
    cloud.shallow = true;
    cloud.size = {0, real(9e-5)};
    cloud.excess = excess_of_parcels(air);
    const int end = std::min(first_above(air, highest_source), air.nz / 2 - 1);
    if (!find_base(air, cloud, end)) return false;
    cloud.stable = most_stable(air, cloud, std::max(cloud.base + 1, end));
    cloud.top = inversion(air, cloud);
    if (air.p[cloud.base] - air.p[cloud.top] >= deepest) {
        cloud.top = cloud.base + 1;
        while (cloud.top + 3 < air.nz && air.p[cloud.base] - air.p[cloud.top] <= deepest) ++cloud.top;
    }
    if (cloud.top <= cloud.base + 2) return false;
    const real lower = air.p[cloud.source], depth = air.p[cloud.top] - lower;
    cloud.largest = std::min((air.p[end_of_boundary_layer(air)] - lower) / depth, real(0.8));
    cloud.beta = real(2.5);
    return true;
}

} // namespace squall::grell_freitas
