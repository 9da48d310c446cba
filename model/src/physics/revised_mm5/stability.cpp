#include "physics/revised_mm5/stability.hpp"

#include <cmath>
#include <numbers>

namespace squall::revised_mm5 {
namespace {

constexpr real pi = std::numbers::pi_v<real>;
constexpr real root_3 = std::numbers::sqrt3_v<real>;

/// ln(zeta + (1 + zeta^b)^(1/b)), which is zeta where that is small and grows like its logarithm.
real stable(real zeta, real b) { return std::log(zeta + std::pow(1 + std::pow(zeta, b), 1 / b)); }

/// Of free convection: y^3 = 1 - a zeta.
real convective(real zeta, real a) {
    const real y = std::pow(1 - a * zeta, real(0.33));
    return real(1.5) * std::log((y * y + y + 1) / 3) - root_3 * std::atan((2 * y + 1) / root_3) + pi / root_3;
}

real blended(real zeta, real near_neutral, real free) {
    const real square = zeta * zeta;
    return (near_neutral + square * free) / (1 + square);
}

} // namespace

real psi_momentum(real zeta) {
    if (zeta >= 0) return real(-6.1) * stable(zeta, real(2.5));
    const real x = std::sqrt(std::sqrt(1 - 16 * zeta));
    const real paulson = 2 * std::log((1 + x) / 2) + std::log((1 + x * x) / 2) - 2 * std::atan(x) + pi / 2;
    return blended(zeta, paulson, convective(zeta, 10));
}

real psi_heat(real zeta) {
    if (zeta >= 0) return real(-5.3) * stable(zeta, real(1.1));
    const real paulson = 2 * std::log((1 + std::sqrt(1 - 16 * zeta)) / 2);
    return blended(zeta, paulson, convective(zeta, 34));
}

real stability_of(real richardson, real z, real z0) {
    const real neutral = std::log((z + z0) / z0);
    const auto excess = [=](real &zeta) {
        if (zeta * richardson < 0) zeta = 0; // of the sign of the Richardson number
        const real at_ground = zeta * z0 / z, at_top = zeta + at_ground;
        const real momentum = neutral - (psi_momentum(at_top) - psi_momentum(at_ground));
        const real heat = neutral - (psi_heat(at_top) - psi_heat(at_ground));
        return zeta * heat / (momentum * momentum) - richardson;
    };
    real a = richardson < 0 ? -5 : 0, b = richardson < 0 ? 0 : 5;
    real at_a = excess(a), at_b = excess(b), zeta = 0;
    for (int step = 0; step < 10 && std::abs(a - b) > real(0.01) && at_a != at_b; ++step) {
        real &worse = std::abs(at_b) < std::abs(at_a) ? a : b;
        real &at_worse = &worse == &a ? at_a : at_b;
        worse -= at_worse / (at_b - at_a) * (b - a);
        at_worse = excess(worse);
        zeta = worse;
    }
    return zeta;
}

} // namespace squall::revised_mm5
