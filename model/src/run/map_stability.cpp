#include "run/map_stability.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace squall {
namespace {

/// Maps that are made for where they are used stretch less; what these do to the limits, steps of usual
/// length have room for.
constexpr double much = 1.5;

} // namespace

Stepping on_earth(Stepping nominal, const Grid &grid, MPI_Comm comm) {
    double most[] = {0, 0};
    for (int j = 0; j < grid.shape.ny; ++j)
        for (int i = 0; i < grid.shape.nx; ++i) {
            most[0] = std::max(most[0], double(grid.msftx(i, j)));
            most[1] = std::max(most[1], double(grid.msfty(i, j)));
        }
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, comm);
    nominal.dx /= most[0], nominal.dy /= most[1];
    return nominal;
}

void refuse_narrow_cells(const Config &config, const Stepping &here) {
    const Stepping nominal = make_stepping(config);
    if (nominal.dx < much * here.dx && nominal.dy < much * here.dy) return;
    const double courant = acoustic_courant(here);
    if (courant < 1 || acoustic_courant(nominal) >= 1) return;
    throw ConfigError(
        fmt::format("{}: {}: the map distorts so much that the smallest cells measure {:.3g} x {:.3g} km on "
                    "Earth, but {:.3g} x {:.3g} km on the map: sound is unstable there with steps of {:g} s "
                    "in {} acoustic substeps (Courant number {:.2g}, limit 1).\nSet run.time_step = \"{:g} "
                    "s\", 6 s per km of the smallest; or use a map with its pole elsewhere: near the Earth's "
                    "poles prepare.projection = \"polar-stereographic\".",
                    config.file, projection_file(config), here.dx / 1000, here.dy / 1000, nominal.dx / 1000,
                    nominal.dy / 1000, here.time_step, here.acoustic_substeps, courant,
                    round_step(usual_time_step(here))));
}

} // namespace squall
