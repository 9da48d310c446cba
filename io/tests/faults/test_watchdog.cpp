/// A writer that stands still where a library waits for all: nobody hangs past the deadline, and whoever
/// waited says for what.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trial.hpp"

#include "squall/io.hpp"

namespace squall::faults {
namespace {

/// An engine whose library writes together, and the library whose collective calls are counted.
struct Together {
    std::string engine, library;
};

bool is_built(const std::string &engine) {
    const auto all = io::engines();
    return std::ranges::find(all, engine) != all.end();
}

class Watchdog : public testing::TestWithParam<Together> {};

TEST_P(Watchdog, EndsTheJobAtTheDeadlineAndEveryWriterThatWaitedSaysForWhat) {
    const auto &[engine, library] = GetParam();
    if (!is_built(engine)) GTEST_SKIP() << engine << " is not in this build";
    Trial trial("watchdog_" + engine);
    const auto stops = fmt::format("rank=1 call=collective from={} nth=12 do=stop", library);
    trial.go(3, stops, {{"engine", engine}, {"timeout", "3"}});
    EXPECT_NE(trial.ended.code, 0);
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    for (const int rank : {0, 2})
        EXPECT_TRUE(trial.says(fmt::format("rank {} gave up after waiting 3 s for the other writers of "
                                           "stream fire, frame 2000-01-01_00:00:0",
                                           rank)))
            << trial.ended.said;
    EXPECT_FALSE(trial.says("rank 1 gave up")) << trial.ended.said;
    trial.visible(); // whole
}

INSTANTIATE_TEST_SUITE_P(, Watchdog,
                         testing::Values(Together{"pnetcdf", "libpnetcdf"}, Together{"adios", "libadios2"},
                                         Together{"netcdf-parallel", "libhdf5"}),
                         [](const auto &param) {
                             auto name = param.param.engine;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

/// Between two frames nobody waits for it.
TEST(Deadline, OfAServerWhoseComputingRankIsGoneEndsTheJobWhereNoLauncherSeesIt) {
    Trial trial("watchdog_gone");
    trial.survives_deaths = true;
    trial.go(2, "rank=0 call=send nth=2 do=kill",
             {{"engine", "zarr"},
              {"placement", "servers"},
              {"servers", "1"},
              {"on_lost_server", "take-over"},
              {"timeout", "3"}});
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    EXPECT_NE(trial.told(1).find("computing rank 0 ended without closing its session"), std::string::npos)
        << trial.told(1) << trial.ended.said;
    trial.visible(); // whole
}

/// A file server that has gone may block a call for ever. MPI_Finalize would wait for who is in it.
TEST(Deadline, OfAServerWhoseDiskNeverAnswersEndsTheJobWhenOthersHaveWrittenEverything) {
    struct Stuck {
        std::string call, burst;
        bool others_have_all; ///< what it has stored in a burst directory is for `squall recover`
    };
    for (const auto &[call, burst, others_have_all] :
         {Stuck{"write", "0", true}, Stuck{"fsync", "0", true}, Stuck{"write", "1", false}}) {
        SCOPED_TRACE(call + " burst " + burst);
        Trial trial("watchdog_stuck");
        trial.go(2, fmt::format("rank=1 call={} path=out/*-02.nc.part do=delay seconds=1e6", call),
                 {{"engine", "netcdf"},
                  {"placement", "servers"},
                  {"servers", "1"},
                  {"burst", burst},
                  {"on_lost_server", "take-over"},
                  {"finalize", "1"},
                  {"timeout", "3"}});
        EXPECT_TRUE(trial.fired());
        EXPECT_FALSE(trial.hung()) << trial.ended.said;
        EXPECT_NE(trial.ended.code, 0);
        EXPECT_TRUE(trial.says("I/O server rank 1 has stored nothing for ")) << trial.ended.said;
        EXPECT_TRUE(trial.says("/data/out/2000-01-01_00-00-02.nc.part")) << trial.ended.said;
        EXPECT_TRUE(trial.says("MPI_Finalize would wait for I/O server rank 1 for ever")) << trial.ended.said;
        const auto seen = trial.visible();
        EXPECT_EQ(seen, others_have_all ? std::vector<int>({0, 1, 2, 3, 4, 5}) : std::vector<int>({0, 1}))
            << trial.ended.said;
        EXPECT_EQ(trial.says("`squall recover` publishes them"), !others_have_all) << trial.ended.said;
    }
}

TEST(Deadline, OfWritersThatWriteAPartEachNamesTheFrameThatOneOfThemDoesNotFinish) {
    if (!is_built("netcdf-split")) GTEST_SKIP() << "netcdf-split is not in this build";
    Trial trial("watchdog_split");
    trial.go(3, "rank=1 call=write path=out/*-02.nc.part* do=stop",
             {{"engine", "netcdf-split"}, {"timeout", "3"}});
    EXPECT_NE(trial.ended.code, 0);
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    const auto told = trial.told(0) + trial.told(2);
    EXPECT_NE(told.find("gave up after waiting 3 s for the other writers of stream fire, frame "
                        "2000-01-01_00:00:02"),
              std::string::npos)
        << told << trial.ended.said;
    EXPECT_NE(told.find("(writer 1, rank 1 of MPI_COMM_WORLD, has not arrived)"), std::string::npos)
        << told << trial.ended.said;
    EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1}));
}

} // namespace
} // namespace squall::faults
