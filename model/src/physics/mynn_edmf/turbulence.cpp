#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/closure.hpp"
#include "physics/mynn_edmf/steps.hpp"

namespace squall::mynn_edmf {
namespace {

inline real square(real x) { return x * x; }

/// theta_v of a layer whose cloud, in part smaller than the cell, has evaporated [K].
real theta_lv(const Column &c, int k) {
    const real liquid = std::max(c.cloud_water[k], c.cloud[k]),
               frozen = std::max(c.cloud_ice[k], c.ice[k] + c.snow[k]);
    const real cold = (vaporisation_per_cp * liquid + sublimation_per_cp * frozen) / c.exner[k];
    return (c.theta[k] - cold) * (1 + constants::virtual_factor * c.vapour[k]);
}

/// Where plumes or clouds are, turbulence is never weak.
real least_stability(const Column &c, int k) {
    const real plumes = std::min(10 * c.rising.area[k] * c.rising.w[k], real(1));
    const real cover = std::min(real(0.5) * (c.cover[k - 1] + c.cover[k]), real(1));
    return real(0.04) * std::max(plumes, cover);
}

} // namespace

void set_gradients(Column &c) {
    c.q[0] = std::sqrt(std::max(c.energy[0], least_energy));
    real below = theta_lv(c, 0);
    for (int k = 1; k < c.nz; ++k) {
        const real per_step = 1 / c.step(k), here = theta_lv(c, k);
        c.shear[k] = (square(c.u[k] - c.u[k - 1]) + square(c.v[k] - c.v[k - 1])) * per_step * per_step;
        c.buoyancy[k] = -gravity_per_theta * (here - below) * per_step;
        c.water_z[k] = (c.water[k] - c.water[k - 1]) * per_step;
        c.q[k] = std::sqrt(std::max(c.between(c.energy, k), least_energy));
        below = here;
    }
}

void set_turbulence(Column &c) {
    for (Profile *p : {&c.momentum, &c.heat, &c.production, &c.variance_production}) p->fill(0);
    for (int k = 1; k < c.nz; ++k) {
        Stability s = stability(c.shear[k], c.buoyancy[k], c.length[k], c.q[k]);
        const real least = least_stability(c, k);
        s.momentum = std::max(s.momentum, least);
        s.heat = std::max(s.heat, least);
        const real lq = c.length[k] * c.q[k];
        c.production[k] =
            lq * (s.momentum * c.shear[k] + s.heat * c.buoyancy[k]) + real(0.5) * c.rising.production[k];
        c.variance_production[k] = lq * s.growing * s.heat * square(c.water_z[k]);
        c.momentum[k] = lq * s.momentum / c.step(k);
        c.heat[k] = lq * s.heat / c.step(k);
    }
}

/// With q^2 by the wind at first, and five times as production and the length that follows from it say; the
/// ground's heat counts in the ground's length alone.
void begin_turbulence(Column &c, bool blended) {
    const Below below = c.below;
    c.below.virtual_heat = 0;
    const real u_star = c.below.friction_velocity, decay = std::max(u_star, real(0.01)) * 700;
    for (int k = 0; k < c.nz; ++k)
        c.energy[k] = 5 * u_star * std::max((u_star * 700 - c.bottom[k]) / decay, real(0.01));
    c.height = height_of(c);
    set_coarseness(c);
    c.energy[0] = real(1.5) * square(u_star) * square(root_b1);
    for (int k = 1; k < c.nz; ++k)
        c.energy[k] = c.energy[0] * std::max((u_star * 700 - c.bottom[k]) / decay, real(0.01));
    for (int n = 0; n < 5; ++n) {
        set_gradients(c);
        set_length(c, blended);
        const auto made = [&](int k) {
            const Stability s = level_2(richardson(c.shear[k], c.buoyancy[k]));
            return c.length[k] * c.q[k] * (s.momentum * c.shear[k] + s.heat * c.buoyancy[k]);
        };
        const auto spread = [&](int k) {
            const Stability s = level_2(richardson(c.shear[k], c.buoyancy[k]));
            return c.length[k] * c.q[k] * s.heat * square(c.water_z[k]);
        };
        const real next_to_ground = real(0.5) * c.length[1] / (karman * real(0.5) * c.dz[0]);
        c.energy[0] = square(std::max(u_star, real(0.02))) * std::pow(b1 * next_to_ground, real(2.0 / 3));
        for (int k = 1; k < c.nz - 1; ++k) {
            const real length = real(0.25) * (c.length[k + 1] + c.length[k]);
            const real balance = std::clamp(b1 * length * (made(k + 1) + made(k)), least_energy, real(125));
            c.energy[k] = std::pow(balance, real(2.0 / 3));
            c.variance[k] = b2 * length / std::sqrt(c.energy[k]) * (spread(k + 1) + spread(k));
        }
    }
    c.energy[0] = real(0.5) * (c.energy[0] + c.energy[1]);
    c.energy[c.nz - 1] = c.energy[c.nz - 2];
    c.variance[0] = 0;
    c.variance[c.nz - 1] = c.variance[c.nz - 2];
    c.below = below;
}

} // namespace squall::mynn_edmf
