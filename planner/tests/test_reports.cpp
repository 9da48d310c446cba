/// Diagnostics on their way to rank 0, held to what can be counted by hand.

#include <gtest/gtest.h>

#include "outcome.hpp"
#include "reports.hpp"

namespace squall::planner {
namespace {

/// 2 x 2 patches of 10 x 10 cells, two ranks on a node.
World four_ranks() {
    World world;
    world.ranks = 4, world.per_node = 2, world.clients = {0, 1, 2, 3};
    for (int r = 0; r < 4; ++r) world.patches.push_back(make_patch(r, 2, 2, 20, 20, 5, {}));
    return world;
}

bench::Diagnostics zonal_means() {
    bench::Diagnostics what{.nx = 20, .ny = 20, .nz = 5};
    what.fields = 3, what.zonal = true;
    return what;
}

TEST(ReportPlan, EachRankTellsTheOneAboveItInTheRoundOfItsLowestBit) {
    const ReportPlan plan = plan_in_place(four_ranks(), zonal_means());
    EXPECT_EQ(plan.travel.messages, 3); // 1 and 3 in the first round, 2 in the second
    ASSERT_EQ(plan.travel.phases.size(), 2u);
    EXPECT_TRUE(plan.travel.phases[0].nodes[1].out.empty()); // 3 tells 2, on its node
    ASSERT_EQ(plan.travel.phases[1].nodes[1].out.size(), 1u);
    EXPECT_EQ(plan.travel.phases[1].nodes[1].out[0].to, 0);
    EXPECT_EQ(plan.first, 10 * 10 * 5 * 3);
    EXPECT_EQ(plan.last, 0);
}

TEST(ReportPlan, WholeFieldsGoToRankZeroWhichMakesAllOfThem) {
    const ReportPlan plan = plan_gathered(four_ranks(), zonal_means());
    EXPECT_EQ(plan.travel.messages, 3 * 3);
    EXPECT_EQ(plan.travel.bytes, 3 * 3 * 10 * 10 * 5 * 4);
    EXPECT_EQ(plan.first, 0);
    EXPECT_EQ(plan.last, 20 * 20 * 5 * 3);
    EXPECT_LT(plan_in_place(four_ranks(), zonal_means()).travel.bytes, plan.travel.bytes);
}

TEST(ReportPlan, StationsAreMadeOfTheColumnsAroundThem) {
    bench::Diagnostics what{.nx = 20, .ny = 20, .nz = 5};
    what.fields = 2, what.stations = 1; // at the corner of the domain, in one patch
    EXPECT_EQ(plan_in_place(four_ranks(), what).first, 4 * 5 * 2);
}

TEST(Reports, EstimateAgreesWithTheSimulationWhereNothingContends) {
    if (!simulates()) GTEST_SKIP() << "no SimGrid in this build";
    Machine machine;
    machine.name = "two", machine.nodes = {2, 2, 1e9, 10e9, 8e9, 1},
    machine.network = {"star", 1e8, 1e-4, 1e-6, 0};
    Calibration calibration;
    calibration.bytes_per_cell_step = 5000, calibration.core_bandwidth = 8e9,
    calibration.copy = calibration.crossing = 8e9;
    calibration.term = 1e-9;
    const World world = four_ranks();
    const StepPlan step = plan_step(world, {});
    Task task{machine, calibration, world, step, {}, false};
    task.reports = {plan_in_place(world, zonal_means()), plan_gathered(world, zonal_means())};
    const auto simulated = simulate(task).reports, estimated = estimate(task).reports;
    ASSERT_EQ(simulated.size(), 2u);
    for (std::size_t r = 0; r < 2; ++r)
        EXPECT_NEAR(estimated[r].seconds, simulated[r].seconds, 0.05 * simulated[r].seconds);
    EXPECT_NEAR(simulated[0].made, 10 * 10 * 5 * 3 * 1e-9 * 8e9 / 5e9, 1e-12); // two ranks share 10 GB/s
}

} // namespace
} // namespace squall::planner
