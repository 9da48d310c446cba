#include "physics/sunlit_ground.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "parallel/region_exchange.hpp"

namespace squall {
namespace {

constexpr real nowhere = real(-1e6); ///< lower than any ground [m]

View3<const real> one_level(ConstField2 v) { return {v.origin, 0, v.sj}; }
View3<real> one_level(Field2 v) { return {v.origin, 0, v.sj}; }

/// How many cells shadows cross at most, in the domain where a metre of the Earth is longest on the map.
int cells_in(double length, const Grid &grid, MPI_Comm comm) {
    double most = 1;
    for (int j = 0; j < grid.shape.ny; ++j)
        for (int i = 0; i < grid.shape.nx; ++i)
            most = std::max({most, double(grid.msftx(i, j)), double(grid.msfty(i, j))});
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
    return static_cast<int>(std::ceil(length * most / std::min(double(grid.dx), double(grid.dy))));
}

/// How often a periodic direction of so many cells is repeated on either side.
int copies(bool periodic, int reach, int cells) { return periodic ? (reach + cells - 1) / cells : 0; }

} // namespace

SunlitGround::SunlitGround(const Config &config, const Patch &patch, const Grid &grid, MPI_Comm comm)
    : patch_(patch), grid_(grid), inclined_(config.physics.slope_radiation),
      shaded_(config.physics.topographic_shading), of_slopes_area_(config.run.as_wrf()),
      length_(config.physics.shadow_length) {
    if (shaded_)
        reach_ += cells_in(length_, grid, comm); // and the second of two points between which a ray is
    gather(config.domain.boundaries, comm);
}

void SunlitGround::gather(const Boundaries &sides, MPI_Comm comm) {
    const Shape window{patch_.shape.nx + 2 * reach_, patch_.shape.ny + 2 * reach_, 1};
    terrain_ = Array2(window);
    terrain_.fill(nowhere);
    const int nx = patch_.nx_domain, ny = patch_.ny_domain;
    const int nsx = copies(sides.west == Boundary::periodic, reach_, nx),
              nsy = copies(sides.south == Boundary::periodic, reach_, ny);
    const auto owned = [&](int rank) { return region_of(patch_, rank); };
    for (int y = -nsy; y <= nsy; ++y)
        for (int x = -nsx; x <= nsx; ++x) { // of each copy of the domain, moved so many times its own size
            const auto wanted = [&](int rank) {
                const Region r = owned(rank);
                return meet({r.i0 - reach_ - x * nx, r.i1 + reach_ - x * nx, r.j0 - reach_ - y * ny,
                             r.j1 + reach_ - y * ny},
                            {0, nx, 0, ny});
            };
            const MovedField terrain{in_domain(one_level(grid_.terrain.view()), patch_.x0, patch_.y0),
                                     in_domain(one_level(terrain_.view()), patch_.x0 - reach_ - x * nx,
                                               patch_.y0 - reach_ - y * ny),
                                     1,
                                     {0, nx, 0, ny}};
            RegionExchange(comm, owned, wanted).move({&terrain, 1});
        }
    highest_ = double(nowhere);
    for (int j = 0; j < window.ny; ++j)
        for (int i = 0; i < window.nx; ++i) highest_ = std::max(highest_, double(terrain_(i, j)));
}

SunlitGround::Rise SunlitGround::rise(int i, int j) const {
    const bool west = patch_.west == MPI_PROC_NULL && i == 0,
               east = patch_.east == MPI_PROC_NULL && i == patch_.shape.nx - 1,
               south = patch_.south == MPI_PROC_NULL && j == 0,
               north = patch_.north == MPI_PROC_NULL && j == patch_.shape.ny - 1;
    const auto slope = [](double high, double low, int cells, double metric, double spacing) {
        return cells > 0 ? (high - low) * metric / (cells * spacing) : 0;
    };
    const double x = slope(height(east ? i : i + 1, j), height(west ? i : i - 1, j), 2 - west - east,
                           double(grid_.msftx(i, j)), double(grid_.dx)),
                 y = slope(height(i, north ? j : j + 1), height(i, south ? j : j - 1), 2 - south - north,
                           double(grid_.msfty(i, j)), double(grid_.dy));
    const double sine = double(grid_.sina(i, j)), cosine = double(grid_.cosa(i, j));
    return {x * cosine - y * sine, y * cosine + x * sine};
}

double SunlitGround::share(int i, int j, const radiation::Direction &sun) const {
    if (shaded_ && in_shadow(i, j, sun)) return 0;
    if (!inclined_) return 1;
    const Rise r = rise(i, j);
    const double of_map = std::max(sun.up - r.east * sun.east - r.north * sun.north, 0.0) / sun.up;
    return of_slopes_area_ ? of_map / std::sqrt(1 + r.east * r.east + r.north * r.north) : of_map;
}

bool SunlitGround::in_shadow(int i, int j, const radiation::Direction &sun) const {
    const double level = std::hypot(sun.east, sun.north);
    if (!(level > 1e-6 * sun.up)) return false;
    const double sine = double(grid_.sina(i, j)), cosine = double(grid_.cosa(i, j));
    // Cells per metre towards the sun.
    const double x = (sun.east * cosine + sun.north * sine) / level * double(grid_.msftx(i, j)) /
                     double(grid_.dx),
                 y = (sun.north * cosine - sun.east * sine) / level * double(grid_.msfty(i, j)) /
                     double(grid_.dy);
    const bool along_x = std::abs(x) >= std::abs(y);
    const double cells = along_x ? std::abs(x) : std::abs(y), aside = (along_x ? y : x) / cells;
    const int step = (along_x ? x : y) > 0 ? 1 : -1;
    const double here = height(i, j), rises = sun.up / level;
    for (int n = 1; n <= cells * length_; ++n) {
        const double distance = n / cells;
        const double ray = here + distance * (rises + 0.5 * distance / double(constants::earth_radius));
        if (ray >= highest_) return false;
        const double beside = n * aside, low = std::floor(beside);
        const int a = n * step, b = static_cast<int>(low);
        const double one = along_x ? height(i + a, j + b) : height(i + b, j + a),
                     other = along_x ? height(i + a, j + b + 1) : height(i + b + 1, j + a);
        if (one + (beside - low) * (other - one) > ray) return true;
    }
    return false;
}

} // namespace squall
