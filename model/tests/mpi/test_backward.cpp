// The dynamics with a time step below 0, as the digital filter needs it: what went forward comes back.
#include <cmath>

#include <gtest/gtest.h>
#include <mpi.h>

#include "config/read.hpp"
#include "initial/initial.hpp"
#include "patch_of.hpp"
#include "run/digital_filter.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

/// A bubble of 2 K that rises through neutral air, 20 km by 10 km.
Config bubble(const std::string &dynamics = "") {
    return parse_config(
        "[run]\nduration = \"1 h\"\ntime_step = \"2 s\"\nacoustic_substeps = 6\n[domain]\nnx = 100\n"
        "ny = 1\nnz = 50\ndx = \"200 m\"\n[vertical]\ntop = \"10 km\"\n[dynamics]\n" +
            dynamics + "[initial]\ncase = \"warm-bubble\"\namplitude = \"2 K\"\n",
        "bubble.toml", {});
}

struct Journey {
    double away, error; ///< root mean squares of theta's change on the way, and of what is left of it [K]
};

/// So many steps forward, and back.
Journey there_and_back(const Config &config, int steps) {
    const Patch patch = test::patch_of(config, MPI_COMM_SELF);
    const InitialState start = make_initial_state(config, patch);
    Solver solver(config, patch, MPI_COMM_SELF, make_initial_state(config, patch));
    const auto departure = [&] {
        double sum = 0;
        for (int k = 0; k < patch.shape.nz; ++k)
            for (int i = 0; i < patch.shape.nx; ++i) {
                const double d = double(solver.state().theta(i, k, 0)) - double(start.state.theta(i, k, 0));
                sum += d * d;
            }
        return std::sqrt(sum / (patch.shape.nx * patch.shape.nz));
    };
    const double dt = config.run.time_step;
    const auto go = [&](double from, double step) {
        solver.set_time_step(step);
        for (int n = 0; n < steps; ++n) {
            solver.set_time(from + n * step);
            solver.step();
        }
    };
    go(0, dt);
    const double away = departure();
    go(steps * dt, -dt);
    return {away, departure()};
}

TEST(Backward, ABubbleThatHasRisenComesBack) {
    const Journey journey = there_and_back(backward_config(bubble()), 100);
    EXPECT_GT(journey.away, 0.05);
    EXPECT_LT(journey.error,
              0.005 * journey.away); // 0.0026: off-centring and divergence damping act both ways
}

/// What waves of two cells in theta, in wind of 20 m/s, have become of theirs after so many steps back.
double growth_of_noise(const Config &config, int steps) {
    const Patch patch = test::patch_of(config, MPI_COMM_SELF);
    Solver solver(config, patch, MPI_COMM_SELF, make_initial_state(config, patch));
    State &state = solver.change_state();
    for (int k = 0; k < patch.shape.nz; ++k)
        for (int i = 0; i <= patch.shape.nx; ++i) {
            state.u(i, k, 0) = 20;
            state.theta(i, k, 0) = i % 2 == 0 ? real(0.01) : real(-0.01);
        }
    const auto noise = [&] {
        double sum = 0;
        for (int i = 0; i < patch.shape.nx; ++i)
            sum += (i % 2 == 0 ? 1 : -1) * double(solver.state().theta(i, patch.shape.nz / 2, 0));
        return sum / patch.shape.nx;
    };
    const double before = noise();
    solver.set_time_step(-config.run.time_step);
    for (int n = 0; n < steps; ++n) {
        solver.set_time(-n * config.run.time_step);
        solver.step();
    }
    return noise() / before;
}

TEST(Backward, AdvectionOfOddOrderSharpensWhatThatOfEvenOrderLeaves) {
    const Config even = backward_config(bubble());
    Config odd = even;
    odd.dynamics.momentum_order_horizontal = odd.dynamics.scalar_order_horizontal = 3;
    EXPECT_NEAR(growth_of_noise(even, 20), 1, 0.02);
    EXPECT_GT(growth_of_noise(odd, 20), 2); // a third of U dt / dx in each step
}

TEST(Backward, LeavesOutWhatCannotBeUndone) {
    Config c = bubble("momentum_order_horizontal = 5\nscalar_order_vertical = 4\n");
    c.physics.microphysics = "kessler";
    c.diffusion.scheme = "smagorinsky-2d";
    c.damping.scheme = "rayleigh";
    const Config back = backward_config(c);
    EXPECT_EQ(back.dynamics.momentum_order_horizontal, 6);
    EXPECT_EQ(back.dynamics.scalar_order_vertical, 4);
    EXPECT_EQ(back.dynamics.limiter, "none");
    EXPECT_EQ(back.physics.microphysics, "none");
    EXPECT_EQ(back.diffusion.scheme, "none");
    EXPECT_EQ(back.damping.scheme, "none");
}

} // namespace
} // namespace squall
