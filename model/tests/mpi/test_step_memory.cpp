// What takes memory, and how much: a step none, the choice of ranks no more for more of them.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <mpi.h>

#include "../counted_memory.hpp"
#include "config/read.hpp"
#include "run/domain.hpp"
#include "run/shares.hpp"

namespace squall {
namespace {

const std::string storm = R"(
[run]
duration = "2 min"
time_step = "12 s"
acoustic_substeps = 4
[domain]
nx = 20
ny = 20
nz = 8
dx = "2 km"
[vertical]
top = "16 km"
[physics]
microphysics = "kessler"
[initial]
case = "supercell"
amplitude = "8 K"
)";

const std::string nest = R"(
[nest.inner]
i_parent_start = 7
j_parent_start = 6
nx = 24
ny = 24
)";

/// Blocks of memory that the ranks of `comm` take for themselves in two steps, after the first two.
std::int64_t blocks_of_two_steps(const std::string &run_file, MPI_Comm comm) {
    const Config config = parse_config(run_file, "storm.toml", {});
    io::Session session(comm);
    Domain root(config, session);
    const auto step = [&] {
        root.step();
        root.check(0);
        root.diagnose_for_output(false);
        root.write_due_frames(false);
    };
    for (int n = 0; n < 2; ++n) step();
    const test::CountedMemory before = test::counted_memory();
    for (int n = 0; n < 2; ++n) step();
    const std::int64_t taken = test::counted_memory().since(before).blocks;
    session.close();
    return taken;
}

struct Settings {
    const char *name, *text;
};

class StepMemory : public testing::TestWithParam<Settings> {};

TEST_P(StepMemory, IsThatOfTheFirstSteps) {
    const std::string run_file = storm + nest + GetParam().text;
    EXPECT_EQ(blocks_of_two_steps(run_file, MPI_COMM_SELF), 0) << "on one rank";
    EXPECT_EQ(blocks_of_two_steps(run_file, MPI_COMM_WORLD), 0) << "on all ranks";
}

INSTANTIATE_TEST_SUITE_P(Nests, StepMemory,
                         testing::Values(Settings{"TwoWay", ""}, Settings{"OneWay", "feedback = false\n"},
                                         Settings{"Smoothed", "smoothing = \"smooth-desmooth\"\n"},
                                         Settings{"OnLevelsOfItsOwn", "nz = 16\n"}),
                         [](const auto &made) { return std::string(made.param.name); });

TEST(SharesMemory, IsTheSameForAnyNumberOfRanks) {
    const Config config = parse_config(
        storm + nest + "[nest.other]\ni_parent_start = 7\nj_parent_start = 14\n" + "nx = 12\nny = 12\n",
        "storm.toml", {"domain.nx=40", "domain.ny=40", "nest.inner.ny=12"});
    const auto taken = [&](int ranks) {
        const test::CountedMemory before = test::counted_memory();
        EXPECT_EQ(choose_shares(config, ranks).size(), 3U);
        return test::counted_memory().since(before).bytes;
    };
    EXPECT_EQ(taken(20'000), taken(20));
}

} // namespace
} // namespace squall
