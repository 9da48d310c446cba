#include "winds/continuity.hpp"

#include <algorithm>

#include "parallel/tiles.hpp"

namespace squall::transport {
namespace {

/// Air of a row's cells after the horizontal fluxes: (k, i).
std::vector<double> moved(const Block &air, const MassFluxes &f, int j) {
    const Shape &s = f.shape;
    std::vector<double> after;
    for (int k = 0; k < s.nz; ++k) {
        const double *before = air.row(0, k, j), *east = f.east_row(k, j);
        const double *south = f.north_row(k, j), *north = f.north_row(k, j + 1);
        for (int i = 0; i < s.nx; ++i)
            after.push_back(before[i] + ((east[i] - east[i + 1]) + (south[i] - north[i])));
    }
    return after;
}

} // namespace

void set_vertical_fluxes(const Block &air, const PatchOfGlobe &where, MassFluxes &fluxes) {
    const Shape &s = fluxes.shape;
    const double top = where.levels().a.back();
    for_each_tile(make_tiles({0, 1, 0, s.ny, 0, 1}, 1, 1), [&](const Range &row) {
        const int j = row.j0;
        const std::vector<double> after = moved(air, fluxes, j);
        std::vector<double> surface(static_cast<std::size_t>(s.nx), 0.0);
        for (std::size_t n = 0; n < after.size(); ++n) surface[n % surface.size()] += after[n];
        for (double &p : surface) p = top + p * gravity / where.area(j);
        std::fill_n(fluxes.up_row(s.nz, j), s.nx, 0.0);
        std::fill_n(fluxes.up_row(0, j), s.nx, 0.0);
        for (int k = s.nz - 1; k > 0; --k) {
            const double *above = fluxes.up_row(k + 1, j);
            double *below = fluxes.up_row(k, j);
            for (int i = 0; i < s.nx; ++i) {
                const auto n = static_cast<std::size_t>(i);
                below[i] = where.air(k, j, surface[n]) -
                           after[static_cast<std::size_t>(k) * surface.size() + n] + above[i];
            }
        }
    });
}

} // namespace squall::transport
