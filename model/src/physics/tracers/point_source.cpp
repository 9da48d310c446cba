#include "physics/tracers/point_source.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "physics/nearest_cell.hpp"

namespace squall {
namespace {

struct Cell {
    int i, j; ///< 0-based and global
};

[[noreturn]] void refuse(const Config &config, const TracerConfig &tracer, const std::string &what) {
    throw std::runtime_error(
        fmt::format("{}:{}: tracer.{}.source {}", config.file, tracer.line, tracer.name, what));
}

/// Sources are declared for the outermost domain, which holds them all; a nest has those that lie in it.
bool is_nest(const Config &config) { return config.identity.id > 1; }

constexpr Cell nowhere{-1, -1};

Cell find_geographic(const Config &config, const TracerConfig &tracer, const Patch &patch, MPI_Comm comm,
                     const Grid &grid) {
    const NearestCell best = nearest_cell(tracer.point.first, tracer.point.second, patch, comm, grid);
    if (!best.holds && is_nest(config)) return nowhere;
    if (!best.holds)
        refuse(config, tracer,
               fmt::format("at latitude {}, longitude {} is outside the domain, {:.0f} km from the centre of "
                           "the nearest cell",
                           tracer.point.first, tracer.point.second, best.distance / 1000));
    return {best.i, best.j};
}

Cell find_cell(const Config &config, const TracerConfig &tracer, const Patch &patch, MPI_Comm comm,
               const Grid &grid) {
    if (tracer.point.geographic) return find_geographic(config, tracer, patch, comm, grid);
    const DomainConfig &d = config.domain;
    const double x = tracer.point.first / d.dx, y = tracer.point.second / d.dy;
    if (is_nest(config) && !(x >= 0 && x < d.nx && y >= 0 && y < d.ny)) return nowhere;
    return {std::clamp(static_cast<int>(tracer.point.first / d.dx), 0, d.nx - 1),
            std::clamp(static_cast<int>(tracer.point.second / d.dy), 0, d.ny - 1)};
}

/// Whether a cell is one of the outermost rows of specified sides.
bool in_rim(const Config &config, Cell cell) {
    if (config.domain.boundaries.west != Boundary::specified) return false; // then none is
    const DomainConfig &d = config.domain;
    return std::min({cell.i, cell.j, d.nx - 1 - cell.i, d.ny - 1 - cell.j}) < config.boundary.specified_rows;
}

void check_rim(const Config &config, const TracerConfig &tracer, Cell cell) {
    if (in_rim(config, cell))
        refuse(config, tracer,
               fmt::format("is in the outermost {} rows, whose air comes from boundary.file",
                           config.boundary.specified_rows));
}

} // namespace

PointSource::PointSource(const Config &config, const TracerConfig &tracer, const Patch &patch, MPI_Comm comm,
                         const Grid &grid)
    : rate_(tracer.rate), start_(tracer.start),
      end_(tracer.end > 0 ? tracer.end : std::numeric_limits<double>::infinity()),
      height_(tracer.point.height) {
    const Cell cell = find_cell(config, tracer, patch, comm, grid);
    if (is_nest(config) && (cell.i == nowhere.i || in_rim(config, cell))) return; // the parent's emits
    check_rim(config, tracer, cell);
    const int nz = grid.shape.nz;
    const double depth = ask_owner(patch, comm, cell.i, cell.j, [&](int i, int j) {
        return (grid.phb(i, nz, j) - grid.phb(i, 0, j)) / constants::g;
    });
    if (height_ >= depth)
        refuse(
            config, tracer,
            fmt::format("is {} m above the ground, but the model top there is at {:.0f} m", height_, depth));
    i_ = cell.i - patch.x0;
    j_ = cell.j - patch.y0;
}

void PointSource::emit(Range columns, const GridView &g, const State &state, double seconds, double dt,
                       Field3 q) const {
    if (i_ < columns.i0 || i_ >= columns.i1 || j_ < columns.j0 || j_ >= columns.j1) return;
    const double active = std::min(end_, seconds + dt) - std::max(start_, seconds);
    if (active <= 0) return;
    const auto geopotential = [&](int k) { return double(state.ph(i_, k, j_)) + g.phb(i_, k, j_); };
    const double level = geopotential(0) + double(constants::g) * height_;
    int k = 0;
    while (k + 1 < g.nz && geopotential(k + 1) <= level) ++k;
    const double per_area =
        -(double(g.c1h[k]) * (double(g.mub(i_, j_)) + state.mu(i_, j_)) + g.c2h[k]) * g.dnw[k] / constants::g;
    const double area = double(g.dx) * g.dy / (double(g.msftx(i_, j_)) * g.msfty(i_, j_));
    q(i_, k, j_) = static_cast<real>(q(i_, k, j_) + rate_ * active / (per_area * area));
}

} // namespace squall
