/// Plans of simulated runs, held to what can be counted by hand.

#include <fstream>

#include <gtest/gtest.h>

#include "machine.hpp"
#include "step_plan.hpp"

namespace squall::sim {
namespace {

/// 2 x 2 patches of 10 x 10 cells, periodic, two ranks on a node.
World four_ranks() {
    World world;
    world.ranks = 4, world.per_node = 2, world.clients = {0, 1, 2, 3};
    for (int r = 0; r < 4; ++r) world.patches.push_back(make_patch(r, 2, 2, 20, 20, 5, {}));
    return world;
}

TEST(StepPlan, CountsEveryMessageOnceAndSendsToOtherNodesWhatLeaves) {
    // One field of 5 layers, 1 wide: 10 x 5 points to each of four sides, three times.
    const auto plan = plan_step(four_ranks(), {{{{5, Stagger::none}}, 1, false, 3}});
    EXPECT_EQ(plan.messages, 4 * 4 * 3);
    EXPECT_EQ(plan.bytes, 4 * 4 * 3 * 50 * static_cast<std::int64_t>(sizeof(real)));
    ASSERT_EQ(plan.phases.size(), 1u);
    const NodePhase &node = plan.phases[0].nodes[0]; // has the southern row: only north and south leave
    ASSERT_EQ(node.out.size(), 1u);
    EXPECT_EQ(node.out[0].messages, 4);
    EXPECT_EQ(node.inside, 4 * 50 * sizeof(real));
}

TEST(StepPlan, CornersTravelInASecondPhaseWithWidenedRows) {
    const auto plan = plan_step(four_ranks(), {{{{5, Stagger::none}}, 3, true, 1}});
    EXPECT_EQ(plan.phases.size(), 2u);
    const std::int64_t west_east = 10 * 3 * 5, south_north = 16 * 3 * 5;
    EXPECT_EQ(plan.bytes, 4 * 2 * (west_east + south_north) * static_cast<std::int64_t>(sizeof(real)));
}

TEST(Machine, RefusesAKeyThatItDoesNotKnowWithItsLine) {
    const std::string file = testing::TempDir() + "machine.toml";
    std::ofstream(file)
        << "[nodes]\ncount = 1\ncores = 2\nmemory = 1e9\nbandwidth = 1e9\ncore_bandwidth = 1e9\ncoers = 3\n";
    try {
        read_machine(file);
        FAIL();
    } catch (const std::runtime_error &e) {
        EXPECT_NE(std::string(e.what()).find(":7:"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("coers"), std::string::npos) << e.what();
    }
}

} // namespace
} // namespace squall::sim
