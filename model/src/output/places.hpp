/// Places at which fields are sampled: where these are on the grid, whatever the projection.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/grid.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

struct Place {
    std::string name;
    double longitude = 0,
           latitude = 0; ///< [degrees]; of one that is declared by x and y or i and j: the grid's
    /// Cells from the middle of the first, west-east and south-north; between cells too. Not a number:
    /// outside of the domain.
    double i = 0, j = 0;
    double altitude = 0; ///< above the sea [m]: of the model's ground there, or of what is there
    double own_altitude =
        std::numeric_limits<double>::quiet_NaN(); ///< of a station's table [m], if it has it
};

/// From the middle of the earth, whose radius is 1.
struct UnitVector {
    double x = 0, y = 0, z = 0;
};
inline double dot(UnitVector a, UnitVector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
/// [degrees].
UnitVector on_sphere(double longitude, double latitude);

/// Finds i and j by longitude and latitude: each rank looks in its own patch, and the one that is nearest of
/// all says where. The same on every rank, to the bit, however the domain is cut. Collective over `comm`.
void locate_on_the_sphere(std::vector<Place> &places, const Grid &grid, const Patch &patch, MPI_Comm comm);

/// The four cells of a patch and its halo around a place, the first one of them its own.
struct CellsAround {
    int i = 0, j = 0;
    double east = 0, north = 0; ///< how far the place is on the way to the next

    /// Bilinear; cells without weight are not looked at.
    template <class F> double mean(F value) const {
        double sum = 0;
        const auto add = [&](int di, int dj, double weight) {
            if (weight != 0) sum += weight * static_cast<double>(value(i + di, j + dj));
        };
        add(0, 0, (1 - east) * (1 - north));
        add(1, 0, east * (1 - north));
        add(0, 1, (1 - east) * north);
        add(1, 1, east * north);
        return sum;
    }
};
/// Nothing: the place is not this patch's.
std::optional<CellsAround> cells_around(const Place &place, const Patch &patch);

/// The cells of a patch, and of its halo up to `beyond` cells, that lie around a place or within `beyond` of
/// one that does, each in one range of one row, of all `shape.nz` levels.
std::vector<Range> rows_around(const std::vector<Place> &places, const Patch &patch, int beyond);

/// Place by place the values of planes, between the cells; -infinity where a place is nowhere. The halos of
/// the planes must be filled. Collective over `comm`; the same on every rank.
std::vector<double> values_at(const std::vector<Place> &places, const std::vector<const Array2 *> &planes,
                              const Patch &patch, MPI_Comm comm);

} // namespace squall
