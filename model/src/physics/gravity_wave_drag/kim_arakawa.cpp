#include "physics/gravity_wave_drag/kim_arakawa.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "physics/gravity_wave_drag/stress.hpp"

namespace squall {
namespace {

using namespace kim_arakawa;

constexpr real slowest = 1;     // of winds that make waves or carry them [m s-1]
constexpr real least_shear = 1; // between two layers, squared [m2 s-2]
constexpr real critical_richardson = real(0.25);
constexpr real absorbing_share = real(0.1);  // of the column, at its top
constexpr real least_stability = real(1e-5); // N^2 of waves [s-2]

/// Of a batch, at interfaces.
enum Profile { height, stability, speed, richardson, stress, profiles };

/// A number of each column of a batch.
template <class T> using Each = std::array<T, columns_at_a_time>;

class KimArakawa final : public GravityWaveDragScheme {
  public:
    explicit KimArakawa(int nz) : storage_(profiles, nz + 1) {}

    void drag(const OrographicColumns &c) override {
        find_low_level_flow(c);
        look_aloft(c);
        launch(c);
        rise(c);
        end_at_top(c);
        for (int i = 0; i < c.n; ++i)
            if (makes_waves_[i]) block(c, i);
        keep_direction(c);
        decelerate(c);
    }

  private:
    Columns at(Profile p) { return storage_.field(p); }
    static real mass(const OrographicColumns &c, int i, int k) { // of a layer [kg m-2]
        return (c.weight(i, k) - c.weight(i, k + 1)) / constants::g;
    }

    void find_base(const OrographicColumns &c);
    void find_low_level_flow(const OrographicColumns &c);
    void look_aloft(const OrographicColumns &c);
    void find_frequency(const OrographicColumns &c);
    void launch(const OrographicColumns &c);
    void rise(const OrographicColumns &c);
    static int lowest_absorbing(const OrographicColumns &c);
    void end_at_top(const OrographicColumns &c);
    real blocked_depth(const OrographicColumns &c, int i);
    void block(const OrographicColumns &c, int i);
    void keep_direction(const OrographicColumns &c);
    void decelerate(const OrographicColumns &c);

