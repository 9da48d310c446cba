/// Nodes that are simulated as one, held to the simulation node by node.

#include <array>

#include <gtest/gtest.h>

#include "apart.hpp"
#include "lumps.hpp"
#include "outcome.hpp"

namespace squall::planner {
namespace {

constexpr int nodes = 24, per_node = 4;

/// 12 x 8 patches of 20 x 30 cells, four ranks on a node: rows of patches end within a lump of five nodes.
World many_nodes() {
    World world;
    world.ranks = nodes * per_node, world.per_node = per_node;
    for (int r = 0; r < world.ranks; ++r) {
        world.clients.push_back(r);
        world.patches.push_back(make_patch(r, 12, 8, 240, 240, 10, {}));
    }
    return world;
}

Machine star() {
    Machine m;
    m.name = "star", m.nodes = {nodes, per_node, 1e9, 20e9, 8e9, 1},
    m.network = {"star", 1e8, 1e-5, 1e-6, 1.5e9};
    m.storage = {"lustre", 3, 6, 1e8, 3e7, 1e8, 0, 1e-4, 0, 0, 1e6, 2};
    m.local_bandwidth = 1e8;
    return m;
}

Calibration calibrated() {
    Calibration c;
    c.bytes_per_cell_step = 500, c.core_bandwidth = 8e9, c.copy = c.crossing = 8e9, c.term = 1e-9;
    c.engines = {{"null", 1e9}};
    return c;
}

/// Each node has points for its neighbours, some more than others, and writes a file for each rank.
FramePlan everybody_writes() {
    FramePlan p;
    p.engine = "null", p.placement = "inline", p.codec = "none", p.bytes = 24e6, p.staged = 2.5e5;
    p.arrivals.resize(nodes), p.inside.assign(nodes, 1e5), p.crossing.assign(nodes, 5e4);
    for (int n = 0; n < nodes; ++n) {
        p.arrivals[static_cast<std::size_t>(n)].push_back({(n + 1) % nodes, 3e5 + 1e4 * (n % 3), per_node});
        p.writes.push_back({1e6, per_node, per_node, per_node, 0, 2});
    }
    return p;
}

/// All points go to one node, which writes alone.
FramePlan one_writes() {
    FramePlan p = everybody_writes();
    p.writes.assign(nodes, {});
    p.writes[0] = {24e6, 1, 1, 1, 0, nodes * per_node};
    for (int n = 0; n < nodes; ++n) p.arrivals[static_cast<std::size_t>(n)] = {{0, 1e6, per_node}};
    p.arrivals[0].clear();
    return p;
}

/// Seconds of the step and of both frames, with so many nodes by themselves at most.
std::array<double, 3> seconds(int most_apart) {
    return apart([most_apart] {
        const World world = many_nodes();
        const StepPlan step =
            plan_step(world, {{{{10, Points::cells}}, 3, true, 4}, {{{1, Points::cells}}, 1, false, 6}});
        const Machine machine = star();
        const Calibration calibration = calibrated();
        Task task{machine, calibration, world, step, {everybody_writes(), one_writes()}, false};
        task.most_apart = most_apart;
        const Outcome outcome = simulate(task);
        return std::array{outcome.step.seconds, outcome.frames[0].drain, outcome.frames[1].drain};
    });
}

class Lumps : public testing::TestWithParam<int> {};

TEST_P(Lumps, TakeTheTimeThatTheirNodesTake) {
    if (!simulates()) GTEST_SKIP() << "no SimGrid in this build";
    const auto each = seconds(nodes), some = seconds(GetParam());
    for (std::size_t n = 0; n < each.size(); ++n) {
        EXPECT_GT(each[n], 0);
        EXPECT_NEAR(some[n] / each[n], 1, 0.03) << n;
    }
}
INSTANTIATE_TEST_SUITE_P(OfNodes, Lumps, testing::Values(12, 5));

TEST(LumpedFrame, WritersAreAsManyAsMakeTheTimeOfTheSlowestNode) {
    FrameOfNodes frame{
        {{}, {}, {}}, {{4e6, 4, 1, 1, 0, 0}, {3e6, 1, 1, 1, 0, 0}, {}}, {1, 2, 3}, {0, 0, 0}, {}};
    const FrameOfNodes lumps = lumped(frame, 2);
    ASSERT_EQ(lumps.writes.size(), 2u);
    EXPECT_DOUBLE_EQ(lumps.writes[0].raw / lumps.writes[0].writers, 3e6);
    EXPECT_EQ(lumps.writes[0].files, 2);
    EXPECT_EQ(lumps.writes[1].writers, 0);
    EXPECT_EQ(lumps.copied, (std::vector<double>{2, 3}));
    EXPECT_DOUBLE_EQ(lumps.widths.out[0], 7.0 / 4); // 4e6 B leave the busier node of 7e6 in all
}

TEST(LumpedFrame, WritersWithoutAPartTakeNoTime) {
    FrameOfNodes frame{{{}, {}}, {{0, 1, 1, 1, 0, 0}, {0, 2, 1, 1, 0, 0}}, {0, 0}, {0, 0}, {}};
    const NodeWrites writes = lumped(frame, 2).writes[0];
    EXPECT_EQ(writes.raw / writes.making(), 0);
    EXPECT_EQ(writes.files, 2);
}

TEST(LumpedFrame, NodesThatReceiveAloneKeepTheirOwnLink) {
    FrameOfNodes frame{{{}, {{0, 2e6, 1}}, {{0, 2e6, 1}}, {{0, 2e6, 1}}},
                       std::vector<NodeWrites>(4),
                       {0, 0, 0, 0},
                       {0, 0, 0, 0},
                       {}};
    const FrameOfNodes lumps = lumped(frame, 2);
    EXPECT_DOUBLE_EQ(lumps.widths.in[0], 1);
    EXPECT_DOUBLE_EQ(lumps.widths.out[1], 2);
    ASSERT_EQ(lumps.arrivals[0].size(), 1u);
    EXPECT_EQ(lumps.arrivals[0][0].to, 0); // of node 1 to node 0: the lump's to itself
    EXPECT_EQ(lumps.arrivals[1][0].bytes, 4e6);
}

} // namespace
} // namespace squall::planner
