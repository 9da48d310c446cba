// Open boundaries: a tile changes only its own points, so the bits do not depend on tiles.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "dynamics/dynamics.hpp"
#include "initial/initial.hpp"

namespace squall {
namespace {

/// A mountain in an isothermal wind between open sides, 24 x 6 x 20.
Config mountain_config(int tile_x, int tile_y) {
    Config c;
    c.file = "test.toml";
    c.run.time_step = 12;
    c.domain.nx = 24;
    c.domain.ny = 6;
    c.domain.nz = 20;
    c.domain.dx = c.domain.dy = 2e3;
    c.domain.boundaries = {Boundary::open, Boundary::open, Boundary::open, Boundary::open};
    c.vertical.top = 30e3;
    c.initial.case_name = "mountain-hydrostatic";
    for (const CaseParameter &p : cases().at(c.initial.case_name).parameters)
        c.initial.parameters[p.key] = p.value;
    c.parallel.tile_x = tile_x;
    c.parallel.tile_y = tile_y;
    return c;
}

/// The fields after some steps, one after another.
std::vector<real> fields_after(int steps, const Config &c) {
    const Patch patch = make_patch(0, 1, 1, c.domain.nx, c.domain.ny, c.domain.nz, c.domain.boundaries);
    Dynamics dynamics(c, patch, MPI_COMM_SELF, make_initial_state(c, patch));
    for (int n = 0; n < steps; ++n) dynamics.step();
    std::vector<real> values;
    const State &s = dynamics.state();
    for (const Array3 *field : {&s.u, &s.v, &s.w, &s.theta, &s.ph})
        for (int j = 0; j < c.domain.ny; ++j)
            for (int k = 0; k < c.domain.nz; ++k)
                for (int i = 0; i < c.domain.nx; ++i) values.push_back((*field)(i, k, j));
    return values;
}

TEST(OpenBoundary, TheBitsDoNotDependOnTiles) {
    const std::vector<real> whole = fields_after(20, mountain_config(24, 6));
    for (const auto &[tile_x, tile_y] : {std::pair{8, 6}, std::pair{24, 2}, std::pair{7, 3}})
        EXPECT_TRUE(fields_after(20, mountain_config(tile_x, tile_y)) == whole) << tile_x << " x " << tile_y;
}

} // namespace
} // namespace squall
