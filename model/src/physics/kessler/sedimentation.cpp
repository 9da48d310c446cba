#include "physics/kessler/sedimentation.hpp"

#include <algorithm>
#include <cmath>

namespace squall {
namespace {

constexpr real max_courant = real(0.75);

} // namespace

FallingRain::FallingRain(int nz) : nz_(nz) {
    const auto n = static_cast<std::size_t>(nz);
    for (std::vector<real> *profile : {&rain_, &density_, &thinness_, &rdepth_, &rmass_, &speed_})
        profile->resize(n);
}

void FallingRain::fall(const MoistColumns &c, int i, Columns fallen) {
    load(c, i);
    real left = c.dt;
    int steps = substeps(left);
    real dt = left / static_cast<real>(steps);
    for (;;) {
        left -= dt;
        c.rain_sum[i] += step(dt);
        if (steps == 1) break;
        --steps;
        const int wanted = substeps(left);
        if (wanted != steps) {
            steps = wanted;
            dt = left / static_cast<real>(steps);
        }
    }
    for (int k = 0; k < nz_; ++k) fallen(i, k) = rain_[k];
}

void FallingRain::load(const MoistColumns &c, int i) {
    for (int k = 0; k < nz_; ++k) {
        rain_[k] = c.rain(i, k);
        density_[k] = c.density(i, k);
        thinness_[k] = std::sqrt(c.density(i, 0) / c.density(i, k));
        rdepth_[k] = 1 / c.depth(i, k);
        rmass_[k] = 1 / c.mass(i, k);
    }
}

/// Sets the fall speeds; how many substeps keep `time` below the greatest Courant number.
int FallingRain::substeps(real time) {
    real courant = 0;
    for (int k = 0; k < nz_; ++k) {
        const real q = std::max(real(0), rain_[k] * real(0.001) * density_[k]);
        speed_[k] = q > 0 ? real(36.34) * std::pow(q, real(0.1364)) * thinness_[k] : 0;
        courant = std::max(speed_[k] * time * rdepth_[k], courant);
    }
    return std::max(1, static_cast<int>(std::lround(real(0.5) + courant / max_courant)));
}

/// One substep; what leaves the lowest layer [mm].
real FallingRain::step(real dt) {
    real from_above = 0; // [kg m-2]
    for (int k = nz_ - 1; k >= 0; --k) {
        const real falling = density_[k] * rain_[k] * speed_[k] * dt;
        rain_[k] += (from_above - falling) * rmass_[k];
        from_above = falling;
    }
    return from_above;
}

} // namespace squall
