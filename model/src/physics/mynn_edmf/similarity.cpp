#include <cmath>

#include "physics/mynn_edmf/steps.hpp"

namespace squall::mynn_edmf {
namespace {

/// phi_m - 1 in stable air (Cheng and Brutsaert 2005, equation 22).
real stable_excess(real zeta) {
    constexpr real a = real(6.1), b = real(2.5);
    const real sum = 1 + std::pow(zeta, b);
    const real root = std::pow(sum, 1 / b);
    return zeta * a * (1 + root / sum * std::pow(zeta, b - 1)) / (zeta + root);
}

/// A function of z/L and its derivative.
struct Slope {
    real value, derivative;
};

/// The integral of (1 - phi) / zeta by free convection (Fairall et al. 1996, equation 24).
Slope convective(real zeta) {
    constexpr real a = 10, third = real(1.0 / 3), root_3 = real(1.7320508);
    const real x = std::cbrt(1 - a * zeta), x_z = -third * a / (x * x);
    const real f = third * (x * x + x + 1), f_z = third * (2 * x + 1) * x_z;
    const real g = (2 * x + 1) / root_3, g_z = 2 / root_3 * x_z;
    return {real(1.5) * std::log(f) - root_3 * std::atan(g) + real(1.813799364),
            real(1.5) * f_z / f - root_3 * g_z / (1 + g * g)};
}

/// And of Businger and Dyer.
Slope sheared(real zeta) {
    const real y = std::sqrt(std::sqrt(1 - 16 * zeta));
    const real value = 2 * std::log(real(0.5) * (1 + y)) + std::log(real(0.5) * (1 + y * y)) -
                       2 * std::atan(y) + real(1.570796);
    return {value, (1 - 1 / y) / zeta};
}

/// phi_m - 1 in unstable air: both, the convective one with weight zeta^2 / (1 + zeta^2).
real unstable_excess(real zeta) {
    if (zeta > real(-1e-4)) return 4 * zeta; // what follows divides by it
    const Slope psi_k = sheared(zeta), psi_c = convective(zeta);
    const real square = zeta * zeta, part = 1 / (1 + square);
    const real sum = psi_k.value + square * psi_c.value;
    const real sum_z = psi_k.derivative + 2 * zeta * psi_c.value + square * psi_c.derivative;
    return -zeta * (sum_z * part - 2 * zeta * sum * part * part);
}

} // namespace

real production_of_ground(real zeta) {
    return 1 + (zeta >= 0 ? stable_excess(zeta) : unstable_excess(zeta)) - zeta;
}

} // namespace squall::mynn_edmf
