#include "physics/wsm3/wsm3.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "physics/wsm3/reactions.hpp"
#include "physics/wsm6/row.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall {
namespace wsm3 {
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

class Scheme final : public MicrophysicsScheme {
  public:
    explicit Scheme(int nz)
        : sedimentation_(nz), storage_(1, nz), melting_(columns_at_a_time), landed_(columns_at_a_time) {}

    void advance(const MoistColumns &c) override {
        const int steps = parts_of_step(c.dt, longest_step);
        const real dt = c.dt / static_cast<real>(steps);
        const auto row = [&c](int k) { return Row<false, false>(c, k); };
        for (int k = 0; k < c.nz; ++k) row(k).fill_up(c.n);
        for (int n = 0; n < steps; ++n) {
            fall(c, dt);
            const Columns warmed = storage_.field(0);
            for (int k = 0; k < c.nz; ++k)
                react_layer(row(k), c.n,
                            [dt, warmed = warmed.row(k)](Point &x, int i) { wsm3::react(x, warmed[i], dt); });
        }
    }

  private:
    void fall(const MoistColumns &c, real dt) {
        const Columns warmed = storage_.field(0);
        for (int k = 0; k < c.nz; ++k) std::fill_n(warmed.row(k), c.n, real(0));
        for (int i = 0; i < c.n; ++i) {
            melting_[static_cast<std::size_t>(i)] = melting_level(c, i);
            landed_[static_cast<std::size_t>(i)] = -c.rain_sum[i];
        }
        sedimentation_.fall_by_temperature(c, dt);
        for (int i = 0; i < c.n; ++i) {
            const auto column = static_cast<std::size_t>(i);
            change_phase(c, i, melting_[column], landed_[column] + c.rain_sum[i], warmed, dt);
        }
    }

    Sedimentation sedimentation_;
    ColumnStorage storage_;
    std::vector<MeltingLevel> melting_; ///< of each column
    std::vector<real> landed_;
};

} // namespace
} // namespace wsm3

MicrophysicsEntry wsm3_scheme() {
    MicrophysicsEntry entry{"three classes of water with simple ice, Hong, Dudhia and Chen (2004)",
                            {Water::vapour, Water::cloud, Water::rain},
                            [](int nz) { return std::make_unique<wsm3::Scheme>(nz); },
                            {},
                            wsm6::longest_step};
    entry.simple_ice = true;
    return entry;
}

} // namespace squall
