/// Plans of simulated runs, held to what can be counted by hand.

#include <fstream>

#include <gtest/gtest.h>

#include "machine.hpp"
#include "outcome.hpp"
#include "step_plan.hpp"
#include "work.hpp"

namespace squall::planner {
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
    const auto plan = plan_step(four_ranks(), {{{{5, Points::cells}}, 1, false, 3}});
    EXPECT_EQ(plan.messages, 4 * 4 * 3);
    EXPECT_EQ(plan.bytes, 4 * 4 * 3 * 50 * static_cast<std::int64_t>(sizeof(real)));
    ASSERT_EQ(plan.phases.size(), 1u);
    const NodePhase &node = plan.phases[0].nodes[0]; // has the southern row: only north and south leave
    ASSERT_EQ(node.out.size(), 1u);
    EXPECT_EQ(node.out[0].messages, 4);
    EXPECT_EQ(node.inside, 4 * 50 * sizeof(real));
}

TEST(StepPlan, CornersTravelInASecondPhaseWithWidenedRows) {
    const auto plan = plan_step(four_ranks(), {{{{5, Points::cells}}, 3, true, 1}});
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

/// Two nodes of two cores.
Machine two_nodes() {
    Machine m;
    m.name = "two", m.nodes = {2, 2, 1e9, 10e9, 8e9, 1}, m.network = {"star", 1e9, 1e-3, 0, 0};
    m.storage = {"lustre", 1, 1, 1e9, 1e8, 1e8, 0, 0, 0, 0, 1e6, 1};
    return m;
}

Calibration calibrated() {
    Calibration c;
    c.source = "by hand", c.bytes_per_cell_step = 5000, c.core_bandwidth = 8e9, c.copy = 8e9,
    c.crossing = 1e9;
    c.engines = {{"null", 1e9}, {"zarr", 1e9}};
    return c;
}

/// Node 0 writes 1e8 B with one process, of which half come from node 1.
FramePlan a_frame() {
    FramePlan p;
    p.engine = "null", p.placement = "inline", p.codec = "none", p.bytes = 1e8;
    p.arrivals = {{}, {{0, 5e7, 2}}}, p.inside = {0, 0}, p.crossing = {0, 0},
    p.writes = {{1e8, 1, 1, 1, 0, 0}, {}};
    return p;
}

TEST(Estimate, StepIsComputingAndWhatTravels) {
    const World world = four_ranks();
    const auto step = plan_step(world, {{{{5, Points::cells}}, 1, false, 3}});
    const Machine machine = two_nodes();
    const Calibration calibration = calibrated();
    const auto time = estimate({machine, calibration, world, step, {}, false}).step;
    EXPECT_NEAR(time.computing, 500 * 5000 / 5e9, 1e-12); // 500 cells; two ranks share 10 GB/s
    // Three times 1 ms and 4 messages of 50 points, beside packing and agreeing.
    const double link = 3 * (1e-3 + 4 * 50 * sizeof(real) / 1e9);
    EXPECT_NEAR(time.waiting(), link, 1e-12);
    EXPECT_NEAR(time.seconds, time.computing + time.inside + time.agreeing + link, 1e-12);
}

TEST(Estimate, FrameIsTravelMakingAndTheTarget) {
    const World world = four_ranks();
    const StepPlan step = plan_step(world, {});
    const Machine machine = two_nodes();
    const Calibration calibration = calibrated();
    const auto time = estimate({machine, calibration, world, step, {a_frame()}, false}).frames.at(0);
    const double travel = 1e-3 + 5e7 / 1e9, making = 1e8 / 1e9 + 1e8 / 1e8, target = 1e8 / 1e8;
    EXPECT_NEAR(time.drain, travel + making + target / 4, 1e-9);
    EXPECT_EQ(time.perceived, time.drain);
    EXPECT_NEAR(time.busy.at("targets"), target, 1e-9);
}

TEST(Estimate, PointsThatRanksSendEachOtherTakeLongerThanThoseThatAreCopied) {
    const World world = four_ranks();
    const StepPlan step = plan_step(world, {});
    const Machine machine = two_nodes();
    const Calibration calibration = calibrated();
    FramePlan copied = a_frame();
    copied.inside = {4e7, 0};
    FramePlan sent = copied;
    sent.crossing = {1e7, 0};
    const auto frames = estimate({machine, calibration, world, step, {copied, sent}, false}).frames;
    // Two ranks have 10 GB/s, so each copies at 5, and gets from the other an eighth of that.
    EXPECT_NEAR(frames.at(1).drain - frames.at(0).drain, 1e7 / (5e9 / 8) - 1e7 / 5e9, 1e-9);
}

TEST(Estimate, PartsOfAFrameTakeTheirTimeAndMoreWhereSeveralRanksHaveThem) {
    World world = four_ranks();
    const StepPlan step = plan_step(world, {});
    const Machine machine = two_nodes();
    Calibration calibration = calibrated();
    FramePlan frame = a_frame();
    frame.parts = 10;
    const auto drain = [&] {
        return estimate({machine, calibration, world, step, {frame}, false}).frames.at(0).drain;
    };
    const double without = drain();
    calibration.frames["null"] = {0.5, 0.01, 0.03};
    EXPECT_NEAR(drain() - without, 0.5 + 10 * 0.03, 1e-9);
    world.clients = {0};
    EXPECT_NEAR(drain() - without, 0.5 + 10 * 0.01, 1e-9);
}

TEST(FrameWork, RanksBeyondTheCoresOfTheirNodeTakeTurns) {
    const World world = four_ranks(); // two on a node
    Machine machine = two_nodes();
    Calibration calibration = calibrated();
    calibration.frames["null"] = {0.5, 0.01, 0.03};
    FramePlan frame = a_frame();
    frame.parts = 10, frame.inside = {4e7, 0}, frame.writes[0].writers = 2;
    const auto on_cores = [&](int cores) {
        machine.nodes.cores = cores;
        return frame_work(machine, calibration, world, frame);
    };
    const FrameWork both = on_cores(2); // each has half of 10 GB/s
    EXPECT_NEAR(both.copy[0], 5e9, 1);
    EXPECT_NEAR(gathering(machine, frame, both, 0), 4e7 / 2 / 5e9, 1e-9);
    EXPECT_NEAR(both.fixed, 0.5 + 10 * 0.03, 1e-9);
    const FrameWork in_turn = on_cores(1); // 8 GB/s of a core, half of the time
    EXPECT_NEAR(in_turn.copy[0], 8e9 / 2, 1);
    EXPECT_NEAR(gathering(machine, frame, in_turn, 0), 4e7 / 8e9, 1e-9);
    EXPECT_NEAR(in_turn.fixed, 0.5 + 10 * 2 * 0.03, 1e-9);
}

TEST(Estimate, WhereAllRanksCompressWhatFewWriteTheirNumberCounts) {
    const World world = four_ranks();
    const StepPlan step = plan_step(world, {});
    const Machine machine = two_nodes();
    const Calibration calibration = calibrated();
    FramePlan frame = a_frame();
    const auto drain = [&] {
        return estimate({machine, calibration, world, step, {frame}, false}).frames.at(0).drain;
    };
    const double by_writer = drain(); // 1e8 B at 1e9 B/s by one process
    frame.writes[0].makers = 2;
    const double by_two = drain();
    EXPECT_NEAR(by_writer - by_two, 0.1 / 2, 1e-9);
    frame.writes[0].makers = 4; // on two cores
    EXPECT_NEAR(drain(), by_two, 1e-12);
    if (!simulates()) return;
    const auto simulated = [&] {
        return simulate({machine, calibration, world, step, {frame}, false}).frames.at(0).drain;
    };
    const double by_four = simulated();
    frame.writes[0].makers = 2;
    EXPECT_NEAR(by_four, simulated(), 1e-9);
}

TEST(Estimate, AgreesWithTheSimulationWhereNothingContends) {
    if (!simulates()) GTEST_SKIP() << "no SimGrid in this build";
    const World world = four_ranks();
    const StepPlan step = plan_step(world, {{{{5, Points::cells}}, 1, false, 3}});
    const Machine machine = two_nodes();
    const Calibration calibration = calibrated();
    const Task task{machine, calibration, world, step, {a_frame()}, false};
    const Outcome simulated = simulate(task), estimated = estimate(task);
    EXPECT_NEAR(estimated.step.seconds, simulated.step.seconds, 0.05 * simulated.step.seconds);
    EXPECT_NEAR(estimated.frames[0].drain, simulated.frames[0].drain, 0.05 * simulated.frames[0].drain);
}

TEST(Calibration, StandsInAMachineFileOrByItself) {
    const std::string file = testing::TempDir() + "calibrated.toml";
    std::ofstream(file) << "[calibration]\nsource = \"here\"\nbytes_per_cell_step = 6000\n"
                           "core_bandwidth = 1e10\ncopy = 4e9\nletter = 5e-6\n"
                           "[calibration.engines]\nzarr = 2e9\n"
                           "[calibration.frames.zarr]\nframe = 0.004\npart = 1e-4\ntogether = 2e-4\n"
                           "[calibration.codecs.zstd]\nrate = 5e8\nratio = 2.0\n";
    const Calibration c = read_calibration(file);
    EXPECT_EQ(c.bytes_per_cell_step, 6000);
    EXPECT_EQ(c.engine("zarr"), 2e9);
    EXPECT_EQ(c.frame("zarr").together, 2e-4);
    EXPECT_EQ(c.frame("netcdf").frame, 0); // not measured: nothing
    EXPECT_EQ(c.codec("zstd").ratio, 2);
    std::ofstream(file) << "name = \"without\"\n";
    EXPECT_THROW(read_calibration(file), std::runtime_error);
}

} // namespace
} // namespace squall::planner
