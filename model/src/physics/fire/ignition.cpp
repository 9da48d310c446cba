#include "physics/fire/ignition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "core/constants.hpp"

namespace squall::fire {

double Ignition::x_of(const FireGrid &grid, const Patch &fire_patch, int i, int j) const {
    return line_.first.geographic ? double(grid.x(i, j)) : (fire_patch.x0 + i + 0.5) * double(grid.dx);
}

double Ignition::y_of(const FireGrid &grid, const Patch &fire_patch, int i, int j) const {
    return line_.first.geographic ? double(grid.y(i, j)) : (fire_patch.y0 + j + 0.5) * double(grid.dy);
}

Ignition::Ignition(const Config &config, const IgnitionConfig &line, const Patch &patch, const FireGrid &grid,
                   MPI_Comm comm)
    : line_(line) {
    if (!line.first.geographic) return; // checked with the run file
    constexpr double radian = std::numbers::pi / 180;
    unit_y_ = double(constants::earth_radius) * radian;
    unit_x_ = unit_y_ * std::cos(line.first.y * radian);
    double nearest[] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    for (int j = 0; j < grid.shape.ny; ++j)
        for (int i = 0; i < grid.shape.nx; ++i)
            for (int end = 0; end < 2; ++end) {
                const GroundPoint &point = end == 0 ? line.first : line.last;
                nearest[end] = std::min(nearest[end], std::hypot((grid.x(i, j) - point.x) * unit_x_,
                                                                 (grid.y(i, j) - point.y) * unit_y_));
            }
    MPI_Allreduce(MPI_IN_PLACE, nearest, 2, MPI_DOUBLE, MPI_MIN, comm);
    for (int end = 0; end < 2; ++end) {
        const GroundPoint &point = end == 0 ? line.first : line.last;
        if (nearest[end] > std::hypot(grid.dx, grid.dy))
            throw std::runtime_error(fmt::format(
                "{}:{}: ignition.{}.{}: latitude {}, longitude {} is outside the domain, {:.0f} m from the "
                "centre of the nearest cell of {} x {}",
                config.file, line.line, line.name, end == 0 ? "start" : "end", point.y, point.x, nearest[end],
                patch.nx_domain * grid.rx, patch.ny_domain * grid.ry));
    }
}

/// The nearest point of the line as far as it is lit, a share of it, and when that was lit.
Ignition::Nearest Ignition::nearest(double x, double y, double lit) const {
    const double lx = (line_.last.x - line_.first.x) * lit * unit_x_,
                 ly = (line_.last.y - line_.first.y) * lit * unit_y_;
    const double dx = (x - line_.first.x) * unit_x_, dy = (y - line_.first.y) * unit_y_;
    const double square = lx * lx + ly * ly;
    const double along = square > 0 ? std::clamp((dx * lx + dy * ly) / square, 0.0, 1.0) : 0;
    const double lasted = (line_.end_time - line_.start_time) * lit;
    return {std::hypot(dx - along * lx, dy - along * ly), line_.start_time + along * lasted};
}

void Ignition::light(Range cells, const FireGrid &grid, const Patch &fire_patch, double begin, double end,
                     Field2 level_set, Field2 ignition_time) const {
    const double last_lit = std::min(end, line_.end_time), takes = line_.radius / line_.rate;
    if (begin > last_lit + takes || end < line_.start_time) return;
    const double lasts = line_.end_time - line_.start_time;
    const double lit = lasts > 0 ? (last_lit - line_.start_time) / lasts : 1;
    for (int j = cells.j0; j < cells.j1; ++j)
        for (int i = cells.i0; i < cells.i1; ++i) {
            const Nearest near = nearest(x_of(grid, fire_patch, i, j), y_of(grid, fire_patch, i, j), lit);
            const double psi = near.distance - std::min(line_.radius, line_.rate * (end - near.time));
            if (level_set(i, j) > 0 && psi <= 0)
                ignition_time(i, j) = real(std::clamp(near.time + near.distance / line_.rate, begin, end));
            level_set(i, j) = std::min(level_set(i, j), real(psi));
        }
}

} // namespace squall::fire
