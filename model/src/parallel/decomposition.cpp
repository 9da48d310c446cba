#include "parallel/decomposition.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

namespace squall {
namespace {

/// First cell of part `c` of `parts` near-equal parts of n cells, in whole grains.
int part_begin(int n, int parts, int c, int grain) {
    return static_cast<int>(std::int64_t(n / grain) * c / parts) * grain;
}

/// The narrowest part must fill the halo of its neighbour by itself.
bool wide_enough(int n, int parts, int grain) {
    return parts == 1 ? n >= 1 : n / grain / parts * grain >= halo_width;
}

bool fits(int px, int py, int nx, int ny, int grain) {
    return wide_enough(nx, px, grain) && wide_enough(ny, py, grain);
}

/// Points of the largest patch with its halo, in which a cut across i counts double.
std::int64_t cost(int px, int py, int nx, int ny) {
    const std::int64_t x = (nx + px - 1) / px + (px > 1 ? 2 * 2 * halo_width : 0);
    const std::int64_t y = (ny + py - 1) / py + (py > 1 ? 2 * halo_width : 0);
    return x * y;
}

std::optional<std::array<int, 2>> cheapest_grid(int ranks, int nx, int ny, int fixed_x, int fixed_y,
                                                int grain) {
    std::optional<std::array<int, 2>> best;
    for (int px = 1; px <= ranks; ++px) {
        const int py = ranks / px;
        const bool allowed = px * py == ranks && (!fixed_x || px == fixed_x) && (!fixed_y || py == fixed_y);
        if (!allowed || !fits(px, py, nx, ny, grain)) continue;
        if (!best || cost(px, py, nx, ny) < cost((*best)[0], (*best)[1], nx, ny)) best = {px, py};
    }
    return best;
}

[[noreturn]] void refuse(int ranks, int nx, int ny, int grain) {
    int fewer = ranks - 1;
    while (fewer > 1 && !cheapest_grid(fewer, nx, ny, 0, 0, grain)) --fewer;
    throw std::invalid_argument(
        fmt::format("{} x {} cells cannot be split over {} ranks: every patch needs at "
                    "least {} cells in a direction that is split; {} would work",
                    nx, ny, ranks, halo_width, fewer > 1 ? fmt::format("{} ranks", fewer) : "one rank"));
}

void check_fixed(int ranks, int nx, int ny, int fixed_x, int fixed_y, int grain) {
    const bool divides = (!fixed_x || ranks % fixed_x == 0) && (!fixed_y || ranks % fixed_y == 0);
    if (!divides || (fixed_x && fixed_y && fixed_x * fixed_y != ranks))
        throw std::invalid_argument(
            fmt::format("parallel.ranks_x = {} and parallel.ranks_y = {} (0: chosen) do not make {} patches: "
                        "their product must be the number of ranks",
                        fixed_x, fixed_y, ranks));
    const int px = fixed_x ? fixed_x : ranks / fixed_y, py = ranks / px;
    if (!fits(px, py, nx, ny, grain))
        throw std::invalid_argument(fmt::format(
            "{} x {} patches of {} x {} cells are too narrow: every patch needs at least {} cells in a "
            "direction "
            "that is split, so parallel.ranks_x may be at most {} and parallel.ranks_y at most {}",
            px, py, nx, ny, halo_width, std::max(1, nx / halo_width), std::max(1, ny / halo_width)));
}

void check_periodic_pair(Boundary a, Boundary b, const char *low, const char *high) {
    if ((a == Boundary::periodic) != (b == Boundary::periodic))
        throw std::invalid_argument(
            fmt::format("domain.boundary_{0} and domain.boundary_{1} must both be \"periodic\", or neither: "
                        "the {0} side of a periodic direction is joined to the {1} side",
                        low, high));
}

/// Place of the neighbour `step` away among `parts`, or -1 beyond an edge that is not periodic.
int neighbour(int c, int step, int parts, Boundary boundary) {
    const int n = c + step;
    if (n >= 0 && n < parts) return n;
    return boundary == Boundary::periodic ? (n + parts) % parts : -1;
}

} // namespace

Shape largest_patch(const Patch &p) {
    const auto largest = [&](int n, int parts) { return (n / p.grain + parts - 1) / parts * p.grain; };
    return {largest(p.nx_domain, p.px), largest(p.ny_domain, p.py), p.shape.nz};
}

Region meet(const Region &a, const Region &b) {
    return {std::max(a.i0, b.i0), std::min(a.i1, b.i1), std::max(a.j0, b.j0), std::min(a.j1, b.j1)};
}

Region region_of(const Patch &p, int rank) {
    if (rank < 0 || rank >= p.px * p.py) return {};
    const int cx = rank % p.px, cy = rank / p.px;
    const auto begin = [&](int n, int parts, int c) { return part_begin(n, parts, c, p.grain); };
    return {begin(p.nx_domain, p.px, cx), begin(p.nx_domain, p.px, cx + 1), begin(p.ny_domain, p.py, cy),
            begin(p.ny_domain, p.py, cy + 1)};
}

std::array<int, 2> choose_process_grid(int ranks, int nx, int ny, int fixed_x, int fixed_y, int grain) {
    if (ranks < 1 || nx < 1 || ny < 1)
        throw std::invalid_argument(fmt::format("cannot split {} x {} cells over {} ranks", nx, ny, ranks));
    if (fixed_x || fixed_y) check_fixed(ranks, nx, ny, fixed_x, fixed_y, grain);
    const auto grid = cheapest_grid(ranks, nx, ny, fixed_x, fixed_y, grain);
    if (!grid) refuse(ranks, nx, ny, grain);
    return *grid;
}

Patch make_patch(int rank, int px, int py, int nx, int ny, int nz, const Boundaries &b, int grain) {
    if (rank < 0 || rank >= px * py)
        throw std::invalid_argument(fmt::format("rank {} has no patch among {} x {}", rank, px, py));
    if (!fits(px, py, nx, ny, grain)) check_fixed(px * py, nx, ny, px, py, grain);
    check_periodic_pair(b.west, b.east, "west", "east");
    check_periodic_pair(b.south, b.north, "south", "north");

    Patch p;
    p.nx_domain = nx, p.ny_domain = ny;
    p.px = px, p.py = py;
    p.cx = rank % px, p.cy = rank / px;
    p.grain = grain;
    const Region mine = region_of(p, rank);
    p.x0 = mine.i0, p.y0 = mine.j0;
    p.shape = {mine.i1 - mine.i0, mine.j1 - mine.j0, nz};

    const int west = neighbour(p.cx, -1, px, b.west), east = neighbour(p.cx, 1, px, b.east);
    const int south = neighbour(p.cy, -1, py, b.south), north = neighbour(p.cy, 1, py, b.north);
    if (west >= 0) p.west = west + px * p.cy;
    if (east >= 0) p.east = east + px * p.cy;
    if (south >= 0) p.south = p.cx + px * south;
    if (north >= 0) p.north = p.cx + px * north;
    return p;
}

} // namespace squall
