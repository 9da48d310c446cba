#include "run/stability.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace squall {
namespace {

int less_stable(int a, int b) { return advection_limit(a) < advection_limit(b) ? a : b; }

} // namespace

Stepping make_stepping(const Config &c) {
    Stepping s;
    s.time_step = c.run.time_step;
    s.acoustic_substeps = c.run.acoustic_substeps;
    s.dx = c.domain.dx, s.dy = c.domain.dy;
    s.one_row = c.domain.ny == 1;
    s.horizontal_order =
        less_stable(c.dynamics.momentum_order_horizontal, c.dynamics.scalar_order_horizontal);
    s.vertical_order = less_stable(c.dynamics.momentum_order_vertical, c.dynamics.scalar_order_vertical);
    return s;
}

double advection_limit(int order) {
    constexpr std::array limits = {1.73, 1.61, 1.26, 1.42, 1.08};
    if (order < 2 || order > 6)
        throw std::invalid_argument(fmt::format("there is no advection of order {}: use 2 to 6", order));
    return limits[static_cast<std::size_t>(order - 2)];
}

double acoustic_courant(const Stepping &s) {
    const double wavenumber = s.one_row ? 1 / s.dx : std::hypot(1 / s.dx, 1 / s.dy);
    return sound_speed * s.time_step / s.acoustic_substeps * wavenumber;
}

int substeps_needed(const Stepping &s) {
    const int n = static_cast<int>(std::floor(acoustic_courant(s) * s.acoustic_substeps)) + 1;
    return std::max(2, n + n % 2);
}

double usual_time_step(const Stepping &s) { return 6e-3 * (s.one_row ? s.dx : std::min(s.dx, s.dy)); }

double round_step(double step) {
    if (!(step > 0)) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(step)) - 1);
    return std::floor(step / unit * (1 + 1e-12)) * unit;
}

} // namespace squall
