#include "physics/mynn_edmf/column.hpp"

#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/constants.hpp"
#include "physics/mynn_edmf/steps.hpp"

namespace squall::mynn_edmf {

Column::Column(int layers)
    : nz(layers), bottom(nz + 1), dz(nz), u(nz), v(nz), w(nz), theta(nz), temperature(nz), pressure(nz),
      exner(nz), density(nz), vapour(nz), cloud(nz), ice(nz), snow(nz), ice_number(nz), theta_l(nz),
      theta_v(nz), water(nz), energy(nz), variance(nz), length(nz + 1), cover(nz), cloud_water(nz),
      cloud_ice(nz), rising(nz), plumes(nz), density_between(nz + 1), shear(nz), buoyancy(nz), water_z(nz),
      q(nz), momentum(nz + 1), heat(nz + 1), production(nz),
      variance_production(nz), spare{Profile(nz + 1), Profile(nz + 1), Profile(nz + 1),
                                     Profile(nz + 1), Profile(nz + 1), Profile(nz + 1)} {}

void complete(Column &c) {
    c.bottom[0] = 0;
    for (int k = 0; k < c.nz; ++k) {
        c.bottom[k + 1] = c.bottom[k] + c.dz[k];
        c.temperature[k] = c.theta[k] * c.exner[k];
        c.water[k] = c.vapour[k] + c.cloud[k] + c.ice[k];
        c.theta_l[k] = c.theta[k] - vaporisation_per_cp / c.exner[k] * c.cloud[k] -
                       sublimation_per_cp / c.exner[k] * c.ice[k];
        c.theta_v[k] = c.theta[k] * (1 + constants::virtual_factor * c.vapour[k]);
        c.density_between[k] = k == 0 ? c.density[0] : c.between(c.density, k);
    }
    c.density_between[c.nz] = c.density_between[c.nz - 1];
}

namespace {

/// Where theta_v exceeds its least value in the lowest 200 m by a threshold.
real height_of_capping(const Column &c) {
    real least = real(9e9);
    for (int k = 1; k < c.nz && c.bottom[k] <= 200; ++k) least = std::min(least, c.theta_v[k]);
    const real threshold = least + (c.below.sea ? real(1) : real(1.25));
    for (int k = 1; k < c.nz - 1; ++k) {
        if (c.theta_v[k] < threshold) continue;
        const real over = (c.theta_v[k] - threshold) / std::max(c.theta_v[k] - c.theta_v[k - 1], real(1e-6));
        const real height = c.bottom[k] - c.dz[k - 1] * std::min(over, real(1));
        return height != 0 ? height : c.bottom[1];
    }
    return c.bottom[1];
}

/// Where the turbulence has fallen to a fortieth of the q^2 at the ground.
real height_of_turbulence(const Column &c, real threshold) {
    for (int k = 1; k < c.nz - 1; ++k) {
        const real here = real(0.5) * c.energy[k], below = real(0.5) * c.energy[k - 1];
        if (here > threshold) continue;
        const real under = std::min((threshold - here) / std::max(below - here, real(1e-6)), real(1));
        return std::max(c.bottom[k] - c.dz[k - 1] * under, c.bottom[1]);
    }
    return c.bottom[1];
}

} // namespace

real height_of(const Column &c) {
    constexpr real middle = 200, width = 400, apart = 350;
    const real capped = height_of_capping(c);
    const real strongest = std::max(c.energy[0], real(0)), threshold = std::max(strongest / 40, real(0.01));
    if (strongest <= threshold) return capped;
    const real turbulent = std::max(std::min(height_of_turbulence(c, threshold), capped + apart),
                                    std::max(capped - apart, real(10)));
    const real high = real(0.5) * std::tanh((capped - middle) / width) + real(0.5);
    return turbulent * (1 - high) + capped * high;
}

void set_coarseness(Column &c) {
    const real wide = std::max(real(2.5) * c.spacing, real(10));
    const auto share = [](real x, real a, real b, real d) {
        const real power = std::pow(x, real(0.667));
        return std::clamp((x * x + a * power) / (x * x + b * power + d), real(0), real(1));
    };
    c.coarse = share(wide / std::min(c.height, real(3000)), real(0.106), real(0.066), real(0.071));
    c.coarse_for_plumes =
        share(wide / std::min(c.height + 500, real(3500)), real(0.145), real(0.172), real(0.170));
}

} // namespace squall::mynn_edmf
