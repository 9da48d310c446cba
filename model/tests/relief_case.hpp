/// Terrain of a formula under a sun that stands where a test wants it.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "physics/sunlit_ground.hpp"

namespace squall::test {

inline constexpr double degree = std::numbers::pi / 180;

/// `azimuth` clockwise from north, `elevation` above the horizon [degrees].
inline radiation::Direction sun_in(double azimuth, double elevation) {
    const double level = std::cos(elevation * degree);
    return {level * std::sin(azimuth * degree), level * std::cos(azimuth * degree),
            std::sin(elevation * degree)};
}

struct Relief {
    Config config;
    Patch patch;
    Grid grid;

    /// `height`(i, j) [m]: of the domain's cells, 0-based; cells of 500 m by 400 m unless said.
    Relief(int nx, int ny, Boundary sides, const std::function<double(int, int)> &height, int rank = 0,
           int px = 1, int py = 1) {
        config.domain.boundaries = {sides, sides, sides, sides};
        config.physics.slope_radiation = config.physics.topographic_shading = true;
        patch = make_patch(rank, px, py, nx, ny, 1, config.domain.boundaries);
        grid.shape = patch.shape, grid.dx = 500, grid.dy = 400;
        for (Array2 *a : {&grid.msftx, &grid.msfty, &grid.cosa, &grid.sina, &grid.terrain})
            *a = Array2(patch.shape);
        for (Array2 *a : {&grid.msftx, &grid.msfty, &grid.cosa}) a->fill(1);
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int i = 0; i < patch.shape.nx; ++i)
                grid.terrain(i, j) = real(height(patch.x0 + i, patch.y0 + j));
    }

    SunlitGround sunlit(MPI_Comm comm = MPI_COMM_SELF) const { return {config, patch, grid, comm}; }
};

/// Hills without any symmetry.
inline double rough(int i, int j) {
    return 400 * std::sin(0.7 * i + 0.2 * j) + 300 * std::cos(0.45 * j - 0.3 * i) +
           90 * std::sin(1.9 * i * j);
}

} // namespace squall::test
