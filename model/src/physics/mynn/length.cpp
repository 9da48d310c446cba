// How high the boundary layer reaches, and how large its eddies are.
#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "core/loop.hpp"
#include "physics/mynn/profiles.hpp"

namespace squall::mynn {
namespace {

/// Where theta_v exceeds its least value in the lowest 200 m by a threshold.
real height_of_capping(const Profiles &p, int i) {
    real least = p.theta_v(i, 0);
    for (int k = 1; k < p.c.nz && p.z(i, k) < 200; ++k) least = std::min(least, p.theta_v(i, k));
    const real threshold = least + (p.s.land[i] > real(0.5) ? real(1.25) : real(1));
    for (int k = 1; k < p.c.nz; ++k) {
        const real below = p.theta_v(i, k - 1), here = p.theta_v(i, k);
        if (here < threshold) continue;
        if (below >= threshold) return p.z(i, k - 1);
        return p.z(i, k - 1) + (threshold - below) / (here - below) * (p.z(i, k) - p.z(i, k - 1));
    }
    return p.bottom(i, p.c.nz);
}

/// Where the turbulent energy has fallen to a twentieth of that at the surface.
real height_of_turbulence(const Profiles &p, int i) {
    const real threshold = std::max(p.energy(i, 0) / 20, real(0.04)); // of q^2
    for (int k = 1; k < p.c.nz; ++k) {
        const real below = p.energy(i, k - 1), here = p.energy(i, k);
        if (here > threshold) continue;
        if (below <= threshold) return p.z(i, k - 1);
        return p.z(i, k - 1) + (below - threshold) / (below - here) * (p.z(i, k) - p.z(i, k - 1));
    }
    return p.bottom(i, p.c.nz);
}

} // namespace

/// Low ones by turbulence, high ones by what caps them (Olson et al. 2019).
real find_height(const Profiles &p, int i) {
    constexpr real middle = 200, width = 400, apart = 350;
    const real capped = height_of_capping(p, i);
    const real turbulent =
        std::max(std::min(height_of_turbulence(p, i), capped + apart), std::max(capped - apart, real(10)));
    const real high = real(0.5) * std::tanh((capped - middle) / width) + real(0.5);
    return turbulent * (1 - high) + capped * high;
}

/// L_T, 0.23 times the mean height of turbulence, of the boundary layer and what it entrains from: turbulence
/// at a jet is not of it.
real find_whole_length(const Profiles &p, int i, real height) {
    const real top = height + std::min(std::max(real(0.3) * height, real(300)), real(600));
    real moment = 0, sum = 0;
    for (int k = 1; k < p.c.nz && p.bottom(i, k) <= top; ++k) {
        const real weight = p.q(i, k) * (p.z(i, k) - p.z(i, k - 1));
        moment += weight * p.bottom(i, k);
        sum += weight;
    }
    return sum > 0 ? std::max(real(0.23) * moment / sum, real(1)) : real(1);
}

/// What the ground (L_S), the whole layer (L_T) and stability (L_B) leave of an eddy, as resistors in
/// parallel: Nakanishi (2001, BLM 99, 349-378).
void set_length(const Profiles &p, int k) {
    for_each_i(0, p.c.n,
               [length = p.length.row(k), z = p.bottom.row(k), q = p.q.row(k), n2 = p.frequency.row(k),
                theta_v = p.theta_v.row(k), flux = p.buoyancy, inverse = p.obukhov, whole = p.whole](int i) {
                   const real zeta = z[i] * inverse[i];
                   const real bounded = std::min(std::max(zeta, real(0)), real(1));
                   const real stable = zeta < 1 ? 1 / (1 + real(2.7) * bounded) : 1 / real(3.7);
                   const real unstable = power(1 - 100 * std::min(zeta, real(0)), real(0.2));
                   const real ground = karman * z[i] * (zeta < 0 ? unstable : stable);
                   const real n = std::sqrt(std::max(n2[i], real(1e-12)));
                   const real heated = std::max(flux[i], real(0)) * constants::g / theta_v[i];
                   const real convective = power(heated * whole[i], real(1.0 / 3));
                   const real free = q[i] * (1 + 5 * std::sqrt(convective / (whole[i] * n)));
                   const real by_stability = n2[i] > 0 ? n / free : real(0);
                   length[i] = 1 / (1 / ground + 1 / whole[i] + by_stability);
               });
}

} // namespace squall::mynn
