#include "dynamics/content.hpp"

#include <algorithm>
#include <array>

#include "core/constants.hpp"

namespace squall {
namespace {

constexpr int at_once = 64; ///< columns of a row

#pragma omp declare reduction(add:Content : omp_out += omp_in)

/// Of columns [i0, i1) of line j, at most `at_once`.
Content content_of_row(int i0, int i1, int j, const GridView &g, const State &s, int waters) {
    std::array<double, at_once> water{}, mass{};
    const auto n = [i0](int i) { return static_cast<std::size_t>(i - i0); };
    for (int i = i0; i < i1; ++i) mass[n(i)] = double(g.mub(i, j)) + double(s.mu(i, j));
    for (int q = 0; q < waters; ++q)
        for (int k = 0; k < g.nz; ++k) {
            const real *row = s.scalars[static_cast<std::size_t>(q)].view().row(k, j);
            const double c1 = g.c1h[k], c2 = g.c2h[k], thickness = -g.dnw[k];
            for_each_i(i0, i1, [&, row](int i) {
                water[n(i)] += thickness * (c1 * mass[n(i)] + c2) * double(row[i]);
            });
        }
    Content found;
    for (int i = i0; i < i1; ++i) {
        const double area = double(g.dx) * double(g.dy) / (double(g.msftx(i, j)) * double(g.msfty(i, j)));
        found.dry.add(mass[n(i)] * area / constants::g);
        found.water.add(water[n(i)] * area / constants::g);
        found.area.add(area);
    }
    return found;
}

} // namespace

Content content_of(const Range &columns, const GridView &g, const State &state, int waters) {
    Content all;
#pragma omp parallel for schedule(static) reduction(add : all)
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i = columns.i0; i < columns.i1; i += at_once)
            all += content_of_row(i, std::min(i + at_once, columns.i1), j, g, state, waters);
    return all;
}

} // namespace squall
