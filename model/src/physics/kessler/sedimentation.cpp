#include "physics/kessler/sedimentation.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"

namespace squall {
namespace {

constexpr real max_courant = real(0.75);

} // namespace

FallingRain::FallingRain(int nz, const Scratch &scratch) : nz_(nz) {
    int n = 0;
    for (real **profile : {&rain_, &density_, &thinness_, &rdepth_, &rmass_, &rdistance_, &speed_})
        *profile = scratch.row(nz * n++, 0);
}

void FallingRain::fall(const MoistColumns &c, int i, Columns fallen) {
    load(c, i);
    real left = c.dt;
    int steps = substeps(left);
    real dt = left / static_cast<real>(steps);
    for (;;) {
        left -= dt;
        c.rain_sum[i] += as_wrf_ ? step_as_wrf(dt) : step(dt);
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
    as_wrf_ = c.as_wrf;
    if (!as_wrf_) return;
    for (int k = 0; k < nz_ - 1; ++k) rdistance_[k] = 1 / (c.height(i, k + 1) - c.height(i, k));
    rdistance_[nz_ - 1] = rdistance_[nz_ - 2];
}

/// Sets the fall speeds; how many substeps keep `time` below the greatest Courant number.
int FallingRain::substeps(real time) {
    real courant = 0;
    for (int k = 0; k < nz_; ++k) {
        const real q = std::max(real(0), rain_[k] * real(0.001) * density_[k]);
        speed_[k] = real(36.34) * power(q, real(0.1364)) * thinness_[k];
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

/// The same by WRF's module_mp_kessler, whose uppermost layer loses rain per distance, not per mass.
real FallingRain::step_as_wrf(real dt) {
    const int top = nz_ - 1;
    const real ground = density_[0] * rain_[0] * speed_[0] * dt;
    for (int k = 0; k < top; ++k) {
        const real leaving = density_[k] * rain_[k] * speed_[k];
        const real arriving = density_[k + 1] * rain_[k + 1] * speed_[k + 1];
        rain_[k] -= dt * rdistance_[k] / density_[k] * (leaving - arriving);
    }
    rain_[top] -= dt * rdistance_[top] * rain_[top] * speed_[top];
    return ground;
}

} // namespace squall
