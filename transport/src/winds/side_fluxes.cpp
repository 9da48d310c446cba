#include "winds/side_fluxes.hpp"

#include <algorithm>
#include <cmath>

#include "parallel/tiles.hpp"
#include "winds/borders.hpp"

namespace squall::transport {
namespace {

/// Surface pressure, potential and winds of a patch and the cells next to it.
struct Fields {
    Bordered surface, potential, u, v;
};

struct Face {
    double surface; ///< mean of the cells on either side [Pa]
    double width;   ///< [m]
    double slope;   ///< of the potential, times the width over the distance of the cells [Pa m2 s-1]
};

/// The wind's flux and the share of the correction that a layer has of the column's air.
double through(const Face &face, const Levels &levels, int k, double wind) {
    const double layer = levels.pressure(k, face.surface) - levels.pressure(k + 1, face.surface);
    return layer / gravity * (wind * face.width + face.slope / (face.surface - levels.a.back()));
}

void set_row(const Fields &f, const PatchOfGlobe &where, int j, MassFluxes &fluxes) {
    const Shape &s = fluxes.shape;
    const Levels &levels = where.levels();
    const double turn = 2 * pi / where.globe().nlon;
    const bool pole = (j == 0 && where.patch().at_south()) || (j == s.ny && where.patch().at_north());
    if (j < s.ny)
        for (int i = 0; i <= s.nx; ++i) {
            const double height = where.south(j + 1) - where.south(j);
            const Face face{0.5 * (f.surface(i - 1, 0, j) + f.surface(i, 0, j)), radius * height,
                            (f.potential(i, 0, j) - f.potential(i - 1, 0, j)) * height /
                                (std::cos(where.lat(j)) * turn)};
            for (int k = 0; k < s.nz; ++k) fluxes.east_row(k, j)[i] = through(face, levels, k, f.u(i, k, j));
        }
    for (int i = 0; i < s.nx; ++i) {
        if (pole) { // a point, which nothing passes
            for (int k = 0; k < s.nz; ++k) fluxes.north_row(k, j)[i] = 0;
            continue;
        }
        const double cosine = std::cos(where.south(j));
        const Face face{0.5 * (f.surface(i, 0, j - 1) + f.surface(i, 0, j)), radius * cosine * turn,
                        (f.potential(i, 0, j) - f.potential(i, 0, j - 1)) * cosine * turn /
                            (where.lat(j) - where.lat(j - 1))};
        for (int k = 0; k < s.nz; ++k) fluxes.north_row(k, j)[i] = through(face, levels, k, f.v(i, k, j));
    }
}

} // namespace

void set_side_fluxes(const WindValues &record, WindField potential, const PatchOfGlobe &where, MPI_Comm comm,
                     MassFluxes &fluxes) {
    const Patch &patch = where.patch();
    const auto bordered = [&](WindField field) {
        return Bordered(record[index_of(field)], layers_of(field, patch.shape.nz), patch, comm);
    };
    const Fields fields{bordered(WindField::surface_pressure), bordered(potential), bordered(WindField::u),
                        bordered(WindField::v)};
    for_each_tile(make_tiles({0, 1, 0, patch.shape.ny + 1, 0, 1}, 1, 1),
                  [&](const Range &row) { set_row(fields, where, row.j0, fluxes); });
}

} // namespace squall::transport
