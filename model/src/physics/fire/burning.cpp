#include "physics/fire/burning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/elementary.hpp"

namespace squall::fire {
namespace {

/// The mean of a field over the points of cells between which a corner lies: half cells from the middle.
real at_corner(ConstField2 f, int i, int j, int a, int b) {
    if (a == 0 && b == 0) return f(i, j);
    if (a == 0) return real(0.5) * (f(i, j) + f(i, j + b));
    if (b == 0) return real(0.5) * (f(i, j) + f(i + a, j));
    return real(0.25) * ((f(i, j) + f(i + a, j)) + (f(i, j + b) + f(i + a, j + b)));
}

bool is_untouched(ConstField2 psi, int i, int j) {
    real least = psi(i, j);
    for (int b = -1; b <= 1; ++b)
        for (int a = -1; a <= 1; ++a) least = std::min(least, psi(i + a, j + b));
    return least > 0;
}

/// The quarter of a cell towards (a, b).
Remains quarter(ConstField2 psi, ConstField2 time, int i, int j, int a, int b, real now, real burn_time) {
    const int corners[4][2] = {{0, 0}, {a, 0}, {0, b}, {a, b}};
    real sum = 0, of_size = 0, burns_for = 0;
    for (const auto &c : corners) {
        const real level = at_corner(psi, i, j, c[0], c[1]);
        sum += level;
        of_size += std::abs(level);
        if (level <= 0) burns_for += std::max(now - at_corner(time, i, j, c[0], c[1]), real(0));
    }
    const real area = std::clamp(real(0.5) * (1 - sum / std::max(of_size, std::numeric_limits<real>::min())),
                                 real(0), real(1));
    if (area == 0) return {1, 0};
    return {1 - area * (1 - exponential(real(-0.25) * burns_for / burn_time)), area};
}

} // namespace

Remains remains_of(ConstField2 psi, ConstField2 ignition_time, int i, int j, double now, real burn_time) {
    if (is_untouched(psi, i, j)) return {1, 0};
    Remains all{0, 0};
    for (const int b : {-1, 1})
        for (const int a : {-1, 1}) {
            const Remains part = quarter(psi, ignition_time, i, j, a, b, real(now), burn_time);
            all.fuel += real(0.25) * part.fuel;
            all.area += real(0.25) * part.area;
        }
    return all;
}

Heat heat_of(double load, double moisture) {
    const double dry = load / (1 + moisture), water = load - dry;
    return {dry * heat_of_combustion, (water + dry * water_of_cellulose) * latent_heat};
}

} // namespace squall::fire
