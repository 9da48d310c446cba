/// What a shared file's writers take of the targets that it is on.

#include <array>
#include <fstream>

#include <gtest/gtest.h>

#include "apart.hpp"
#include "outcome.hpp"

namespace squall::planner {
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
    p.crossing = p.inside;
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
        calibration.bytes_per_cell_step = 1, calibration.core_bandwidth = 1e12,
        calibration.copy = calibration.crossing = 1e12;
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

TEST(SharedFile, BeeGFSGrantsNoLocksAndPartsCostTheirTargetsWhatIsSetForThem) {
    const std::string file = testing::TempDir() + "beegfs.toml";
    const auto machine = [&](const char *key) {
        std::ofstream(file)
            << "[nodes]\ncount = 1\ncores = 1\nmemory = 1\nbandwidth = 1\ncore_bandwidth = 1\n"
               "[network]\nbandwidth = 1\nlatency = 0\noverhead = 0\n"
               "[storage]\nkind = \"beegfs\"\nservers = 1\ntargets = 2\nserver_bandwidth = 1\n"
               "target_bandwidth = 1\nclient_bandwidth = 1\ncreate = 0\nrequest = 0\nseek = 0\n"
               "stripe_size = 1\nstripe_count = 1\n"
            << key;
        return read_machine(file);
    };
    EXPECT_EQ(machine("").storage.per_part(), 0);
    EXPECT_EQ(machine("handover = 0.5\n").storage.per_part(), 0.5);
    EXPECT_THROW(machine("lock = 0.5\n"), std::runtime_error);
}

/// What creating 12 files takes of the busiest metadata server, by SimGrid and by closed forms.
std::array<double, 2> creating(int metadata_servers, int directories) {
    return apart([&] {
        const World world = one_rank_each(2);
        const StepPlan step = plan_step(world, {{{{4, Points::cells}}, 3, true, 1}});
        Machine machine = of_locks("beegfs", 2, 1);
        machine.storage.create = 1, machine.storage.metadata_servers = metadata_servers;
        Calibration calibration;
        calibration.bytes_per_cell_step = 1, calibration.core_bandwidth = 1e12,
        calibration.copy = calibration.crossing = 1e12;
        calibration.engines = {{"null", 1e12}};
        FramePlan frame = shared_file(2, 0);
        frame.directories = directories;
        for (NodeWrites &node : frame.writes) node.files = 6;
        const Task task{machine, calibration, world, step, {frame}, false};
        return std::array{simulate(task).frames[0].busy.at("metadata"),
                          estimate(task).frames[0].busy.at("metadata")};
    });
}

TEST(Metadata, AllFilesOfADirectoryAreMadeByTheOneServerThatHasIt) {
    if (!simulates()) GTEST_SKIP() << "no SimGrid in this build";
    for (const double seconds : creating(4, 1)) EXPECT_NEAR(seconds, 12, 1e-3);
    for (const double seconds : creating(4, 3)) EXPECT_NEAR(seconds, 4, 1e-3);
    for (const double seconds : creating(2, 3)) EXPECT_NEAR(seconds, 6, 1e-3);
}

} // namespace
} // namespace squall::planner
