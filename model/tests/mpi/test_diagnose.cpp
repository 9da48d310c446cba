// Solver::diagnose(): what output looks at is what the next step begins with, and is made once.
#include <gtest/gtest.h>
#include <mpi.h>

#include "config/read.hpp"
#include "initial/initial.hpp"
#include "patch_of.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

/// A warm bubble in moist air, 12 x 12 x 10, with rain.
Config bubble() {
    return parse_config(
        "[run]\nduration = \"1 h\"\ntime_step = \"12 s\"\n[domain]\nnx = 12\nny = 12\nnz = 10\n"
        "dx = \"2 km\"\n[vertical]\ntop = \"18 km\"\n[physics]\nmicrophysics = \"kessler\"\n"
        "[initial]\ncase = \"supercell\"\n",
        "bubble.toml", {});
}

struct BubbleRun {
    Config config = bubble();
    Patch patch = test::patch_of(config, MPI_COMM_WORLD);
    Solver solver{config, patch, MPI_COMM_WORLD, make_initial_state(config, patch)};
};

/// How many owned points differ.
int differences(const Array3 &a, const Array3 &b, Shape s) {
    int different = 0;
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < s.nz; ++k)
            for (int i = 0; i < s.nx; ++i) different += a(i, k, j) != b(i, k, j);
    return different;
}

TEST(Diagnose, BetweenStepsChangesNoBitOfThem) {
    BubbleRun seen, unseen;
    for (int n = 0; n < 10; ++n) {
        seen.solver.diagnose();
        if (n % 3 == 0) seen.solver.diagnose(); // for a second stream
        seen.solver.step(), unseen.solver.step();
    }
    const State &a = seen.solver.state(), &b = unseen.solver.state();
    const Shape s = seen.patch.shape;
    for (const auto field : {&State::u, &State::v, &State::w, &State::theta, &State::ph})
        EXPECT_EQ(differences(a.*field, b.*field, s), 0);
    for (std::size_t n = 0; n < a.scalars.size(); ++n)
        EXPECT_EQ(differences(a.scalars[n], b.scalars[n], s), 0);
}

TEST(Diagnose, SeesAStateThatWasChangedSince) {
    BubbleRun run;
    const Shape s = run.patch.shape;
    run.solver.diagnose();
    Array3 before(s);
    before.copy_from(run.solver.p());
    State &state = run.solver.change_state();
    for_each({0, s.nx, 0, s.ny, 0, s.nz}, [&](int i, int k, int j) { state.theta(i, k, j) += 1; });
    run.solver.diagnose();
    EXPECT_EQ(differences(run.solver.p(), before, s), s.nx * s.ny * s.nz);
}

} // namespace
} // namespace squall
