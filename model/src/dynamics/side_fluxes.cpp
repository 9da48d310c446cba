#include "dynamics/side_fluxes.hpp"

#include <algorithm>
#include <utility>

#include "core/constants.hpp"

namespace squall {
namespace {

/// Rows outside of a side.
int width(Boundary side, int specified) {
    return side == Boundary::specified ? specified : side == Boundary::open ? 1 : 0;
}

/// What this rank has of [begin, end) of the domain's cells.
std::pair<int, int> own(int begin, int end, int start, int count) {
    const int first = std::max(begin - start, 0);
    return {first, std::max(first, std::min(end - start, count))};
}

void count(Flow &flow, double inward) { inward > 0 ? flow.in.add(inward) : flow.out.add(-inward); }

} // namespace

SideFluxes::SideFluxes(const Patch &p, const Boundaries &b, int specified, const GridView &grid)
    : grid_(grid) {
    const int west = width(b.west, specified), east = p.nx_domain - width(b.east, specified);
    const int south = width(b.south, specified), north = p.ny_domain - width(b.north, specified);
    const auto in_x = own(west, east, p.x0, p.shape.nx), in_y = own(south, north, p.y0, p.shape.ny);
    inner_ = {in_x.first, in_x.second, in_y.first, in_y.second, 0, 1};
    if (inner_.empty()) return;
    const auto add = [&](Boundary side, Axis axis, bool low, int cell) {
        const bool x = axis == Axis::x;
        const auto &[begin, end] = x ? in_x : in_y;
        const bool mine = cell >= begin && cell < end;
        if (side == Boundary::periodic || !mine) return;
        const auto &[first, last] = x ? in_y : in_x; // along it
        Line line{axis, low, cell, first, last, {}, {}};
        line.mass.resize(static_cast<std::size_t>(line.end - line.begin));
        line.water = line.mass;
        lines_.push_back(std::move(line));
    };
    add(b.west, Axis::x, true, west - p.x0), add(b.east, Axis::x, false, east - 1 - p.x0);
    add(b.south, Axis::y, true, south - p.y0), add(b.north, Axis::y, false, north - 1 - p.y0);
}

void SideFluxes::add_mass(const Range &tile, ConstField3 u, ConstField3 v, real seconds) {
    for (Line &line : lines_) {
        const auto [across0, across1] =
            line.is_x() ? std::pair{tile.i0, tile.i1} : std::pair{tile.j0, tile.j1};
        if (line.cell < across0 || line.cell >= across1) continue;
        const int begin = std::max(line.begin, line.is_x() ? tile.j0 : tile.i0),
                  end = std::min(line.end, line.is_x() ? tile.j1 : tile.i1);
        for (int k = 0; k < grid_.nz; ++k) {
            const double weight = -double(grid_.dnw[k]) * double(seconds);
            const real *first = line.is_x() ? &u(line.face(), k, 0) : v.row(k, line.face());
            const std::ptrdiff_t step = line.is_x() ? u.sj : 1;
            for (int n = begin; n < end; ++n)
                line.mass[static_cast<std::size_t>(n - line.begin)] += weight * double(first[step * n]);
        }
    }
}

void SideFluxes::add_water(const Range &slab, int k, const real *west, const real *south, const real *north) {
    const int j = slab.j0;
    const double weight = -double(grid_.dnw[k]);
    for (Line &line : lines_) {
        const auto add = [&](int n, double flux) {
            line.water[static_cast<std::size_t>(n - line.begin)] += weight * flux;
        };
        if (line.is_x() && line.cell >= slab.i0 && line.cell < slab.i1 && j >= line.begin && j < line.end)
            add(j, west[line.face()]);
        else if (!line.is_x() && line.cell == j)
            for (int i = std::max(line.begin, slab.i0); i < std::min(line.end, slab.i1); ++i)
                add(i, (line.low ? south : north)[i]);
    }
}

void SideFluxes::end_step(real dt, const ExactSum &relaxed) {
    for (Line &line : lines_) {
        // With 1 / dx as the equations have it.
        const double along = double(grid_.dx) * double(grid_.dy) *
                             double(line.is_x() ? grid_.rdx : grid_.rdy) / double(constants::g);
        const double inward = line.low ? along : -along;
        for (double &mass : line.mass) count(crossed_.dry, inward * std::exchange(mass, 0));
        for (double &water : line.water) count(crossed_.water, inward * double(dt) * std::exchange(water, 0));
    }
    crossed_.relaxed += relaxed;
}

Crossing SideFluxes::take() { return std::exchange(crossed_, {}); }

} // namespace squall
