// Tracers and the boundary layer in the dynamics: budgets, and the same bits on any ranks and tiles.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "../tracer_case.hpp"
#include "initial/initial.hpp"
#include "physics/tracers/point_source.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

using test::tracer_case;

constexpr const char *tables = R"([tracer.a_source]
source = ["13 km", "11 km", "100 m"]
rate = "2 kg/s"
start = "5 s"
end = "65 s"
[tracer.b_decay]
initial = 1.0
half_life = "60 s"
[tracer.c_mixed]
source = ["25 km", "19 km", "20 m"]
rate = "5 kg/s"
convective_mixing = true
)";
constexpr const char *ground = "boundary_layer = \"bulk\"\nsurface_temperature = \"303 K\"\n";

Patch patch_of(const Config &c, int rank, int ranks) {
    const DomainConfig &d = c.domain;
    const auto [px, py] = choose_process_grid(ranks, d.nx, d.ny);
    return make_patch(rank, px, py, d.nx, d.ny, d.nz, d.boundaries);
}

struct ModelRun {
    Config config;
    Patch patch;
    Solver dynamics;

    ModelRun(const Config &c, MPI_Comm comm, int steps)
        : config(c), patch(patch_of(c, rank_in(comm), size_of(comm))),
          dynamics(config, patch, comm, make_initial_state(config, patch)) {
        for (int n = 0; n < steps; ++n) {
            dynamics.set_time(n * config.run.time_step);
            dynamics.step();
        }
    }

    static int rank_in(MPI_Comm comm) {
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        return rank;
    }
    static int size_of(MPI_Comm comm) {
        int size = 1;
        MPI_Comm_size(comm, &size);
        return size;
    }

    /// Mass of a tracer in layers [k0, k1) of the patch [kg].
    double mass(std::size_t scalar, int k0 = 0, int k1 = 20) const {
        const Grid &g = dynamics.grid();
        const VerticalGrid &v = g.vertical;
        double sum = 0;
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int k = k0; k < k1; ++k)
                for (int i = 0; i < patch.shape.nx; ++i)
                    sum += -(v.c1h[k] * (double(g.mub(i, j)) + dynamics.state().mu(i, j)) + v.c2h[k]) *
                           v.dnw[k] / 9.81 * g.dx * g.dy * dynamics.state().scalars[scalar](i, k, j);
        return sum;
    }
};

/// Points of `part` that are not those of `whole`, which computes all of the domain.
int different(const ModelRun &part, const ModelRun &whole) {
    int count = 0;
    const auto compare = [&](const Array3 &a, const Array3 &b) {
        for (int j = 0; j < part.patch.shape.ny; ++j)
            for (int k = 0; k < part.patch.shape.nz; ++k)
                for (int i = 0; i < part.patch.shape.nx; ++i)
                    count += a(i, k, j) != b(i + part.patch.x0, k, j + part.patch.y0);
    };
    const State &a = part.dynamics.state(), &b = whole.dynamics.state();
    compare(a.u, b.u);
    compare(a.v, b.v);
    compare(a.theta, b.theta);
    for (std::size_t n = 0; n < a.scalars.size(); ++n) compare(a.scalars[n], b.scalars[n]);
    return count;
}

TEST(TracersInTheModel, MassGrowsByWhatTheSourceGivesOffAndDecays) {
    const ModelRun run(tracer_case(tables), MPI_COMM_SELF, 15);
    EXPECT_NEAR(run.mass(3), 2 * 60, 120 * 1e-5);
    EXPECT_NEAR(run.mass(5), 5 * 180, 900 * 1e-5);
    const real *kept = &run.dynamics.state().scalars[4](3, 5, 7);
    EXPECT_NEAR(*kept, 0.125, 1e-5); // 180 s
}

TEST(TracersInTheModel, UpdraughtsLiftWhatTheyMix) {
    const ModelRun mixed(tracer_case(tables), MPI_COMM_SELF, 15);
    std::string only_carried = tables;
    only_carried.replace(only_carried.find("convective_mixing = true"), 24, "");
    const ModelRun carried(tracer_case(only_carried), MPI_COMM_SELF, 15);
    EXPECT_GT(mixed.mass(5, 8, 20), 1e-3);
    EXPECT_LT(carried.mass(5, 8, 20), 1e-2 * mixed.mass(5, 8, 20));
}

TEST(TracersInTheModel, TheBitsDoNotDependOnRanksOrTiles) {
    Config c = tracer_case(tables, ground);
    const ModelRun whole(c, MPI_COMM_SELF, 8);
    ASSERT_GT(whole.mass(5), 0);
    EXPECT_EQ(different(ModelRun(c, MPI_COMM_WORLD, 8), whole), 0);
    c.parallel.tile_x = 5;
    c.parallel.tile_y = 3;
    EXPECT_EQ(different(ModelRun(c, MPI_COMM_WORLD, 8), whole), 0);
}