    ColumnStorage storage_;
    int highest_ = 1;               // of base_
    Each<int> base_{};              // interface of the reference level
    Each<char> makes_waves_{};      // air over mountains that is neither calm nor unstable, nor turns about
    Each<real> reference_height_{}; // above the ground [m]
    Each<real> east_{}, north_{};   // direction of the low-level wind; 0 where there are no waves
    Each<LowLevelFlow> flow_{};
    Each<real> density_{}; // mountains along the wind [m-1]
    Each<real> launched_{};
};

/// The first interface at the reference level, twice the standard deviation above the ground.
void KimArakawa::find_base(const OrographicColumns &c) {
    const Columns z = at(height);
    real *reference = reference_height_.data();
    int *base = base_.data();
    for_each_i(0, c.n, [=, &c](int i) { z(i, 0) = 0, base[i] = 1, reference[i] = 2 * c.deviation[i]; });
    for (int k = 0; k < c.nz; ++k)
        for_each_i(0, c.n, [=, &c](int i) { z(i, k + 1) = z(i, k) + c.depth(i, k); });
    for (int k = 1; k < c.nz - 1; ++k)
        for_each_i(0, c.n, [=](int i) { base[i] += int(base[i] == k && z(i, k) < reference[i]); });
    highest_ = *std::max_element(base, base + c.n);
}

/// Means of the layers up to the reference level.
void KimArakawa::find_low_level_flow(const OrographicColumns &c) {
    find_base(c);
    Each<real> sum{}, u{}, v{}, density{};
    for (int k = 0; k < highest_; ++k)
        for_each_i(0, c.n, [&](int i) {
            const real m = k < base_[i] ? mass(c, i, k) : real(0);
            sum[i] += m, u[i] += m * c.u(i, k), v[i] += m * c.v(i, k), density[i] += m * c.density(i, k);
        });
    for (int i = 0; i < c.n; ++i) {
        LowLevelFlow &flow = flow_[i];
        u[i] /= sum[i], v[i] /= sum[i];
        flow.speed = std::sqrt(u[i] * u[i] + v[i] * v[i]);
        makes_waves_[i] = c.deviation[i] > 0 && flow.speed > slowest;
        east_[i] = makes_waves_[i] ? u[i] / flow.speed : 0;
        north_[i] = makes_waves_[i] ? v[i] / flow.speed : 0;
        if (!makes_waves_[i]) continue;
        flow.density = density[i] / sum[i];
        flow.spacing = c.spacing[i];
        flow.deviation = c.deviation[i];
        flow.convexity = c.convexity[i];
        flow.facing = facing(c, i, u[i], v[i]);
        flow.mountains = mountains(flow.facing);
    }
}

/// Stability, wind along that of the low levels and Richardson number at interfaces between layers.
void KimArakawa::look_aloft(const OrographicColumns &c) {
    const Columns n2 = at(stability), along = at(speed), number = at(richardson);
    const real *east = east_.data(), *north = north_.data();
    for (int k = 1; k < c.nz; ++k)
        for_each_i(0, c.n, [=, &c](int i) {
            const real dz = (c.depth(i, k - 1) + c.depth(i, k)) / 2;
            const real below = c.theta(i, k - 1), above = c.theta(i, k);
            const real du = c.u(i, k) - c.u(i, k - 1), dv = c.v(i, k) - c.v(i, k - 1);
            const real square = du * du + dv * dv;
            n2(i, k) = 2 * constants::g * (above - below) / ((above + below) * dz);
            number(i, k) = n2(i, k) * dz * dz / (square > least_shear ? square : least_shear);
            const real wind = (c.u(i, k - 1) * east[i] + c.v(i, k - 1) * north[i] + c.u(i, k) * east[i] +
                               c.v(i, k) * north[i]) /
                              2;
            along(i, k) = wind > 0 && wind < slowest ? slowest : wind;
        });
}

/// Of the low levels, weighted by pressure.
void KimArakawa::find_frequency(const OrographicColumns &c) {
    const Columns n2 = at(stability), along = at(speed);
    Each<real> sum{}, weights{}, least{};
    least.fill(slowest);
    for (int k = 1; k <= highest_; ++k)
        for_each_i(0, c.n, [&](int i) {
            const bool low = k <= base_[i];
            const real weight = low ? c.weight(i, k - 1) - c.weight(i, k + 1) : real(0);
            sum[i] += weight * n2(i, k), weights[i] += weight;
            least[i] = low && along(i, k) < least[i] ? along(i, k) : least[i];
        });
    for (int i = 0; i < c.n; ++i) {
        makes_waves_[i] = makes_waves_[i] && least[i] > 0 && sum[i] > 0;
        if (makes_waves_[i]) flow_[i].frequency = std::sqrt(sum[i] / weights[i]);
    }
}

/// The stress of the low levels.
void KimArakawa::launch(const OrographicColumns &c) {
    find_frequency(c);
    for (int i = 0; i < c.n; ++i) {
        const bool waves = makes_waves_[i];
        if (!waves) east_[i] = north_[i] = 0;
        launched_[i] = waves ? wave_stress(flow_[i]) : 0;
        density_[i] = waves ? flow_[i].mountains / flow_[i].spacing : 0;
    }
}

/// The waves' stress: that of the low levels up to the reference level, above it no more than what they carry
/// without breaking; at a critical level all of it goes to the air.
void KimArakawa::rise(const OrographicColumns &c) {
    const Columns tau = at(stress), n2 = at(stability), along = at(speed), number = at(richardson);
    const int *base = base_.data();
    const real *launched = launched_.data(), *mountains = density_.data();
    for_each_i(0, c.n, [=, &c](int i) { tau(i, 0) = launched[i], tau(i, c.nz) = 0; });
    for (int k = 1; k < c.nz; ++k)
        for_each_i(0, c.n, [=, &c](int i) {
            const real frequency = std::sqrt(n2(i, k) > least_stability ? n2(i, k) : least_stability);
            const real density = (c.density(i, k - 1) + c.density(i, k)) / 2;
            const real most =
                saturation_stress(mountains[i], {density, along(i, k), frequency, number(i, k)});
            const real below = tau(i, k - 1), carried = most < below ? most : below;
            const bool breaks = along(i, k) <= 0 || number(i, k) < critical_richardson;
            tau(i, k) = k <= base[i] ? launched[i] : breaks ? real(0) : carried;
        });
}

/// The lowest interface that is in the uppermost tenth of some column, at least 1.
int KimArakawa::lowest_absorbing(const OrographicColumns &c) {
    for (int k = c.nz - 1; k >= 1; --k) {
        bool reached = false;
        for (int i = 0; i < c.n; ++i) {
            const real top = c.weight(i, c.nz);
            reached |= c.weight(i, k) - top <= absorbing_share * (c.weight(i, 0) - top);
        }
        if (!reached) return k + 1;
    }
    return 1;
}

/// What has not broken is left evenly by mass to the uppermost tenth of the air, so that no thin layer gets
/// all of it and momentum stays in the column (Shaw and Shepherd 2007, J. Atmos. Sci. 64, 190).
void KimArakawa::end_at_top(const OrographicColumns &c) {
    const Columns tau = at(stress);
    Each<real> entering{}, depth{}; // of the absorbing layer: 0 below it
    for (int k = lowest_absorbing(c); k < c.nz; ++k)
        for_each_i(0, c.n, [&](int i) {
            const real above = c.weight(i, k) - c.weight(i, c.nz);
            const real all = c.weight(i, 0) - c.weight(i, c.nz);
            const bool begun = depth[i] > 0, begins = k >= base_[i] && above <= absorbing_share * all;
            const real left = entering[i] * above / (begun ? depth[i] : real(1));
            const real stays = left < tau(i, k) ? left : tau(i, k);
            entering[i] = !begun && begins ? tau(i, k) : entering[i];
            depth[i] = !begun && begins ? above : depth[i];
            tau(i, k) = begun ? stays : tau(i, k);
        });
}

/// Height h_B below which air lacks the energy to come up to the reference level h: where the integral of
/// N^2 (h - z) from h_B to h is as large as the kinetic energy there (Kim and Doyle 2005). 0: none lacks it.
real KimArakawa::blocked_depth(const OrographicColumns &c, int i) {
    const Columns z = at(height), n2 = at(stability);
    const real h = reference_height_[i];
    real work = 0;
    for (int k = base_[i] - 1; k >= 0; --k) {
        const real top = h - std::min(z(i, k + 1), h), bottom = h - z(i, k);
        const real square = (n2(i, std::max(k, 1)) + n2(i, std::min(std::max(k + 1, 1), base_[i]))) / 2;
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
    const Columns z = at(height), tau = at(stress);
    const real depth = blocked_depth(c, i);
    if (depth <= 0) return;
    int k = 0;
    while (k < c.nz - 1 && z(i, k + 1) < depth) ++k;
    const real share = (depth - z(i, k)) / c.depth(i, k);
    const real top = c.weight(i, k) + share * (c.weight(i, k + 1) - c.weight(i, k));
    const real ground = c.weight(i, 0), blocked = blocking_stress(flow_[i], depth);
    for (; k >= 0; --k) tau(i, k) += blocked * (c.weight(i, k) - top) / (ground - top);
}

/// No layer loses more in the step than it has: what is too much for it is left to the layers below it, and
/// in the end to the ground, which then has less stress.
void KimArakawa::keep_direction(const OrographicColumns &c) {
    const Columns tau = at(stress);
    const real *east = east_.data(), *north = north_.data();
    for (int k = c.nz - 1; k >= 0; --k)
        for_each_i(0, c.n, [=, &c](int i) {
            const real along = c.u(i, k) * east[i] + c.v(i, k) * north[i];
            const real most = tau(i, k + 1) + mass(c, i, k) * (along > 0 ? along : real(0)) / c.dt;
            tau(i, k) = most < tau(i, k) ? most : tau(i, k);
        });
}

/// What the wind loses of its energy in the step heats the air where it is lost.
void KimArakawa::decelerate(const OrographicColumns &c) {
    const Columns tau = at(stress);
    const real *east = east_.data(), *north = north_.data();
    for (int k = 0; k < c.nz; ++k)
        for_each_i(0, c.n, [=, &c](int i) {
            const real rate = (tau(i, k + 1) - tau(i, k)) / mass(c, i, k);
            const real along = c.u(i, k) * east[i] + c.v(i, k) * north[i];
            c.du(i, k) = rate * east[i], c.dv(i, k) = rate * north[i];
            c.heating(i, k) = -rate * (along + c.dt / 2 * rate) / (constants::c_p * c.exner(i, k));
        });
    for_each_i(0, c.n,
               [=, &c](int i) { c.stress_u[i] = tau(i, 0) * east[i], c.stress_v[i] = tau(i, 0) * north[i]; });
}

} // namespace

GravityWaveDragEntry kim_arakawa_scheme() {
    return {
        "gravity waves and flow blocking by subgrid mountains, Kim and Arakawa (1995), Choi and Hong (2015)",
        [](int nz) { return std::make_unique<KimArakawa>(nz); }};
}

} // namespace squall
