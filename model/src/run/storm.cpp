#include "run/storm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/elementary.hpp"
#include "diagnostics/column_values.hpp"
#include "diagnostics/surface.hpp"

namespace squall {
namespace {

constexpr double weakest_updraught = 1; ///< [m s-1]

/// What is least in the storm's column; infinite where that has none.
double value_of_column(const NestConfig &settings, const SeenAir &air, int i, int j) {
    if (settings.follow == "updraught") {
        real most = 0;
        for (int k = 0; k < air.grid.nz; ++k) most = std::max(most, air.wind_up(i, k, j));
        return -double(most);
    }
    if (settings.follow_level == 0) return sea_level_pressure(air, i, j);
    const real height = where_falling(
        air.grid.nz, [&](int k) { return logarithm(air.pressure(i, k, j)); },
        [&](int k) { return air.height(i, k, j); }, logarithm(real(settings.follow_level)));
    return height == missing ? std::numeric_limits<double>::infinity() : double(height);
}

double mean_of_cell(const NestConfig &settings, const SeenAir &air, int i0, int j0, int ratio) {
    double sum = 0;
    for (int j = j0; j < j0 + ratio; ++j)
        for (int i = i0; i < i0 + ratio; ++i) sum += value_of_column(settings, air, i, j);
    return sum / (ratio * ratio);
}

/// How MPI compares values that come with places: of equal ones the lower place wins.
struct Candidate {
    double value;
    int place;
};

} // namespace

std::optional<std::array<int, 2>> find_storm(const NestConfig &settings, const NestPlace &place,
                                             const Patch &patch, const SeenAir &air, int rim_rows,
                                             double spacing, MPI_Comm comm) {
    const int r = place.ratio, nx = place.nx / r, ny = place.ny / r, rim = (rim_rows + r - 1) / r;
    const double reach = settings.follow_speed * settings.follow_interval / spacing + 0.5;
    Candidate least{std::numeric_limits<double>::infinity(), 0};
    for (int y = std::max(patch.y0 / r, rim); y < std::min((patch.y0 + patch.shape.ny) / r, ny - rim); ++y)
        for (int x = std::max(patch.x0 / r, rim); x < std::min((patch.x0 + patch.shape.nx) / r, nx - rim);
             ++x) {
            if (std::hypot(x + 0.5 - 0.5 * nx, y + 0.5 - 0.5 * ny) > reach) continue;
            const double value = mean_of_cell(settings, air, x * r - patch.x0, y * r - patch.y0, r);
            if (value < least.value) least = {value, y * nx + x};
        }
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
    const double most =
        settings.follow == "updraught" ? -weakest_updraught : std::numeric_limits<double>::max();
    if (least.value > most) return {};
    return std::array{place.i0 + least.place % nx, place.j0 + least.place / nx};
}

NestPlace place_around(const NestConfig &settings, NestPlace place, std::array<int, 2> cell, int nx, int ny) {
    const auto follow = [&](int start, int cells, int to, int whole) {
        const int shift = (2 * to + 1 - (2 * start + cells)) / 2; // towards none
        const int low = settings.follow_margin, high = whole - settings.follow_margin - cells;
        return std::clamp(start + shift, std::min(low, start), std::max(high, start));
    };
    place.i0 = follow(place.i0, place.nx / place.ratio, cell[0], nx);
    place.j0 = follow(place.j0, place.ny / place.ratio, cell[1], ny);
    return place;
}

} // namespace squall
