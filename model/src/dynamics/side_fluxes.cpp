#include "dynamics/side_fluxes.hpp"

#include <algorithm>
#include <span>
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
        const auto faces = static_cast<std::size_t>(last - first);
        const auto sums = [this, faces] { return sums_.emplace_back(faces).data(); };
        lines_.lines_.push_back({axis, low, cell, first, last, sums(), sums()});
    };
    add(b.west, Axis::x, true, west - p.x0), add(b.east, Axis::x, false, east - 1 - p.x0);
    add(b.south, Axis::y, true, south - p.y0), add(b.north, Axis::y, false, north - 1 - p.y0);
}

void SideFluxes::end_step(real dt, const ExactSum &relaxed) {
    for (const SideLines::Line &line : lines_.lines_) {
        const auto faces = static_cast<std::size_t>(line.end - line.begin);
        // With 1 / dx as the equations have it.
        const double along = double(grid_.dx) * double(grid_.dy) *
                             double(line.is_x() ? grid_.rdx : grid_.rdy) / double(constants::g);
        const double inward = line.low ? along : -along;
        for (double &mass : std::span(line.mass, faces)) count(crossed_.dry, inward * std::exchange(mass, 0));
        for (double &water : std::span(line.water, faces))
            count(crossed_.water, inward * double(dt) * std::exchange(water, 0));
    }
    crossed_.relaxed += relaxed;
}

Crossing SideFluxes::take() { return std::exchange(crossed_, {}); }

} // namespace squall
