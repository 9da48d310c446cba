#include "winds/continuity.hpp"

#include <algorithm>

#include "parallel/tiles.hpp"

namespace squall::transport {
namespace {

/// Air of the cells of row j in layer k after the horizontal fluxes.
void move_row(const Block &air, const MassFluxes &f, int k, int j, double *after) {
    const double *before = air.row(0, k, j), *east = f.east_row(k, j);
    const double *south = f.north_row(k, j), *north = f.north_row(k, j + 1);
    for (int i = 0; i < f.shape.nx; ++i)
        after[i] = before[i] + ((east[i] - east[i + 1]) + (south[i] - north[i]));
}

} // namespace

void set_vertical_fluxes(const Block &air, const PatchOfGlobe &where, MassFluxes &fluxes) {
    const Shape &s = fluxes.shape;
    const double top = where.levels().a.back();
    for_each_tile(make_tiles({0, 1, 0, s.ny, 0, 1}, 1, 1), [&](const Range &row) {
        const int j = row.j0;
        std::vector<double> surface(static_cast<std::size_t>(s.nx), 0.0);
        for (int k = 0; k < s.nz; ++k) {
            double *after = fluxes.up_row(k, j); // until the flux is known
            move_row(air, fluxes, k, j, after);
            for (std::size_t i = 0; i < surface.size(); ++i) surface[i] += after[i];
        }
        for (double &p : surface) p = top + p * gravity / where.area(j);
        std::fill_n(fluxes.up_row(s.nz, j), s.nx, 0.0);
        std::fill_n(fluxes.up_row(0, j), s.nx, 0.0);
        for (int k = s.nz - 1; k > 0; --k) {
            const double *above = fluxes.up_row(k + 1, j);
            double *below = fluxes.up_row(k, j);
            for (std::size_t i = 0; i < surface.size(); ++i)
                below[i] = where.air(k, j, surface[i]) - below[i] + above[i];
        }
    });
}

} // namespace squall::transport
