#include "physics/fire/fire_wind.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/elementary.hpp"

namespace squall::fire {
namespace {

/// A cell of the atmosphere and how far from it to the next one, of a fire cell.
struct Between {
    int cell;
    real share;
};

Between between(int n, int refinement, bool in_the_middle) {
    const int cell = n >= 0 ? n / refinement : -((refinement - 1 - n) / refinement);
    const real along = (real(n - cell * refinement) + real(0.5)) / real(refinement);
    if (!in_the_middle) return {cell, along};
    return along < real(0.5) ? Between{cell - 1, along + real(0.5)} : Between{cell, along - real(0.5)};
}

/// One component. `di`, `dj`: from a cell to the one on the other side of its side.
void component(Range points, const GridView &g, ConstField3 wind, ConstField3 ph, real height,
               ConstField2 roughness, int di, int dj, Field2 result) {
    const real log_height = logarithm(height);
    for (int j = points.j0; j < points.j1; ++j)
        for (int i = points.i0; i < points.i1; ++i) {
            const auto altitude = [&](int k) {
                const real here = ph(i, k, j) + g.phb(i, k, j),
                           there = ph(i - di, k, j - dj) + g.phb(i - di, k, j - dj);
                return real(0.5) * (here + there) / constants::g;
            };
            const real z0 = real(0.5) * (roughness(i, j) + roughness(i - di, j - dj));
            if (height <= z0) {
                result(i, j) = 0;
                continue;
            }
            const real ground = altitude(0);
            const auto middle = [&](int k) { return real(0.5) * (altitude(k) + altitude(k + 1)) - ground; };
            int k = 0;
            while (k < g.nz && middle(k) < height) ++k;
            if (k == g.nz)
                result(i, j) = wind(i, g.nz - 1, j);
            else {
                const real below = k == 0 ? real(0) : wind(i, k - 1, j);
                const real log_below = logarithm(k == 0 ? z0 : middle(k - 1)),
                           log_above = logarithm(middle(k));
                result(i, j) =
                    below + (wind(i, k, j) - below) * (log_height - log_below) / (log_above - log_below);
            }
        }
}

} // namespace

void to_fire_cells(Range cells, const FireGrid &grid, Lies lies, ConstField2 plane, Field2 result) {
    for (int j = cells.j0; j < cells.j1; ++j) {
        const Between y = between(j, grid.ry, lies != Lies::south);
        for (int i = cells.i0; i < cells.i1; ++i) {
            const Between x = between(i, grid.rx, lies != Lies::west);
            const int a = x.cell, b = y.cell;
            const real south = (1 - x.share) * plane(a, b) + x.share * plane(a + 1, b),
                       north = (1 - x.share) * plane(a, b + 1) + x.share * plane(a + 1, b + 1);
            result(i, j) = (1 - y.share) * south + y.share * north;
        }
    }
}

void continue_linearly(const Patch &patch, Lies lies, Field2 plane) {
    const int nx = patch.shape.nx, ny = patch.shape.ny;
    const int west = lies == Lies::west ? 0 : -1, south = lies == Lies::south ? 0 : -1;
    for (int j = -1; j <= ny; ++j) {
        if (patch.at_west()) plane(west, j) = 2 * plane(west + 1, j) - plane(west + 2, j);
        if (patch.at_east()) plane(nx, j) = 2 * plane(nx - 1, j) - plane(nx - 2, j);
    }
    for (int i = -1; i <= nx; ++i) {
        if (patch.at_south()) plane(i, south) = 2 * plane(i, south + 1) - plane(i, south + 2);
        if (patch.at_north()) plane(i, ny) = 2 * plane(i, ny - 1) - plane(i, ny - 2);
    }
}

void wind_at_height(Range columns, const GridView &grid, const State &state, real height,
                    ConstField2 roughness, Field2 u, Field2 v) {
    const Range of_u = columns.with_i(std::max(columns.i0, 0), columns.i1),
                of_v = columns.with_j(std::max(columns.j0, 0), columns.j1);
    component(of_u, grid, state.u.view(), state.ph.view(), height, roughness, 1, 0, u);
    component(of_v, grid, state.v.view(), state.ph.view(), height, roughness, 0, 1, v);
}

} // namespace squall::fire
