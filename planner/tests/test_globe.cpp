/// Plans of squall-transport, held to what can be counted by hand.

#include <fstream>
#include <numeric>

#include <gtest/gtest.h>

#include "globe.hpp"
#include "work.hpp"

namespace squall::planner {
namespace {

constexpr auto run_file = R"(
[run]
duration = "1 d"
time_step = "1 h"
[grid]
nlon = 24
nlat = 12
[vertical]
nz = 5
[wind]
flow = "solid-body"
period = "12 d"
[parallel]
ranks_x = 2
ranks_y = 2
[tracer.o3]
[tracer.co]
[output.history]
interval = "6 h"
[output.zonal]
interval = "6 h"
average = "zonal"
fields = ["o3", "co"]
)";

transport::Settings settings_of() {
    const std::string file = testing::TempDir() + "globe.toml";
    std::ofstream(file) << run_file;
    return read_globe(file, {});
}

/// Two nodes of two ranks: each has a row of patches.
World world_of(const transport::Settings &settings) {
    Machine machine;
    machine.nodes.count = 2, machine.nodes.cores = 2;
    return make_world(domain_of(settings), machine, 4, 1);
}

TEST(Globe, SendsACellOnEachSideAndARowToTheNorthAndTheSouth) {
    const auto settings = settings_of();
    const auto plan = plan_globe_step(world_of(settings), settings, 1e-7);
    // 21 fields of 8 bytes in 5 layers. In an hour the wind of a rotation crosses a twelfth of a cell: two
    // cells of each of 12 rows go to each of two patches, and from each of four patches a row of 12 cells.
    const std::int64_t column = 21 * 8 * 5;
    EXPECT_EQ(plan.messages, 4 + 4);
    EXPECT_EQ(plan.bytes, column * (12 * 2 * 2 + 4 * 12));
    ASSERT_EQ(plan.phases.size(), 3u);
    EXPECT_TRUE(plan.phases[0].nodes[0].out.empty()); // its two patches are in the same rows
    ASSERT_EQ(plan.phases[1].nodes[0].out.size(), 1u);
    EXPECT_EQ(plan.phases[1].nodes[0].out[0].bytes, 2 * 12 * column);
    EXPECT_TRUE(plan.phases[1].nodes[1].out.empty()); // nothing is north of it
}

TEST(Globe, AStepTakesTheLaterOfComputingAndMemory) {
    const auto settings = settings_of();
    const World world = world_of(settings);
    const auto plan = plan_globe_step(world, settings, 1e-7);
    Machine machine;
    machine.nodes = {2, 2, 1e9, 1e12, 1e12, 0.5};
    const double cells = 12 * 6 * 5;
    EXPECT_DOUBLE_EQ(work_of_nodes(machine, {}, world, plan)[0].computing, cells * 2 * 1e-7 / 0.5);
    machine.nodes.bandwidth = 1e9; // for two ranks
    EXPECT_DOUBLE_EQ(work_of_nodes(machine, {}, world, plan)[0].computing, cells * 3 * 2 * 8 * 21 / 0.5e9);
}

TEST(Globe, MeansAreMadeBeforeTheyAreWrittenAndEachRowOnce) {
    const auto settings = settings_of();
    const auto streams = plan_globe_streams(world_of(settings), settings, Way::squall, 1);
    ASSERT_EQ(streams.size(), 2u);
    EXPECT_FALSE(streams[0].made);
    ASSERT_TRUE(streams[1].made);
    EXPECT_EQ(streams[1].made->first, 12 * 6 * 5 * 2); // terms of the patch with most
    for (const GlobeStream &stream : streams) {
        const double written =
            std::accumulate(stream.frame.writes.begin(), stream.frame.writes.end(), 0.0,
                            [](double sum, const NodeWrites &node) { return sum + node.raw; });
        EXPECT_NEAR(written, stream.frame.bytes, 1e-9 * written) << stream.settings.name;
    }
    EXPECT_GE(streams[1].frame.bytes, 4 * 12 * 5 * 2);
    EXPECT_LT(streams[1].frame.bytes, 4 * 12 * 5 * 2 + 2500); // and coordinates
}

} // namespace
} // namespace squall::planner
