#include "physics/resolved/resolved.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/loop.hpp"

namespace squall {
namespace {

constexpr real excess = real(0.5); // of the top of the boundary layer [K]

void clear(const TurbulentColumns &c) {
    for (const Columns &change : {c.du, c.dv, c.dtheta, c.dvapour, c.dcloud, c.dice, c.dqke})
        if (change.origin)
            for (int k = 0; k < c.nz; ++k) std::fill_n(change.row(k), c.n, real(0));
}

real height(const TurbulentColumns &c, int i) {
    const auto virtual_theta = [&](int k) {
        return c.theta(i, k) * (1 + constants::virtual_factor * c.vapour(i, k));
    };
    const real lowest = virtual_theta(0);
    real z = 0;
    for (int k = 0; k < c.nz; ++k) {
        if (virtual_theta(k) > lowest + excess) break;
        z += c.depth(i, k);
    }
    return z;
}

class Resolved final : public BoundaryLayerScheme {
  public:
    void mix(const TurbulentColumns &c) override {
        clear(c);
        const SurfaceColumns &s = *c.surface;
        for (int i = 0; i < c.n; ++i) {
            const real mass = c.density(i, 0) * c.depth(i, 0);
            c.dtheta(i, 0) = c.dt * s.sensible_heat[i] / (mass * constants::c_p * c.exner(i, 0));
            c.dvapour(i, 0) = c.dt * s.vapour_flux[i] / mass;
            const real u = c.u(i, 0), v = c.v(i, 0), speed = std::sqrt(u * u + v * v);
            const real with_gusts = std::max(s.wind_speed[i], real(1e-3));
            const real taken = s.friction_velocity[i] / with_gusts;
            const real drag = c.dt * taken * taken * speed / c.depth(i, 0);
            c.du(i, 0) = -u * drag / (1 + drag);
            c.dv(i, 0) = -v * drag / (1 + drag);
            c.height[i] = height(c, i);
        }
    }
};

} // namespace

BoundaryLayerEntry resolved_scheme() {
    return {"surface fluxes into the lowest layer, where the grid resolves eddies",
            [](int) { return std::make_unique<Resolved>(); }, true};
}

} // namespace squall
