/// Nests: what they and their parents tell each other, and when they step, held to what can be counted by
/// hand.

#include <array>

#include <gtest/gtest.h>

#include "apart.hpp"
#include "nested.hpp"
#include "outcome.hpp"

namespace squall::planner {
namespace {

/// 2 x 2 patches, closed, two ranks on a node.
World four_ranks(int nx, int ny, int grain = 1) {
    World world;
    world.ranks = 4, world.per_node = 2, world.clients = {0, 1, 2, 3};
    using enum Boundary;
    for (int r = 0; r < 4; ++r)
        world.patches.push_back(make_patch(r, 2, 2, nx, ny, 5, {open, open, open, open}, grain));
    return world;
}

/// 8 x 8 cells of a parent of 20 x 20, in its middle: a quarter of them on each rank's patch.
const NestPlace in_the_middle{6, 6, 3, 24, 24};

TEST(NestPlan, WindowsReachBeyondThePatchesThatTheyAreFor) {
    const World outer = four_ranks(20, 20), inner = four_ranks(24, 24, 3);
    const auto layout = layout_of_windows(in_the_middle, outer.patches[0], inner.patches[0], 0);
    const auto plan = plan_regions(outer, layout, 7);
    // Western and southern windows are cells 3 to 14, eastern and northern ones 6 to 18, of which patches
    // have those before and from 10 on: 7 and 4, or 4 and 8 cells along each axis.
    const int own = 7 * 7 + 2 * 7 * 8 + 8 * 8, all = 11 * 11 + 2 * 11 * 12 + 12 * 12;
    EXPECT_EQ(plan.messages, 4 * 3); // each rank to the three others
    EXPECT_EQ(plan.bytes, (all - own) * 7 * static_cast<std::int64_t>(sizeof(real)));
}

TEST(NestPlan, WhatIsFedBackStaysOnItsRankWherePatchesLieOnEachOther) {
    const World outer = four_ranks(20, 20), inner = four_ranks(24, 24, 3);
    const auto layout = layout_of_feedback(in_the_middle, outer.patches[0], inner.patches[0], 0);
    const auto plan = plan_regions(outer, layout, 7);
    EXPECT_EQ(plan.messages, 0);
    // Rank 3 has 4 x 4 cells of which none lies along the nest's western and southern sides.
    EXPECT_EQ(plan.phases.at(0).nodes[1].packed, 4 * 4 * 7 * sizeof(real));
}

TEST(NestPlan, ANestOnOneRankSendsTheOthersTheirCells) {
    const World outer = four_ranks(20, 20);
    const Patch alone = make_patch(0, 1, 1, 24, 24, 5, {}, 3);
    const auto plan = plan_regions(outer, layout_of_feedback(in_the_middle, outer.patches[0], alone, 2), 7);
    EXPECT_EQ(plan.messages, 3); // rank 2 has it
    // 7 x 7 inner cells; rank 2's patch, in the north-west, has 3 x 4 of them.
    EXPECT_EQ(plan.bytes, (7 * 7 - 3 * 4) * 7 * static_cast<std::int64_t>(sizeof(real)));
}

Machine two_nodes() {
    Machine m;
    m.name = "two", m.nodes = {2, 2, 1e9, 10e9, 8e9, 1}, m.network = {"star", 1e9, 1e-3, 0, 0};
    m.storage = {"lustre", 1, 1, 1e9, 1e8, 1e8, 0, 0, 0, 0, 1e6, 1};
    return m;
}

Calibration calibrated() {
    Calibration c;
    c.bytes_per_cell_step = 5000, c.core_bandwidth = 8e9, c.copy = c.crossing = 8e9;
    return c;
}

/// Of 10 x 10 cells on ranks that follow each other, which tells its parent nothing.
NestPlan nest_on(const World &outer, int first, int ranks) {
    NestPlan nest;
    nest.world = outer, nest.steps = 3;
    nest.world.clients.assign(outer.clients.begin() + first, outer.clients.begin() + first + ranks);
    nest.world.patches.clear();
    for (int r = 0; r < ranks; ++r) nest.world.patches.push_back(make_patch(r, ranks, 1, 20, 10, 5, {}));
    nest.step = plan_step(nest.world, {});
    nest.look.cells = nest.feedback.cells = {0, 0};
    return nest;
}

/// Seconds of a step with these nests over one without, by SimGrid and by closed forms.
std::array<double, 2> nested_more(const std::vector<NestPlan> &nests) {
    const World world = four_ranks(20, 20);
    const StepPlan step = plan_step(world, {});
    const Machine machine = two_nodes();
    const Calibration calibration = calibrated();
    const auto both = [&](const std::vector<NestPlan> &inside) {
        return apart([&] {
            Task task{machine, calibration, world, step, {}, false};
            task.nests = inside;
            return std::array{simulate(task).step.seconds, estimate(task).step.seconds};
        });
    };
    const auto with = both(nests), without = both({});
    return {with[0] - without[0], with[1] - without[1]};
}

constexpr double cell = 5000 / 5e9;       ///< s, where two ranks share 10 GB/s
constexpr double cell_alone = 5000 / 8e9; ///< s, where one has a node

TEST(NestedStep, NestsStepOneAfterTheOtherOnTheSameRanks) {
    if (!simulates()) GTEST_SKIP() << "no SimGrid in this build";
    const World world = four_ranks(20, 20);
    const NestPlan one = nest_on(world, 0, 4), other = nest_on(world, 0, 2);
    const double seconds = 3 * (250 + 500) * cell; // cells of a rank
    for (const double found : nested_more({one, other})) EXPECT_NEAR(found, seconds, 1e-9);
}

TEST(NestedStep, NestsOnRanksOfTheirOwnStepAtATime) {
    if (!simulates()) GTEST_SKIP() << "no SimGrid in this build";
    const World world = four_ranks(20, 20);
    NestPlan one = nest_on(world, 0, 1), other = nest_on(world, 1, 3);
    ASSERT_TRUE(side_by_side({one, other}));
    one.world.beside = other.world.clients, other.world.beside = one.world.clients;
    for (const double found : nested_more({one, other}))
        EXPECT_NEAR(found, 3 * 1000 * cell, 1e-9); // that on one rank takes longest
}

TEST(NestedStep, ANestWithinANestStepsInEachOfItsSteps) {
    if (!simulates()) GTEST_SKIP() << "no SimGrid in this build";
    const World world = four_ranks(20, 20);
    NestPlan middle = nest_on(world, 0, 4);
    middle.nests = {nest_on(world, 0, 1)}; // alone on its node: it has more of the memory
    const double seconds = 3 * (250 * cell + 3 * 1000 * cell_alone);
    for (const double found : nested_more({middle})) EXPECT_NEAR(found, seconds, 1e-9);
}

TEST(NestedStep, WhatPassesBetweenParentAndNestIsWaitedForOnceAStepOfTheParent) {
    if (!simulates()) GTEST_SKIP() << "no SimGrid in this build";
    const World outer = four_ranks(20, 20), inner = four_ranks(24, 24, 3);
    NestPlan nest = nest_on(outer, 0, 4), silent = nest;
    const auto layout = layout_of_windows(in_the_middle, outer.patches[0], inner.patches[0], 0);
    nest.look = plan_regions(outer, layout, 7000);
    const auto with = nested_more({nest}), without = nested_more({silent});
    // Rank 0 hears of rows 10 to 14 of the other node: 11 x 4 cells, rank 1 of 12 x 4; one has more to send.
    const NodePhase &first = nest.look.phases[0].nodes[0];
    const double bytes = std::max(first.out.at(0).bytes, nest.look.phases[0].nodes[1].out.at(0).bytes);
    const double copying = std::max(first.packed, nest.look.phases[0].nodes[1].packed);
    EXPECT_EQ(first.out.at(0).bytes, (11 + 12) * 4 * 7000.0 * sizeof(real));
    EXPECT_NEAR(with[0] - without[0], with[1] - without[1], 0.05 * (with[1] - without[1]));
    EXPECT_GT(with[1] - without[1], 1e-3 + bytes / 1e9);
    EXPECT_LT(with[1] - without[1], 1.1 * (1e-3 + bytes / 1e9 + 2 * copying / (8e9 * 5 / 8)));
    EXPECT_EQ(sent_in_step(plan_step(outer, {}), {nest}).messages, 12);
}

} // namespace
} // namespace squall::planner
