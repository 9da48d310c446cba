// How large eddies are.
#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/constants.hpp"
#include "physics/mynn_edmf/steps.hpp"

namespace squall::mynn_edmf {
namespace {

/// What the lengths of a column share.
struct Scales {
    real entrained; ///< height up to which the boundary layer takes air in [m]
    real whole;     ///< L_T [m]
    real rising;    ///< its convective velocity [m s-1]
};

inline real speed_of_plumes(const Column &c, int k) { return c.rising.area[k - 1] * c.rising.w[k - 1]; }

/// The ground's length L_S at z: Nakanishi (2001, BLM 99, 349-378), with other constants.
real ground_length(const Column &c, real z) {
    const real zeta = z * c.below.inverse_obukhov;
    if (zeta > 0) return karman * z / (1 + real(3.5) * std::min(zeta, real(1)));
    return karman * z * std::pow(1 - 5 * zeta, real(0.2));
}

/// How much of what is found above the boundary layer counts at z, 0 to 1.
real weight_above(const Column &c, real z) {
    const real depth = std::max(c.height, real(300)),
               half = std::clamp(real(0.3) * depth, real(300), real(600));
    return real(0.5) * std::tanh((z - (depth + half)) / (real(0.5) * half)) + real(0.5);
}

/// L_T: a share of the mean height of turbulence, weighted with q, which counts at least as `slowest`.
Scales scales_of(const Column &c, real top, real share, real slowest, real shortest, real longest) {
    real moment = real(1e-5), sum = real(1e-5);
    for (int k = 1; k < c.nz && c.bottom[k] <= top; ++k) {
        const real weight = std::clamp(c.q[k], slowest, real(30)) * c.step(k);
        moment += weight * c.bottom[k];
        sum += weight;
    }
    const real whole = std::clamp(share * moment / sum, shortest, longest);
    const real heated = std::max(c.below.virtual_heat, real(0));
    return {top, whole, std::cbrt(gravity_per_theta * whole * heated)};
}

/// bl_mynn_mixlength = 1: in the boundary layer those of Nakanishi and Niino (2009), above it that of
/// Bougeault and Lacarrere (Olson et al. 2019, section 3).
class Nonlocal {
  public:
    explicit Nonlocal(Column &c) : c_(c), free_(c.spare[0]) {
        const real depth = std::max(c.height, real(300));
        wind_ = std::sqrt(c.u[0] * c.u[0] + c.v[0] * c.v[0]);
        const real longest =
            c.below.sea ? 350 + 100 * std::clamp((wind_ - 50) / 25, real(0), real(1)) : real(400);
        scales_ = scales_of(c, depth + std::clamp(real(0.3) * depth, real(300), real(600)), real(0.23),
                            real(0.01), 8, longest);
        storm_ = std::clamp((wind_ - 20) / 50, real(0), real(1));
        Profile &energy = c.spare[1], &theta = c.spare[2];
        energy[0] = std::max(real(0.5) * c.energy[0], real(0.5) * least_energy);
        theta[0] = c.theta[0];
        for (int k = 1; k < c.nz; ++k) {
            energy[k] = std::max(real(0.5) * c.q[k] * c.q[k], real(0.005));
            theta[k] = c.between(c.theta, k);
        }
        set_free_length(c, energy, theta, c.spare[0]);
    }

    real at(int k) const {
        const real z = c_.bottom[k], n2 = -c_.buoyancy[k];
        real stable = real(1e10), weak = stable, free = free_[k];
        if (n2 > 0) {
            const real n = std::max(std::sqrt(n2), real(0.001)), q = std::max(c_.q[k], real(0.18));
            const real of_plumes = 50 * speed_of_plumes(c_, k) / n,
                       by_plumes = of_plumes / (1 + of_plumes / 100);
            const real lifted =
                real(2.5) * (1 - real(0.4) * storm_) * std::sqrt(scales_.rising / (n * scales_.whole));
            stable = std::min(std::max(real(0.3) * q / n * (1 + lifted), by_plumes), z);
            weak = std::max(q / n, by_plumes);
            free = std::max(free, by_plumes);
        }
        const real ground = ground_length(c_, z), whole = scales_.whole;
        real within = std::min({ground / std::sqrt(1 + ground * ground / (whole * whole)), stable, weak});
        if (c_.below.sea) within *= 1 - real(0.2) * storm_;
        const real above = weight_above(c_, z);
        return within * (1 - above) + real(0.3) * free * above;
    }

  private:
    const Column &c_;
    const Profile &free_;
    Scales scales_{};
    real wind_ = 0, storm_ = 0;
};

/// bl_mynn_mixlength = 2: local nearly everywhere, with a time scale where air is not stable.
class Blended {
  public:
    explicit Blended(const Column &c) : c_(c) {
        const real depth = std::max(c.height, real(300));
        const real top = std::max(c.height + std::clamp(real(0.3) * depth, real(300), real(600)), real(100));
        scales_ = scales_of(c, top, real(0.22), real(0.03), 10, 400);
        const real heated = std::max(c.below.virtual_heat, real(1e-4));
        overturning_ = 1000 * real(1.25) * std::cbrt(gravity_per_theta * c.height * heated) / constants::g;
    }

    real at(int k) const {
        const real z = c_.bottom[k], n2 = -c_.buoyancy[k], above = weight_above(c_, z);
        const real speed = std::sqrt(std::min(real(0.5) * c_.q[k] * c_.q[k], real(40)));
        real by_stability = 0, free = 0;
        if (n2 > 0) {
            const real n = std::max(std::sqrt(n2), real(0.001)), plumes = 50 * speed_of_plumes(c_, k) / n;
            const real lifted = real(2.5) * std::sqrt(scales_.rising / (n * scales_.whole));
            by_stability = std::max(real(0.3) * c_.q[k] / n, plumes) * (1 + lifted);
            const real time = std::clamp(overturning_, real(30), real(150)) * (1 - above) + 50 * above;
            free = std::min(std::max(time * speed, plumes), z);
        } else {
            const real slow = std::max(real(100), real(0.25) * c_.step(k));
            const real time = std::clamp(overturning_, real(50), real(200)) * (1 - above) + slow * above;
            by_stability = free = std::min(time * speed, z);
        }
        free /= 1 + free / 800;
        by_stability = std::max(by_stability, real(0.01));
        const real ground = ground_length(c_, z), square = ground * ground, whole = scales_.whole;
        const real within =
            ground / std::sqrt(1 + square / (whole * whole) + square / (by_stability * by_stability));
        return within * (1 - above) + free * above;
    }

  private:
    const Column &c_;
    Scales scales_{};
    real overturning_ = 0; ///< [s]
};

template <class Form> void set_length_of(Column &c, const Form &form) {
    c.length[0] = 0;
    for (int k = 1; k < c.nz; ++k) {
        const real length = form.at(k), of_grid = real(0.25) * c.step(k);
        c.length[k] = length * c.coarse + (1 - c.coarse) * std::min(of_grid, length);
    }
}

} // namespace

void set_length(Column &c, bool blended) {
    if (blended)
        set_length_of(c, Blended(c));
    else
        set_length_of(c, Nonlocal(c));
}

} // namespace squall::mynn_edmf
