// What takes memory, and how much: a step none, the choice of ranks no more for more of them.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "../counted_memory.hpp"
#include "config/read.hpp"
#include "run/domain.hpp"
#include "run/shares.hpp"

namespace squall {
namespace {

const std::string nest = R"(
[nest.inner]
i_parent_start = 7
j_parent_start = 6
nx = 24
ny = 24
)";

/// The storm that comes with Squall, made small, with a nest in it.
Config storm_with(const std::string &more, std::vector<std::string> settings = {}) {
    const std::string file = SQUALL_SOURCE_DIR "/run-files/supercell.toml";
    settings.insert(settings.begin(),
                    {"domain.nx=20", "domain.ny=20", "domain.nz=8", "initial.amplitude=8 K"});
    return parse_config(run_file_text(file) + nest + more, file, settings);
}

/// Blocks of memory that the ranks of `comm` take for themselves in two steps, after the first two.
std::int64_t blocks_of_two_steps(const Config &config, MPI_Comm comm) {
    io::Session session(comm);
    Domain root(config, session);
    const auto step = [&] {
        root.step();
        root.check(0);
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
    const Config config = storm_with(GetParam().text);
    EXPECT_EQ(blocks_of_two_steps(config, MPI_COMM_SELF), 0) << "on one rank";
    EXPECT_EQ(blocks_of_two_steps(config, MPI_COMM_WORLD), 0) << "on all ranks";
}

INSTANTIATE_TEST_SUITE_P(Nests, StepMemory,
                         testing::Values(Settings{"TwoWay", ""}, Settings{"OneWay", "feedback = false\n"},
                                         Settings{"Smoothed", "smoothing = \"smooth-desmooth\"\n"},
                                         Settings{"OnLevelsOfItsOwn", "nz = 16\n"}),
                         [](const auto &made) { return std::string(made.param.name); });

TEST(SharesMemory, IsTheSameForAnyNumberOfRanks) {
    const Config config =
        storm_with("[nest.other]\ni_parent_start = 7\nj_parent_start = 14\nnx = 12\nny = 12\n",
                   {"domain.nx=40", "domain.ny=40", "nest.inner.ny=12"});
    const auto taken = [&](int ranks) {
        const test::CountedMemory before = test::counted_memory();
        EXPECT_EQ(choose_shares(config, ranks).size(), 3U);
        return test::counted_memory().since(before).bytes;
    };
    EXPECT_EQ(taken(20'000), taken(20));
}

} // namespace
} // namespace squall
