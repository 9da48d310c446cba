#include "dynamics/side_lines.hpp"

#include <algorithm>
#include <utility>

namespace squall {

void SideLines::add_mass(const Range &tile, const GridView &g, ConstField3 u, ConstField3 v,
                         real seconds) const {
    for (const Line &line : lines_) {
        const auto [across0, across1] =
            line.is_x() ? std::pair{tile.i0, tile.i1} : std::pair{tile.j0, tile.j1};
        if (line.cell < across0 || line.cell >= across1) continue;
        const int begin = std::max(line.begin, line.is_x() ? tile.j0 : tile.i0),
                  end = std::min(line.end, line.is_x() ? tile.j1 : tile.i1);
        for (int k = 0; k < g.nz; ++k) {
            const double weight = -double(g.dnw[k]) * double(seconds);
            const real *first = line.is_x() ? &u(line.face(), k, 0) : v.row(k, line.face());
            const std::ptrdiff_t step = line.is_x() ? u.sj : 1;
            for (int n = begin; n < end; ++n) line.mass[n - line.begin] += weight * double(first[step * n]);
        }
    }
}

void SideLines::add_water(const Range &slab, int k, const GridView &g, const real *west, const real *south,
                          const real *north) const {
    const int j = slab.j0;
    const double weight = -double(g.dnw[k]);
    for (const Line &line : lines_) {
        const auto add = [&](int n, double flux) { line.water[n - line.begin] += weight * flux; };
        if (line.is_x() && line.cell >= slab.i0 && line.cell < slab.i1 && j >= line.begin && j < line.end)
            add(j, west[line.face()]);
        else if (!line.is_x() && line.cell == j)
            for (int i = std::max(line.begin, slab.i0); i < std::min(line.end, slab.i1); ++i)
                add(i, (line.low ? south : north)[i]);
    }
}

} // namespace squall
