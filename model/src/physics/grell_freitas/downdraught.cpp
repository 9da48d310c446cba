#include <cmath>

#include "physics/grell_freitas/draughts.hpp"

namespace squall::grell_freitas {
namespace {

constexpr real spreads_below = 1000, highest_start = 4000, shallowest = 1000; // [m]
constexpr int lowest_start = 5;                                               // interface

/// Fritsch and Chappell (1980): of wind shear between base and top [1e-3 s-1].
real efficiency_of_shear(const Air &air, const Cloud &cloud) {
    real sum = 0, depth = 0;
    for (int k = cloud.base; k <= std::min(cloud.top, air.nz - 2); ++k) {
        const real dp = air.pressure[k] - air.pressure[k + 1], dz = air.height[k + 1] - air.height[k];
        sum += (std::abs(air.u[k + 1] - air.u[k]) + std::abs(air.v[k + 1] - air.v[k])) / dz * dp;
        depth += dp;
    }
    const real s = 1000 * sum / depth;
    return real(1.591) + s * (real(-0.639) + s * (real(0.0953) - s * real(0.00496)));
}

/// Zhang and Fritsch (1986): of the height of the base [1000 feet].
real efficiency_of_base(real height) {
    const real h = height * real(3.281e-3);
    real evaporates = real(0.02);
    if (h > 3)
        evaporates = real(0.96729352) +
                     h * (real(-0.70034167) +
                          h * (real(0.162179896) +
                               h * (real(-1.2569798e-2) + h * (real(4.2772e-4) - h * real(5.44e-6)))));
    if (h > 25) evaporates = real(2.4);
    return 1 / (1 + evaporates);
}

} // namespace

real efficiency(const Air &air, const Cloud &cloud) {
    const auto bounded = [](real x) { return std::clamp(x, real(0.1), real(0.9)); };
    return real(0.5) * (bounded(efficiency_of_base(air.height[cloud.base] + air.datum())) +
                        bounded(efficiency_of_shear(air, cloud)));
}

Downdraught::Downdraught(int layers) : Draught(layers), evaporates(layers) {}

bool Downdraught::sink(const Air &air, const Cloud &cloud, const Updraught &up) {
    clear();
    if (!begin(air, cloud) || air.z[cloud.top] - air.z[cloud.base] < shallowest || !shape(air)) return false;
    exchange(air, cloud);
    if (!carry(air, up) || !evaporate(air)) return false;
    carry(air.u, air.east, u);
    carry(air.v, air.north, v);
    const real most = air.land ? real(1) : real(0.4);
    strength =
        std::clamp(real(0.8) * (1 - efficiency(air, cloud)) * up.raining / evaporated, real(0.1), most);
    return true;
}

/// Where saturated air sinks all the way down in the mean.
bool Downdraught::begin(const Air &air, const Cloud &cloud) {
    const Profile &saturated = air.forced.h_saturated;
    const real highest = std::min(real(0.6) * air.z[cloud.top], highest_start);
    const int last = std::max(cloud.source + 1, std::min(first_above(air, highest), cloud.stable - 1));
    start = cloud.source;
    for (int k = cloud.source + 1; k <= last; ++k)
        if (saturated[k] < saturated[start]) start = k;
    spreads_ = first_above(air, spreads_below);
    for (bool lower = true; lower;) {
        lower = false;
        spreads_ = std::min(spreads_, start - 1);
        start = std::min(start, cloud.top - 2);
        real buoyancy = 0;
        for (int k = start - 1; k >= 0; --k) {
            buoyancy += (air.z[k + 1] - air.z[k]) * (saturated[start] - saturated[k]);
            if (buoyancy <= 0) continue;
            if (--start < lowest_start) return false;
            lower = true;
        }
    }
    spreads_ = std::min(spreads_, start - 1);
    return start >= lowest_start;
}

bool Downdraught::shape(const Air &air) {
    const Shape beta(air.p[0], air.p[start], (air.p[spreads_] - air.p[0]) / (air.p[start] - air.p[0]), 4);
    real most = 0;
    for (int k = 1; k < start; ++k) {
        flux[k] = beta.at(air.p[k]);
        most = std::max(most, flux[k]);
    }
    for (int k = 1; k < start; ++k) flux[k] /= most;
    return flux[--start] >= least_mass;
}

void Downdraught::exchange(const Air &air, const Cloud &cloud) {
    int peak = 0;
    for (int k = 1; k <= start; ++k)
        if (flux[k] > flux[peak]) peak = k;
    for (int k = start; k >= 0; --k) {
        const real thick = air.z[k + 1] - air.z[k], grows = flux[k] - flux[k + 1];
        if (k >= peak)
            entrained[k] = std::max(grows, real(0));
        else
            entrained[k] = std::max(k == 0 ? real(0) : cloud.size.entrainment * thick * flux[k + 1], grows);
        detrained[k] = entrained[k] - grows;
    }
}

/// Energy: what comes in is half around the clouds, half of them. False: it is not heavy.
bool Downdraught::carry(const Air &air, const Updraught &up) {
    const Profile &saturated = air.forced.h_saturated;
    for (int k = 0; k < air.nz; ++k) h[k] = saturated[k];
    real buoyancy = 0;
    for (int k = start; k >= 0; --k) {
        const real from = real(0.5) * (air.forced.energy[k] + real(0.5) * (up.h[k] + up.h[k + 1]));
        const real rest = flux[k + 1] - real(0.5) * detrained[k];
        h[k] = (h[k + 1] * rest + entrained[k] * from) / (rest + entrained[k]);
        buoyancy += (h[k] - saturated[k]) * (air.z[k + 1] - air.z[k]);
    }
    return buoyancy <= 0;
}

void Downdraught::carry(const Profile &layers, const Profile &between, Profile &wind) const {
    constexpr real more = 2; // as in updraughts
    for (int k = 0; k < between.size(); ++k) wind[k] = between[k];
    for (int k = start; k >= 0; --k) {
        const real in = entrained[k] + more * detrained[k];
        const real rest = flux[k + 1] - real(0.5) * (1 + more) * detrained[k];
        wind[k] = (wind[k + 1] * rest + in * layers[k]) / (rest + in);
    }
}

/// Vapour, and rain that makes it saturated. False: none evaporates, or it would not sink.
bool Downdraught::evaporate(const Air &air) {
    const Sounding &around = air.forced;
    evaporates.clear();
    evaporated = 0;
    for (int k = 0; k < air.nz; ++k) q[k] = around.q[k];
    real buoyancy = 0;
    for (int k = start; k >= 0; --k) {
        real vapour = around.q[k];
        if (k < start) {
            const real rest = flux[k + 1] - real(0.5) * detrained[k], mass = rest + entrained[k];
            if (mass < least_mass) return false;
            vapour = (q[k + 1] * rest + entrained[k] * around.vapour[k]) / mass;
        }
        const real more = h[k] - around.h_saturated[k];
        const real saturated = around.saturated_with(k < start ? more : std::min(more, real(0)), k);
        q[k] = k < start ? std::max(vapour, saturated) : saturated;
        evaporates[k] = flux[k] * std::max(saturated - vapour, real(0));
        evaporated += evaporates[k];
        buoyancy += (air.z[k + 1] - air.z[k]) * more;
    }
    return evaporated > 0 && buoyancy < 0;
}

} // namespace squall::grell_freitas
