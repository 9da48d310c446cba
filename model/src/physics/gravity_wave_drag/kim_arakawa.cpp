#include "physics/gravity_wave_drag/kim_arakawa.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/constants.hpp"
#include "physics/gravity_wave_drag/stress.hpp"

namespace squall {
namespace {

using namespace kim_arakawa;

constexpr real slowest = 1;     // of winds that make waves or carry them [m s-1]
constexpr real least_shear = 1; // between two layers, squared [m2 s-2]
constexpr real critical_richardson = real(0.25);
constexpr real absorbing_share = real(0.1);  // of the column, at its top
constexpr real least_stability = real(1e-5); // N^2 of waves [s-2]

class KimArakawa final : public GravityWaveDragScheme {
  public:
    explicit KimArakawa(int nz) {
        for (auto *profile : {&height_, &stability_, &speed_, &richardson_, &stress_})
            profile->resize(static_cast<std::size_t>(nz) + 1);
    }

    void drag(const OrographicColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            std::ranges::fill(stress_, real(0));
            east_ = north_ = 0;
            if (c.deviation[i] > 0 && find_low_level_flow(c, i)) {
                rise(c, i);
                end_at_top(c, i);
                block(c, i);
                keep_direction(c, i);
            }
            decelerate(c, i);
        }
    }

  private:
    static real mass(const OrographicColumns &c, int i, int k) { // of a layer [kg m-2]
        return (c.weight(i, k) - c.weight(i, k + 1)) / constants::g;
    }
    /// Of a layer, along the low-level wind.
    real along(const OrographicColumns &c, int i, int k) const {
        return c.u(i, k) * east_ + c.v(i, k) * north_;
    }

    bool find_low_level_flow(const OrographicColumns &c, int i);
    void look_aloft(const OrographicColumns &c, int i);
    bool find_stability(const OrographicColumns &c, int i);
    void rise(const OrographicColumns &c, int i);
    void end_at_top(const OrographicColumns &c, int i);
    real blocked_depth(const OrographicColumns &c, int i) const;
    void block(const OrographicColumns &c, int i);
    void keep_direction(const OrographicColumns &c, int i);
    void decelerate(const OrographicColumns &c, int i) const;

