#include "physics/wsm3/columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "physics/wsm3/reactions.hpp"
#include "physics/wsm6/row.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall::wsm3 {
namespace {

/// Where the air of a column is at the melting point or warmer for the last time, from the ground up; -1:
/// nowhere. And how fast rain falls there before any has fallen [m s-1].
struct MeltingLevel {
    int k;
    real speed;
};

MeltingLevel melting_level(const MoistColumns &c, int i) {
    for (int k = c.nz - 1; k >= 0; --k)
        if (c.theta(i, k) * c.exner(i, k) >= t0) {
            const real thinness = std::sqrt(rho0 / c.density(i, k));
            return {k, rain_of(c.rain(i, k), c.density(i, k), thinness).speed};
        }
    return {-1, 0};
}

/// Heat of what falls or is lifted through the melting level (D89, equations B16 and B17): it freezes or
/// melts in the layer that the wind there comes to. Once precipitation has fallen, of it `landed` on the
/// ground [kg m-2]. Adds to `warmed` what it does [K].
void change_phase(const MoistColumns &c, int i, MeltingLevel at, real landed, Columns warmed, real dt) {
    if (at.k < 0 || at.k == c.nz - 1) return; // all air freezes, or none does
    const real w = c.updraught(i, at.k);
    const int k = w > 0 ? at.k + 1 : at.k;
    const real both = c.rain(i, k) + c.cloud(i, k);
    const real falling = at.k > 0 ? c.rain(i, at.k) * at.speed / c.depth(i, at.k)
                                  : landed / (c.depth(i, 0) * c.density(i, 0) * dt); // [s-1]
    if (!(both > 0) && !(falling > 0)) return;
    const real most = both / dt, most_fallen = c.rain(i, k) / dt;
    const real lifted = std::clamp(-c.updraught(i, k) * both / c.depth(i, k), -most, most);
    const real melted = std::clamp(falling, -most_fallen, most_fallen);
    const auto cool = [&](int level, real heat) {
        const real cooled = heat / heat_capacity_of(c.vapour(i, level));
        c.theta(i, level) -= cooled / c.exner(i, level);
        warmed(i, level) -= cooled;
    };
    cool(k, l_f0 * lifted * dt);
    cool(at.k, l_f0 * melted * dt);
}

/// What falls does so for dt [s]; `warmed`: what its change of phase does [K].
void fall(const MoistColumns &c, Sedimentation &sedimentation, Columns warmed, real dt) {
    std::array<MeltingLevel, columns_at_a_time> melting;
    std::array<real, columns_at_a_time> landed;
    for (int k = 0; k < c.nz; ++k) std::fill_n(warmed.row(k), c.n, real(0));
    for (int i = 0; i < c.n; ++i) {
        melting[static_cast<std::size_t>(i)] = melting_level(c, i);
        landed[static_cast<std::size_t>(i)] = -c.rain_sum[i];
    }
    sedimentation.fall_by_temperature(c, dt);
    for (int i = 0; i < c.n; ++i) {
        const auto column = static_cast<std::size_t>(i);
        change_phase(c, i, melting[column], landed[column] + c.rain_sum[i], warmed, dt);
    }
}

} // namespace

int Scheme::scratch_rows(int nz) { return nz + Sedimentation::scratch_rows(nz); }

void Scheme::advance(const MoistColumns &c, const Scratch &scratch) const {
    const int steps = parts_of_step(c.dt, longest_step);
    const real dt = c.dt / static_cast<real>(steps);
    const auto row = [&c](int k) { return Row<false, false>(c, k); };
    const Columns warmed = scratch_field(scratch, 0, c.nz);
    Sedimentation sedimentation(c.nz, scratch.from(c.nz));
    for (int k = 0; k < c.nz; ++k) row(k).fill_up(c.n);
    for (int n = 0; n < steps; ++n) {
        fall(c, sedimentation, warmed, dt);
        for (int k = 0; k < c.nz; ++k)
            react_layer(row(k), c.n,
                        [dt, warmed = warmed.row(k)](Point &x, int i) { react(x, warmed[i], dt); });
    }
}

} // namespace squall::wsm3
