/// What a shared file's writers take of the targets that it is on.

#include <array>

#include <gtest/gtest.h>

#include "apart.hpp"
#include "outcome.hpp"

namespace squall::sim {
namespace {

constexpr double lock = 1; ///< s, beside which nothing counts

Machine of_locks(const std::string &kind, int nodes, int targets) {
    Machine m;
    m.name = "locks", m.nodes = {nodes, 1, 1e9, 1e12, 1e12, 1}, m.network = {"star", 1e12, 1e-9, 0, 0};
    m.storage = {kind, 2, targets, 1e12, 1e12, 1e12, 0, 0, 0, lock, 1 << 20, targets};
    return m;
}

World one_rank_each(int nodes) {
    World world;
    world.ranks = nodes, world.per_node = 1;
    for (int r = 0; r < nodes; ++r) {
        world.clients.push_back(r);
        world.patches.push_back(make_patch(r, nodes, 1, 10 * nodes, 10, 4, {}));
    }
    return world;
}

/// A field of a shared file: every node has written a part, whose end lies within another one's stripe.
FramePlan shared_file(int nodes, int locks) {
    FramePlan p;
    p.engine = "null", p.placement = "inline", p.codec = "none", p.shared = true, p.bytes = 1e3;
    p.arrivals.resize(static_cast<std::size_t>(nodes));
    p.inside.assign(static_cast<std::size_t>(nodes), 0);
    p.writes.assign(static_cast<std::size_t>(nodes), {1e2, 1, 0, 1, locks, 0});
    return p;
}

/// How long the busiest target had to do, by SimGrid and by closed forms.
std::array<double, 2> busiest(const std::string &kind, int nodes, int targets, int locks) {
    return apart([&] {
        const World world = one_rank_each(nodes);
        const StepPlan step = plan_step(world, {{{{4, Points::cells}}, 3, true, 1}});
        const Machine machine = of_locks(kind, nodes, targets);
        Calibration calibration;
        calibration.bytes_per_cell_step = 1, calibration.core_bandwidth = 1e12, calibration.copy = 1e12;
        calibration.engines = {{"null", 1e12}};
        const Task task{machine, calibration, world, step, {shared_file(nodes, locks)}, false};
        return std::array{simulate(task).frames[0].busy.at("targets"),
                          estimate(task).frames[0].busy.at("targets")};
    });
}

TEST(SharedFile, LocksOfManyWritersAreSharedOutAmongItsTargets) {
    if (!simulates()) GTEST_SKIP() << "no SimGrid in this build";
    // Nodes, targets, locks of each node: all of them over the targets, rounded up.
    constexpr std::array<std::array<int, 4>, 6> cases{
        {{8, 4, 1, 2}, {8, 4, 4, 8}, {8, 4, 6, 12}, {7, 4, 3, 6}, {1, 4, 1, 1}, {5, 1, 2, 10}}};
    for (const auto &[nodes, targets, locks, most] : cases) {
        const auto [simulated, worked_out] = busiest("lustre", nodes, targets, locks);
        EXPECT_NEAR(simulated, most * lock, 1e-3) << nodes << " nodes, " << locks << " locks each";
        EXPECT_NEAR(worked_out, double(nodes * locks) / targets * lock, 1e-3);
    }
}

TEST(SharedFile, TokensOfOneManagerChangeHandsOneAfterTheOther) {
    if (!simulates()) GTEST_SKIP() << "no SimGrid in this build";
    for (const auto &[nodes, locks] : {std::array{8, 1}, std::array{5, 3}})
        for (const double seconds : busiest("gpfs", nodes, 4, locks))
            EXPECT_NEAR(seconds, nodes * locks * lock, 1e-3) << nodes << " nodes, " << locks << " locks each";
}

} // namespace
} // namespace squall::sim
