// The case "column": what a wide flow does to air in a periodic domain, down to a single column.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <numbers>

#include "config/read.hpp"
#include "initial/initial.hpp"
#include "patch_of.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

constexpr double f = 1e-4;

/// A column of 20 layers up to 1 km, or more of them side by side.
Config column(const std::string &initial, const std::string &physics = "", int nx = 1) {
    const std::string n = std::to_string(nx);
    return parse_config("[run]\nduration = \"1 h\"\ntime_step = \"10 s\"\n[domain]\nnx = " + n +
                            "\nny = " + n +
                            "\nnz = 20\ndx = \"3 km\"\n[vertical]\ntop = \"1 km\"\n[dynamics]\ncoriolis = "
                            "\"f-plane\"\nf = \"1e-4 s-1\"\n[physics]\nmicrophysics = \"vapour\"\n" +
                            physics + "[initial]\ncase = \"column\"\n" + initial,
                        "column.toml", {});
}

const std::string turbulence =
    "surface_layer = \"revised-mm5\"\nboundary_layer = \"ysu\"\nsurface_temperature = \"265 K\"\n";

struct ColumnRun {
    Config config;
    Patch patch;
    Solver solver;

    explicit ColumnRun(const Config &c, MPI_Comm comm = MPI_COMM_SELF)
        : config(c), patch(test::patch_of(c, comm)),
          solver(config, patch, comm, make_initial_state(config, patch)) {}

    void run(int steps) {
        for (int n = 0; n < steps; ++n) {
            solver.set_time(n * config.run.time_step);
            solver.step();
        }
    }
};

TEST(SingleColumn, WindInBalanceStaysAndOtherWindTurnsAroundIt) {
    const auto steps = static_cast<int>(0.5 * std::numbers::pi / f / 10); // a quarter of an inertial day
    ColumnRun balanced(column("geostrophic_v = \"3 m/s\"\n"));
    balanced.run(steps);
    EXPECT_NEAR(balanced.solver.state().u(0, 10, 0), 8, 1e-3);
    EXPECT_NEAR(balanced.solver.state().v(0, 10, 0), 3, 1e-3);

    ColumnRun calm(column(""));
    calm.solver.change_state().u.fill(0);
    calm.run(steps);
    EXPECT_NEAR(calm.solver.state().u(0, 10, 0), 8, 0.02); // 8 (1 - cos f t)
    EXPECT_NEAR(calm.solver.state().v(0, 10, 0), 8, 0.02); // 8 sin f t
}

TEST(SingleColumn, SinkingAirWarmsByWhatItBringsDown) {
    const std::string air = "geostrophic_u = \"0 m/s\"\nmixed_depth = \"0 m\"\nlapse = \"10 K/km\"\n";
    ColumnRun still(column(air)), sinking(column(air + "divergence = \"1e-4 s-1\"\n"));
    still.run(60), sinking.run(60);
    for (const int k : {2, 10, 19}) {
        const double height = 50 * (k + 0.5), warmed = 1e-4 * height * 0.01 * 600;
        const double before = still.solver.state().theta(0, k, 0),
                     now = sinking.solver.state().theta(0, k, 0);
        EXPECT_NEAR(now - before, warmed, 0.05 * warmed) << "layer " << k;
    }
}

TEST(SingleColumn, TheSkinHasItsPrescribedTemperature) {
    ColumnRun run(column("surface_warming = \"-0.36 K/h\"\n", turbulence));
    run.run(101); // the last step began after 1000 s
    EXPECT_NEAR(run.solver.physics().surface.skin_temperature(0, 0), 265 - 0.1, 1e-4);
    EXPECT_LT(run.solver.physics().surface.sensible_heat(0, 0), -0.1);
    EXPECT_EQ(run.solver.physics().surface.vapour_flux(0, 0), 0);
    EXPECT_NEAR(run.solver.physics().surface.roughness(0, 0), 0.1, 1e-6);
}

TEST(SingleColumn, IsWhatEveryColumnOfAPeriodicDomainIsOnAnyRanks) {
    const std::string initial = "surface_warming = \"-0.36 K/h\"\ndivergence = \"1e-5 s-1\"\n";
    ColumnRun one(column(initial, turbulence)), many(column(initial, turbulence, 12), MPI_COMM_WORLD);
    one.run(20), many.run(20);
    const State &a = one.solver.state(), &b = many.solver.state();
    for (int k = 0; k < 20; ++k)
        for (const int i : {0, many.patch.shape.nx - 1}) {
            EXPECT_EQ(a.u(0, k, 0), b.u(i, k, 0));
            EXPECT_EQ(a.v(0, k, 0), b.v(i, k, 0));
            EXPECT_EQ(a.theta(0, k, 0), b.theta(i, k, 0));
        }
}

TEST(SingleColumn, RefusesWhatItCannotBe) {
    const auto refusal = [](const Config &c) -> std::string {
        try {
            make_initial_state(c, test::patch_of(c, MPI_COMM_SELF));
        } catch (const ConfigError &e) {
            return e.what();
        }
        return "accepted";
    };
    Config still = column("");
    still.dynamics.coriolis = "none";
    EXPECT_NE(refusal(still).find("dynamics.coriolis = \"f-plane\""), std::string::npos);
    EXPECT_NE(refusal(column("surface_warming = \"1 K/h\"\n")).find("no effect without"), std::string::npos);
    Config open = column("");
    open.domain.boundaries.west = open.domain.boundaries.east = Boundary::open;
    EXPECT_NE(refusal(open).find("periodic"), std::string::npos);
}

} // namespace
} // namespace squall
