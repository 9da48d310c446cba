#include "physics/nearest_cell.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "core/constants.hpp"

namespace squall {
namespace {

/// A place on the unit sphere.
std::array<double, 3> on_sphere(double latitude, double longitude) {
    constexpr double radian = std::numbers::pi / 180;
    const double c = std::cos(latitude * radian);
    return {c * std::cos(longitude * radian), c * std::sin(longitude * radian), std::sin(latitude * radian)};
}

struct Nearest {
    double distance; ///< [m], straight
    int cell;        ///< i + nx j; the least of those as near
};

Nearest nearest_of_patch(double latitude, double longitude, const Patch &patch, const Grid &grid) {
    const auto wanted = on_sphere(latitude, longitude);
    Nearest best{std::numeric_limits<double>::infinity(), 0};
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            const auto here = on_sphere(grid.lat(i, j), grid.lon(i, j));
            const double chord = std::hypot(here[0] - wanted[0], here[1] - wanted[1], here[2] - wanted[2]);
            if (const double d = chord * constants::earth_radius; d < best.distance)
                best = {d, patch.x0 + i + patch.nx_domain * (patch.y0 + j)};
        }
    return best;
}

} // namespace

NearestCell nearest_cell(double latitude, double longitude, const Patch &patch, MPI_Comm comm,
                         const Grid &grid) {
    Nearest best = nearest_of_patch(latitude, longitude, patch, grid);
    MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
    NearestCell cell{best.cell % patch.nx_domain, best.cell / patch.nx_domain, best.distance};
    const double half_a_cell = ask_owner(patch, comm, cell.i, cell.j, [&](int i, int j) {
        return 0.5 * std::hypot(grid.dx / grid.msftx(i, j), grid.dy / grid.msfty(i, j));
    });
    cell.holds = best.distance <= 1.05 * half_a_cell; // a little more at the corners of distorted cells
    return cell;
}

} // namespace squall