    int base_ = 0;              // interface of the reference level
    real east_ = 0, north_ = 0; // direction of the low-level wind
    real reference_height_ = 0; // above the ground [m]
    LowLevelFlow flow_{};
    std::vector<real> height_, stability_, speed_, richardson_, stress_; // at interfaces
};

/// Means of the layers up to the reference level, twice the standard deviation above the ground. False: air
/// that makes no waves, which is calm, unstable or turns about.
bool KimArakawa::find_low_level_flow(const OrographicColumns &c, int i) {
    reference_height_ = 2 * c.deviation[i];
    height_[0] = 0;
    for (int k = 0; k < c.nz; ++k) height_[k + 1] = height_[k] + c.depth(i, k);
    base_ = 1;
    while (base_ < c.nz - 1 && height_[base_] < reference_height_) ++base_;
    real sum = 0, u = 0, v = 0, density = 0;
    for (int k = 0; k < base_; ++k) {
        const real m = mass(c, i, k);
        sum += m, u += m * c.u(i, k), v += m * c.v(i, k), density += m * c.density(i, k);
    }
    u /= sum, v /= sum;
    flow_.speed = std::sqrt(u * u + v * v);
    if (flow_.speed <= slowest) return false;
    east_ = u / flow_.speed, north_ = v / flow_.speed;
    flow_.density = density / sum;
    flow_.spacing = c.spacing[i];
    flow_.deviation = c.deviation[i];
    flow_.convexity = c.convexity[i];
    flow_.facing = facing(c, i, u, v);
    flow_.mountains = mountains(flow_.facing);
    look_aloft(c, i);
    return find_stability(c, i);
}

/// Stability, wind and Richardson number at interfaces between layers.
void KimArakawa::look_aloft(const OrographicColumns &c, int i) {
    for (int k = 1; k < c.nz; ++k) {
        const real dz = (c.depth(i, k - 1) + c.depth(i, k)) / 2;
        const real below = c.theta(i, k - 1), above = c.theta(i, k);
        const real du = c.u(i, k) - c.u(i, k - 1), dv = c.v(i, k) - c.v(i, k - 1);
        stability_[k] = 2 * constants::g * (above - below) / ((above + below) * dz);
        richardson_[k] = stability_[k] * dz * dz / std::max(du * du + dv * dv, least_shear);
        const real wind = (along(c, i, k - 1) + along(c, i, k)) / 2;
        speed_[k] = wind > 0 ? std::max(wind, slowest) : wind;
    }
}

/// Of the low levels, weighted by pressure.
bool KimArakawa::find_stability(const OrographicColumns &c, int i) {
    real sum = 0, weights = 0;
    for (int k = 1; k <= base_; ++k) {
        if (speed_[k] <= 0) return false;
        const real weight = c.weight(i, k - 1) - c.weight(i, k + 1);
        sum += weight * stability_[k], weights += weight;
    }
    if (sum <= 0) return false;
    flow_.frequency = std::sqrt(sum / weights);
    return true;
}

/// The waves' stress: that of the low levels up to the reference level, above it no more than what they carry
/// without breaking; at a critical level all of it goes to the air.
void KimArakawa::rise(const OrographicColumns &c, int i) {
    const real launched = wave_stress(flow_);
    for (int k = 0; k <= base_; ++k) stress_[k] = launched;
    for (int k = base_ + 1; k < c.nz; ++k) {
        if (speed_[k] <= 0 || richardson_[k] < critical_richardson) return;
        const real frequency = std::sqrt(std::max(stability_[k], least_stability));
        const real density = (c.density(i, k - 1) + c.density(i, k)) / 2;
        const Aloft aloft{density, speed_[k], frequency, richardson_[k]};
        stress_[k] = std::min(stress_[k - 1], saturation_stress(flow_, aloft));
    }
}

/// What has not broken is left evenly by mass to the uppermost tenth of the air, so that no thin layer gets
/// all of it and momentum stays in the column (Shaw and Shepherd 2007, J. Atmos. Sci. 64, 190).
void KimArakawa::end_at_top(const OrographicColumns &c, int i) {
    const real top = c.weight(i, c.nz), depth = absorbing_share * (c.weight(i, 0) - top);
    int lowest = base_;
    while (lowest < c.nz && c.weight(i, lowest) - top > depth) ++lowest;
    const real stress = stress_[lowest], below = c.weight(i, lowest) - top;
    for (int k = lowest + 1; k < c.nz; ++k)
        stress_[k] = std::min(stress_[k], stress * (c.weight(i, k) - top) / below);
}

/// Height h_B below which air lacks the energy to come up to the reference level h: where the integral of
/// N^2 (h - z) from h_B to h is as large as the kinetic energy there (Kim and Doyle 2005). 0: none lacks it.
real KimArakawa::blocked_depth(const OrographicColumns &c, int i) const {
    const real h = reference_height_;
    real work = 0;
    for (int k = base_ - 1; k >= 0; --k) {
        const real top = h - std::min(height_[k + 1], h), bottom = h - height_[k];
        const real square =
            (stability_[std::max(k, 1)] + stability_[std::min(std::max(k + 1, 1), base_)]) / 2;
        const real energy = (c.u(i, k) * c.u(i, k) + c.v(i, k) * c.v(i, k)) / 2;
        if (bottom <= 0) continue;
        if (work >= energy) return h - top;
        const real needed = energy - work, gained = square / 2 * (bottom * bottom - top * top);
        if (gained >= needed) return std::max(h - std::sqrt(top * top + 2 * needed / square), real(0));
        work += gained;
    }
    return 0;
}

/// The blocked flow's stress, which falls to none at the top of that layer, evenly with pressure: the air in
/// it slows down all alike.
void KimArakawa::block(const OrographicColumns &c, int i) {
    const real depth = blocked_depth(c, i);
    if (depth <= 0) return;
    int k = 0;
    while (k < c.nz - 1 && height_[k + 1] < depth) ++k;
    const real share = (depth - height_[k]) / c.depth(i, k);
    const real top = c.weight(i, k) + share * (c.weight(i, k + 1) - c.weight(i, k));
    const real ground = c.weight(i, 0), stress = blocking_stress(flow_, depth);
    for (; k >= 0; --k) stress_[k] += stress * (c.weight(i, k) - top) / (ground - top);
}

/// No layer loses more in the step than it has: what is too much for it is left to the layers below it, and
/// in the end to the ground, which then has less stress.
void KimArakawa::keep_direction(const OrographicColumns &c, int i) {
    for (int k = c.nz - 1; k >= 0; --k) {
        const real most = mass(c, i, k) * std::max(along(c, i, k), real(0)) / c.dt;
        stress_[k] = std::min(stress_[k], stress_[k + 1] + most);
    }
}

/// What the wind loses of its energy in the step heats the air where it is lost.
void KimArakawa::decelerate(const OrographicColumns &c, int i) const {
    for (int k = 0; k < c.nz; ++k) {
        const real rate = (stress_[k + 1] - stress_[k]) / mass(c, i, k);
        c.du(i, k) = rate * east_, c.dv(i, k) = rate * north_;
        const real work = rate * (along(c, i, k) + c.dt / 2 * rate);
        c.heating(i, k) = -work / (constants::c_p * c.exner(i, k));
    }
    c.stress_u[i] = stress_[0] * east_, c.stress_v[i] = stress_[0] * north_;
}

} // namespace

GravityWaveDragEntry kim_arakawa_scheme() {
    return {
        "gravity waves and blocking by mountains within cells, Kim and Arakawa (1995), Choi and Hong (2015)",
        [](int nz) { return std::make_unique<KimArakawa>(nz); }};
}

} // namespace squall
