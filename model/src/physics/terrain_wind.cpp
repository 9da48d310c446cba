#include "physics/terrain_wind.hpp"

#include <algorithm>
#include <cmath>

#include <mpi.h>

#include "core/loop.hpp"

namespace squall {
namespace {

constexpr real hills_begin = real(2.718); // [m]

/// Of a cell and those beside it: the latter's mean height less its own [m]; the domain's side repeats its
/// cells.
real laplacian(const Patch &patch, const Grid &grid, int i, int j) {
    const int west = patch.west == MPI_PROC_NULL && i == 0 ? i : i - 1,
              east = patch.east == MPI_PROC_NULL && i == patch.shape.nx - 1 ? i : i + 1,
              south = patch.south == MPI_PROC_NULL && j == 0 ? j : j - 1,
              north = patch.north == MPI_PROC_NULL && j == patch.shape.ny - 1 ? j : j + 1;
    const Array2 &h = grid.terrain;
    return (h(east, j) + h(west, j) + h(i, north) + h(i, south) - h(i, j) * 4) / 4;
}

void set_by_form(real convex, real variance, bool land, real &drag, real &shelter) {
    const real deviation = land ? std::sqrt(variance) : real(1);
    drag = deviation <= hills_begin ? real(1) : std::log(deviation);
    shelter = 1;
    if (convex < -20)
        drag = shelter = std::max((convex + 30) / 10, real(0));
    else if (convex <= -10)
        drag = 1 + (convex + 20) / 10 * (drag - 1);
}

real by_deviation(real deviation, bool land) {
    const real factor = std::min(deviation * real(0.4) / 200 + real(1.175), real(1.575));
    return land ? factor * factor : real(1);
}

} // namespace

void set_terrain_wind(const PhysicsConfig &config, const Patch &patch, const Grid &grid, Ground &ground) {
    TerrainWind &t = ground.terrain_wind;
    const bool by_form = config.terrain_wind == "jimenez-dudhia";
    for_each_column({0, patch.shape.nx, 0, patch.shape.ny, 0, 1}, [&](int i, int j) {
        const bool land = ground.land(i, j) > real(0.5);
        if (by_form)
            return set_by_form(laplacian(patch, grid, i, j), t.hills(i, j), land, t.drag(i, j),
                               t.shelter(i, j));
        t.drag(i, j) = by_deviation(t.hills(i, j), land);
        t.shelter(i, j) = 1;
    });
}

} // namespace squall
