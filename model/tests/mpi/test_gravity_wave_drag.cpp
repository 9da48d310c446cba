// Mountains within cells in the dynamics: the same bits on any ranks and tiles, and the wind loses what the
// ground gets.
#include <cmath>

#include <gtest/gtest.h>
#include <mpi.h>

#include "../tracer_case.hpp"
#include "core/constants.hpp"
#include "initial/initial.hpp"
#include "patch_of.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

Config hilly_case() {
    Config c = test::tracer_case("");
    c.physics.gravity_wave_drag = "kim-arakawa";
    return c;
}

/// Hills of all kinds in every third cell, `height` times as high as usual.
InitialState with_hills(const Config &c, const Patch &patch, real height) {
    InitialState s = make_initial_state(c, patch);
    SubgridOrography &o = s.ground.orography;
    o.spacing.fill(2000);
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            const int place = patch.x0 + i + 2 * (patch.y0 + j);
            o.deviation(i, j) = place % 3 == 0 ? height * real(20 + place % 7) : real(0);
            o.convexity(i, j) = real(2 + place % 4);
            for (std::size_t n = 0; n < SubgridOrography::directions; ++n) {
                o.asymmetry[n](i, j) = real(0.1) * real(place % 5) - real(0.2);
                o.length[n](i, j) = real(0.1) * real(1 + (place + int(n)) % 5);
            }
        }
    return s;
}

struct HillyRun {
    Config config;
    Patch patch;
    Solver dynamics;

    HillyRun(const Config &c, MPI_Comm comm, int steps, real height = 1)
        : config(c), patch(test::patch_of(c, comm)),
          dynamics(config, patch, comm, with_hills(config, patch, height)) {
        for (int n = 0; n < steps; ++n) {
            dynamics.set_time(n * config.run.time_step);
            dynamics.step();
        }
    }

    const GravityWaveState &waves() const { return dynamics.physics().gravity_waves; }

    /// Of dry air along x, per area of a cell, all cells together [kg m-1 s-1]. Of one rank, with periodic
    /// sides.
    double momentum() const {
        const State &s = dynamics.state();
        const Grid &g = dynamics.grid();
        double sum = 0;
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int i = 0; i < patch.shape.nx; ++i) {
                const int west = i > 0 ? i - 1 : patch.shape.nx - 1;
                const double mu = (double(g.mub(i, j)) + double(s.mu(i, j)) + double(g.mub(west, j)) +
                                   double(s.mu(west, j))) /
                                  2;
                for (std::size_t k = 0; k < std::size_t(patch.shape.nz); ++k)
                    sum -= (g.vertical.c1h[k] * mu + g.vertical.c2h[k]) * g.vertical.dnw[k] /
                           double(constants::g) * double(s.u(i, int(k), j));
            }
        return sum;
    }
    double stress() const {
        double sum = 0;
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int i = 0; i < patch.shape.nx; ++i) sum += double(waves().stress_u(i, j));
        return sum;
    }
};

/// Points of `part` that are not those of `whole`, which computes all of the domain.
int different(const HillyRun &part, const HillyRun &whole) {
    int count = 0;
    const Shape n = part.patch.shape;
    const State &a = part.dynamics.state(), &b = whole.dynamics.state();
    for (int j = 0; j < n.ny; ++j)
        for (int i = 0; i < n.nx; ++i) {
            const int x = part.patch.x0 + i, y = part.patch.y0 + j;
            for (int k = 0; k < n.nz; ++k)
                count += a.u(i, k, j) != b.u(x, k, y) || a.v(i, k, j) != b.v(x, k, y) ||
                         a.theta(i, k, j) != b.theta(x, k, y);
            count += part.waves().stress_u(i, j) != whole.waves().stress_u(x, y);
        }
    return count;
}

TEST(GravityWavesInTheModel, TheBitsDoNotDependOnRanksOrTiles) {
    Config c = hilly_case();
    const HillyRun whole(c, MPI_COMM_SELF, 6);
    EXPECT_EQ(different(HillyRun(c, MPI_COMM_WORLD, 6), whole), 0);
    c.parallel.tile_x = 5;
    c.parallel.tile_y = 3;
    EXPECT_EQ(different(HillyRun(c, MPI_COMM_WORLD, 6), whole), 0);
    EXPECT_NE(different(HillyRun(c, MPI_COMM_SELF, 6, 2), whole), 0);
}

/// Against the same step without hills, whose pressure forces have no sum. Rates are those of moist air, the
/// momentum that of dry air, which weighs a percent less.
TEST(GravityWavesInTheModel, TheWindLosesWhatTheGroundGets) {
    const Config c = hilly_case();
    const HillyRun flat(c, MPI_COMM_SELF, 1, 0), hilly(c, MPI_COMM_SELF, 1);
    EXPECT_EQ(flat.stress(), 0);
    ASSERT_GT(std::abs(hilly.stress()), 10);
    const double lost = flat.momentum() - hilly.momentum();
    EXPECT_NEAR(lost / (c.run.time_step * hilly.stress()), 1, 0.02);
}

} // namespace
} // namespace squall
