#include "output/places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

namespace squall {
namespace {

UnitVector less(UnitVector a, UnitVector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// Finds places on the grid of a patch by the latitudes and longitudes of its cells, whatever the projection.
class Search {
  public:
    Search(const Grid &grid, const Patch &patch) : grid_(grid), patch_(patch) {}

    /// The nearest of the patch's own cells: downhill from cell to cell, and among equals the first of the
    /// domain.
    struct Nearest {
        int i = 0, j = 0;
        double distance = std::numeric_limits<double>::infinity(); ///< chord, squared
        std::int64_t cell = 0;                                     ///< of the domain
    };
    Nearest nearest(UnitVector to) const {
        auto best = at(patch_.shape.nx / 2, patch_.shape.ny / 2, to);
        for (bool moved = true; moved;) {
            moved = false;
            const auto here = best;
            for (int dj = -1; dj <= 1; ++dj)
                for (int di = -1; di <= 1; ++di) {
                    const int i = here.i + di, j = here.j + dj;
                    if (i < 0 || j < 0 || i >= patch_.shape.nx || j >= patch_.shape.ny) continue;
                    const auto there = at(i, j, to);
                    if (!less_far(there, best)) continue;
                    best = there;
                    moved = true;
                }
        }
        return best;
    }

    /// Where a place is between the cells, from the nearest cell of the patch on: Newton's method for the
    /// bilinear interpolation of the cells' own places, in the plane that touches the sphere there.
    std::pair<double, double> between(const Nearest &near, UnitVector to, double longitude) const {
        const double degree = std::acos(-1.0) / 180;
        const UnitVector east{-std::sin(longitude * degree), std::cos(longitude * degree), 0};
        const UnitVector north{to.y * east.z - to.z * east.y, to.z * east.x - to.x * east.z,
                               to.x * east.y - to.y * east.x};
        // In cells of the domain: the same operations whatever the patch.
        const double first_x = near.i + patch_.x0, first_y = near.j + patch_.y0;
        double x = first_x, y = first_y;
        for (int n = 0; n < 5; ++n) {
            const int i = low(x, patch_.nx_domain), j = low(y, patch_.ny_domain);
            const UnitVector sw = of_domain(i, j), se = of_domain(i + 1, j), nw = of_domain(i, j + 1),
                             ne = of_domain(i + 1, j + 1);
            const double a = x - i, b = y - j;
            const auto in = [&](UnitVector axis) { // value and slopes along one axis of the plane
                const double p = dot(less(sw, to), axis), q = dot(less(se, to), axis),
                             r = dot(less(nw, to), axis), s = dot(less(ne, to), axis);
                return std::array{(1 - b) * ((1 - a) * p + a * q) + b * ((1 - a) * r + a * s),
                                  (1 - b) * (q - p) + b * (s - r), (1 - a) * (r - p) + a * (s - q)};
            };
            const auto e = in(east), f = in(north);
            const double determinant = e[1] * f[2] - e[2] * f[1];
            if (determinant == 0) break;
            x -= (e[0] * f[2] - f[0] * e[2]) / determinant;
            y -= (e[1] * f[0] - f[1] * e[0]) / determinant;
            x = std::clamp(x, first_x - 2, first_x + 2);
            y = std::clamp(y, first_y - 2, first_y + 2);
        }
        return {x, y};
    }

  private:
    static bool less_far(const Nearest &a, const Nearest &b) {
        return a.distance < b.distance || (a.distance == b.distance && a.cell < b.cell);
    }
    UnitVector place(int i, int j) const {
        return on_sphere(static_cast<double>(grid_.lon(i, j)), static_cast<double>(grid_.lat(i, j)));
    }
    Nearest at(int i, int j, UnitVector to) const {
        const auto away = less(place(i, j), to);
        return {i, j, dot(away, away), std::int64_t(patch_.y0 + j) * patch_.nx_domain + patch_.x0 + i};
    }
    UnitVector of_domain(int i, int j) const { return place(i - patch_.x0, j - patch_.y0); }
    /// The cell on the low side, of which there is another one behind it in the domain.
    static int low(double x, int size) {
        return std::clamp(static_cast<int>(std::floor(x)), 0, std::max(size - 2, 0));
    }

    const Grid &grid_;
    const Patch &patch_;
};

} // namespace

UnitVector on_sphere(double longitude, double latitude) {
    const double degree = std::acos(-1.0) / 180, lon = longitude * degree, lat = latitude * degree;
    return {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)};
}

void locate_on_the_sphere(std::vector<Place> &places, const Grid &grid, const Patch &patch, MPI_Comm comm) {
    const Search search(grid, patch);
    const auto n = places.size();
    std::vector<Search::Nearest> near(n);
    std::vector<double> distance(n);
    std::vector<std::int64_t> cell(n);
    for (std::size_t s = 0; s < n; ++s) {
        near[s] = search.nearest(on_sphere(places[s].longitude, places[s].latitude));
        distance[s] = near[s].distance;
    }
    const int count = static_cast<int>(n);
    MPI_Allreduce(MPI_IN_PLACE, distance.data(), count, MPI_DOUBLE, MPI_MIN, comm);
    for (std::size_t s = 0; s < n; ++s)
        cell[s] = near[s].distance == distance[s] ? near[s].cell : std::numeric_limits<std::int64_t>::max();
    MPI_Allreduce(MPI_IN_PLACE, cell.data(), count, MPI_INT64_T, MPI_MIN, comm);
    std::vector<double> where(2 * n, -std::numeric_limits<double>::infinity());
    for (std::size_t s = 0; s < n; ++s) {
        if (near[s].cell != cell[s] || near[s].distance != distance[s]) continue;
        const auto [x, y] =
            search.between(near[s], on_sphere(places[s].longitude, places[s].latitude), places[s].longitude);
        where[2 * s] = x;
        where[2 * s + 1] = y;
    }
    MPI_Allreduce(MPI_IN_PLACE, where.data(), 2 * count, MPI_DOUBLE, MPI_MAX, comm);
    for (std::size_t s = 0; s < n; ++s) places[s].i = where[2 * s], places[s].j = where[2 * s + 1];
}

std::vector<double> values_at(const std::vector<Place> &places, const std::vector<const Array2 *> &planes,
                              const Patch &patch, MPI_Comm comm) {
    std::vector<double> found(places.size() * planes.size(), -std::numeric_limits<double>::infinity());
    for (std::size_t p = 0; p < places.size(); ++p)
        if (const auto around = cells_around(places[p], patch))
            for (std::size_t n = 0; n < planes.size(); ++n)
                found[p * planes.size() + n] = around->mean([&](int i, int j) { return (*planes[n])(i, j); });
    MPI_Allreduce(MPI_IN_PLACE, found.data(), static_cast<int>(found.size()), MPI_DOUBLE, MPI_MAX, comm);
    return found;
}

std::optional<CellsAround> cells_around(const Place &place, const Patch &patch) {
    if (!(place.i >= 0 && place.j >= 0)) return std::nullopt;
    const auto west = std::min(static_cast<int>(place.i), std::max(patch.nx_domain - 2, 0));
    const auto south = std::min(static_cast<int>(place.j), std::max(patch.ny_domain - 2, 0));
    const int i = west - patch.x0, j = south - patch.y0;
    if (i < 0 || j < 0 || i >= patch.shape.nx || j >= patch.shape.ny) return std::nullopt;
    return CellsAround{i, j, place.i - west, place.j - south};
}

std::vector<Range> rows_around(const std::vector<Place> &places, const Patch &patch, int beyond) {
    const auto [nx, ny, nz] = patch.shape;
    const int width = nx + 2 * beyond;
    std::vector<bool> wanted(static_cast<std::size_t>(width) * static_cast<std::size_t>(ny + 2 * beyond));
    const auto place_of = [=](int i, int j) {
        return static_cast<std::size_t>(j + beyond) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(i + beyond);
    };
    for (const Place &place : places) {
        if (!(place.i >= 0 && place.j >= 0)) continue;
        const int west = static_cast<int>(place.i) - patch.x0, south = static_cast<int>(place.j) - patch.y0;
        for (int j = std::max(south - beyond, -beyond); j < std::min(south + 2, ny) + beyond; ++j)
            for (int i = std::max(west - beyond, -beyond); i < std::min(west + 2, nx) + beyond; ++i)
                wanted[place_of(i, j)] = true;
    }
    std::vector<Range> rows;
    for (int j = -beyond; j < ny + beyond; ++j)
        for (int i = -beyond; i < nx + beyond; ++i) {
            if (!wanted[place_of(i, j)]) continue;
            if (!rows.empty() && rows.back().j0 == j && rows.back().i1 == i)
                ++rows.back().i1;
            else
                rows.push_back({i, i + 1, j, j + 1, 0, nz});
        }
    return rows;
}

} // namespace squall