/// A source at a latitude and longitude, on cells a tenth of a degree wide.
struct GeographicCase {
    Config config = tracer_case("[tracer.a]\nsource = [\"1 km\", \"1 km\", \"50 m\"]\nrate = \"1 kg/s\"\n");
    Patch patch = patch_of(config, ModelRun::rank_in(MPI_COMM_WORLD), ModelRun::size_of(MPI_COMM_WORLD));
    InitialState initial = make_initial_state(config, patch);

    GeographicCase(double latitude, double longitude) {
        config.tracers[0].point = {true, latitude, longitude, 50};
        initial.grid.dx = initial.grid.dy = 11000;
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int i = 0; i < patch.shape.nx; ++i) {
                initial.grid.lat(i, j) = real(-0.9 + 0.1 * (patch.y0 + j));
                initial.grid.lon(i, j) = real(-1.2 + 0.1 * (patch.x0 + i));
            }
    }
    PointSource source() const {
        return PointSource(config, config.tracers[0], patch, MPI_COMM_WORLD, initial.grid);
    }
};

TEST(PointSource, LiesInTheCellNearestToItsLatitudeAndLongitude) {
    GeographicCase c(-0.22, 0.33);
    const Shape s = c.patch.shape;
    Array3 &q = c.initial.state.scalars[3];
    c.source().emit({0, s.nx, 0, s.ny, 0, s.nz}, GridView(c.initial.grid), c.initial.state, 0, 10, q.view());
    double all = 0, there = 0;
    for (int j = 0; j < s.ny; ++j)
        for (int i = 0; i < s.nx; ++i) {
            all += q(i, 0, j);
            if (c.patch.x0 + i == 15 && c.patch.y0 + j == 7) there = q(i, 0, j);
        }
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_GT(there, 0);
    EXPECT_EQ(all, there);
}

TEST(PointSource, OutsideOfTheDomainIsRefusedOnAllRanks) {
    const auto refused = [](double latitude, double longitude, const std::string &because) {
        try {
            GeographicCase(latitude, longitude).source();
        } catch (const std::runtime_error &error) {
            EXPECT_NE(std::string(error.what()).find(because), std::string::npos) << error.what();
            return true;
        }
        return false;
    };
    EXPECT_TRUE(refused(1.5, 0, "is outside the domain"));
    EXPECT_TRUE(refused(0, 179, "is outside the domain"));
    EXPECT_FALSE(refused(0.8, 1.1, ""));
}

TEST(PointSource, InRowsOfTheBoundaryFileIsRefused) {
    GeographicCase c(-0.9, 0);
    using enum Boundary;
    c.config.domain.boundaries = {specified, specified, specified, specified};
    EXPECT_THROW(c.source(), std::runtime_error);
    c.config.tracers[0].point.first = -0.8;
    EXPECT_NO_THROW(c.source());
}

TEST(BoundaryLayerInTheModel, AColumnOfUniformAirChangesByItsRates) {
    Config c = tracer_case("", ground);
    c.initial.parameters["amplitude"] = 0;
    c.physics.microphysics = "vapour";
    const ModelRun after(c, MPI_COMM_SELF, 1);
    ModelRun start(c, MPI_COMM_SELF, 0);
    BoundaryLayer scheme(c, start.dynamics.scalars(), 20);
    start.dynamics.diagnose();
    Array3 u(start.patch.shape), v(start.patch.shape), theta(start.patch.shape), q(start.patch.shape);
    Ground ocean(start.patch.shape);
    ocean.temperature.fill(303);
    ocean.wetness.fill(1);
    SurfaceState none;
    scheme.rates({4, 5, 4, 5, 0, 20}, GridView(start.dynamics.grid()), start.dynamics.state(),
                 start.dynamics.p().view(), start.dynamics.al().view(), {ocean, none, {}},
                 {u.view(), v.view(), theta.view(), q.view(), {}, {}, {}, {}});
    const State &a = start.dynamics.state(), &b = after.dynamics.state();
    ASSERT_GT(std::abs(u(4, 0, 4)), 1e-5);
    ASSERT_GT(q(4, 0, 4), 1e-8);
    for (int k = 0; k < 4; ++k) {
        EXPECT_NEAR(b.u(4, k, 4) - a.u(4, k, 4), 12 * u(4, k, 4), 1e-5);
        EXPECT_NEAR(b.v(4, k, 4) - a.v(4, k, 4), 12 * v(4, k, 4), 1e-5);
        EXPECT_NEAR(b.scalars[0](4, k, 4) - a.scalars[0](4, k, 4), 12 * q(4, k, 4), 1e-8);
        // The column expands as it warms, and theta of the layers above sinks or rises a little.
        EXPECT_NEAR(b.theta(4, k, 4) - a.theta(4, k, 4), 12 * theta(4, k, 4), 1e-3);
    }
}

} // namespace
} // namespace squall
