/// Whichever writer fails, at whatever step: nobody hangs, all say the same, what was reported lost is not to
/// be seen, and the stream goes on.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "squall/io.hpp"
#include "trial.hpp"

namespace squall::faults {
namespace {

const std::map<std::string, std::string> zarr = {{"engine", "zarr"}, {"frames_per_file", "0"}};

struct Step {
    std::string name, faults;
};

class ZarrOfTwo : public testing::TestWithParam<Step> {};

/// Writer 0 describes and shows, both bring to disk. Whatever fails fails once, and costs one frame.
TEST_P(ZarrOfTwo, LosesOneFrameAndGoesOnWhereverItFails) {
    Trial trial(GetParam().name);
    trial.go(2, GetParam().faults, zarr);
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    const auto lost = trial.frames(0, "lost");
    EXPECT_EQ(lost.size(), 1u) << trial.ended.said;
    const auto seen = trial.visible();
    EXPECT_EQ(seen.size(), 5u);
    for (const int frame : lost) EXPECT_FALSE(std::ranges::binary_search(seen, frame)) << frame;
}

/// With on_error = "continue" the run survives it, and says which frame it cost.
TEST_P(ZarrOfTwo, SurvivesItWhereItMayAndHasAllLaterFrames) {
    Trial trial(GetParam().name + "_continue");
    auto settings = zarr;
    settings["on_error"] = "continue";
    trial.go(2, GetParam().faults, settings);
    EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    const auto seen = trial.visible();
    ASSERT_EQ(seen.size(), 5u) << trial.ended.said;
    EXPECT_EQ(trial.counted("failed"), 1);
    EXPECT_EQ(seen.back(), 5);
    for (int frame = 0; frame < 6; ++frame)
        EXPECT_NE(trial.says(fmt::format("stream fire, frame 2000-01-01_00:00:0{}", frame)),
                  std::ranges::binary_search(seen, frame))
            << frame;
}

INSTANTIATE_TEST_SUITE_P(
    , ZarrOfTwo,
    testing::Values(Step{"describe", "rank=0 call=open nth=2 path=*.nc/zarr.json.new do=fail errno=ENOSPC"},
                    Step{"bringing_data_to_disk_at_the_first", "rank=0 call=fsync nth=2 path=*/T/c* do=lose"},
                    Step{"bringing_data_to_disk_at_the_second", "rank=1 call=fsync nth=2 path=*/c.* do=lose"},
                    Step{"showing", "rank=0 call=rename nth=2 path=*.nc/zarr.json* do=fail"},
                    Step{"writing_at_the_second", "rank=1 call=write nth=3 path=*/c.* do=fail errno=ENOSPC"}),
    [](const auto &step) { return step.param.name; });

TEST(Fsync, ThatFailedIsNotAskedAgainAndItsFileIsNotPublished) {
    Trial trial("fsync");
    trial.go(1, "rank=0 call=fsync nth=1 path=*.nc.part do=lose",
             {{"engine", "netcdf"}, {"frames_per_file", "2"}});
    const auto seen = trial.visible();
    EXPECT_EQ(seen, (std::vector<int>{2, 3, 4, 5})) << trial.ended.said;
    EXPECT_TRUE(std::ranges::any_of(trial.files(), [](const auto &f) { return f.ends_with(".untrusted"); }));
}

TEST(Manifest, ThatCouldNotBeBroughtToDiskIsWrittenAnew) {
    Trial trial("manifest");
    trial.go(1, "rank=0 call=fsync nth=4 path=*manifest* do=lose",
             {{"engine", "netcdf"}, {"frames_per_file", "1"}});
    const auto seen = trial.visible();
    EXPECT_TRUE(trial.fired());
    const auto lost = trial.frames(0, "lost");
    EXPECT_GE(seen.size() + lost.size(), 6u) << trial.ended.said;
    EXPECT_GE(seen.size(), 5u);
}

/// All engines of the build that leave files, two writers, one frame a file.
class EngineOfTwo : public testing::TestWithParam<std::string> {
  protected:
    /// Frame 2 fails, what is left of it is not for `squall recover`, and the others are there.
    void distrusts(const std::string &faults, std::map<std::string, std::string> settings) const {
        Trial trial("distrusts_" + GetParam());
        settings.insert({{"engine", GetParam()}, {"on_error", "continue"}, {"frames", "4"}});
        trial.go(2, faults, settings);
        EXPECT_TRUE(trial.fired());
        EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
        EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1, 3})) << trial.ended.said;
        EXPECT_EQ(trial.counted("failed"), 1) << trial.ended.said;
        // Where they look at the file once more they stumble over the zeros in it.
        const bool looks = GetParam() == "adios" || GetParam() == "pnetcdf";
        const auto left = trial.files();
        EXPECT_TRUE(looks ||
                    std::ranges::any_of(left, [](const auto &f) { return f.ends_with(".untrusted"); }))
            << fmt::format("{}", fmt::join(left, " ")) << trial.ended.said;
    }
    /// One frame fails and the others are there.
    void costs_one_frame(const std::string &faults) const {
        Trial trial("engine_" + GetParam());
        trial.go(2, faults, {{"engine", GetParam()}, {"on_error", "continue"}});
        EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
        EXPECT_FALSE(trial.hung()) << trial.ended.said;
        const auto seen = trial.visible();
        EXPECT_EQ(seen.size(), 5u) << trial.ended.said;
        EXPECT_EQ(trial.counted("failed"), 1) << trial.ended.said;
        for (const int frame : seen)
            EXPECT_FALSE(trial.says(fmt::format("frame 2000-01-01_00:00:0{}", frame))) << trial.ended.said;
    }
};

TEST_P(EngineOfTwo, ThatCannotMakeAFileGoesOnWithTheNext) {
    costs_one_frame("rank=0 call=open path=out/*-02.nc.part* times=* do=fail errno=EACCES; "
                    "rank=0 call=mkdir path=out/*-02.nc.part do=fail errno=EACCES");
}

TEST_P(EngineOfTwo, WhoseSecondWriterCannotMakeItsPartGoesOnWithTheNext) {
    if (GetParam() != "zarr" && GetParam() != "netcdf-split") GTEST_SKIP() << "it has no part of its own";
    costs_one_frame("rank=1 call=open path=out/*-02.nc.part* do=fail errno=EACCES");
}

TEST_P(EngineOfTwo, ThatCannotPublishAFileGoesOnWithTheNext) {
    costs_one_frame("rank=0 call=rename path=out/*-02.nc do=fail");
}

/// The file has its name by then: it gives it back.
TEST_P(EngineOfTwo, WhoseFileMayNotBeOnDiskUnderItsNameTakesItBack) {
    costs_one_frame("rank=0 call=fsync nth=3 path=out do=fail");
}

/// The system tells of bytes that it could not bring to disk once: the close of the library's descriptor, or
/// an fsync of one that was open by then. Who opens the file anew is told nothing.
TEST_P(EngineOfTwo, WhoseLibraryClosesAFileOfWhichBytesAreLostDoesNotTrustIt) {
    const auto engine = GetParam();
    if (engine == "zarr") GTEST_SKIP() << "which closes nothing before it is on disk, or is tested below";
    std::vector<std::string> files = {""};
    if (engine == "netcdf-split") files = {"/part_000000.nc", "/fixed_000000.nc"};
    if (engine == "adios") files = {"/data.0", "/md.0", "/md.idx", "/mmd.0"};
    for (const char *deed : {"lose", "forget"})
        for (const auto &file : files) {
            if (engine == "netcdf-parallel" && std::string(deed) == "lose") continue; // HDF5 ends the process
            SCOPED_TRACE(fmt::format("{} {}", deed, file));
            distrusts(fmt::format("rank=0 call=close path=out/*-02.nc.part{} do={}", file, deed), {});
        }
}

/// What HDF5 cannot close ends the process: what is lost has to show before.
TEST_P(EngineOfTwo, OfNetcdf4DoesNotTrustAFileOfWhichBytesAreLost) {
    if (GetParam() != "netcdf" && GetParam() != "netcdf-split")
        GTEST_SKIP() << "it has no choice of a format";
    const std::string file = GetParam() == "netcdf" ? "" : "/part_000000.nc";
    for (const char *how :
         {"fsync path=out/*-02.nc.part{} do=lose", "fsync nth=2 path=out/*-02.nc.part{} do=lose",
          "close path=out/*-02.nc.part{} do=forget"}) {
        SCOPED_TRACE(how);
        distrusts("rank=0 call=" + fmt::format(fmt::runtime(how), file), {{"format", "netcdf4"}});
    }
}

TEST_P(EngineOfTwo, DoesNotCloseAnIndexBeforeItIsOnDisk) {
    if (GetParam() != "netcdf-split") GTEST_SKIP() << "it has none of its own";
    Trial trial("index");
    trial.go(2, "call=close path=out/*/index.json* do=forget times=*", {{"engine", GetParam()}});
    EXPECT_FALSE(trial.fired());
    EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1, 2, 3, 4, 5})) << trial.ended.said;
}

std::vector<std::string> storing_engines() {
    auto all = io::engines();
    std::erase_if(all, [](const auto &name) { return name == "null" || name == "sst"; });
    return all;
}

std::string in_messages(std::string name) {
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(, EngineOfTwo, testing::ValuesIn(storing_engines()),
                         [](const auto &engine) { return in_messages(engine.param); });

/// HDF5 ends the header with a sync, which each writer does for itself. Who fails must not close the file:
/// the others would have to do so with it, and wait outside of the library for it to say that it has failed.
TEST(NetcdfParallel, WhoseHeaderOneWriterCannotBringToDiskDoesNotWaitForTheOthersWithinTheLibrary) {
    const auto all = storing_engines();
    if (std::ranges::find(all, "netcdf-parallel") == all.end()) GTEST_SKIP() << "not in this build";
    for (const int rank : {0, 1})
        for (const char *placement : {"inline", "thread"}) {
            SCOPED_TRACE(fmt::format("{} {}", rank, placement));
            Trial trial(fmt::format("header_{}_{}", rank, placement));
            trial.go(2, fmt::format("rank={} call=fsync path=out/*-03.nc.part do=lose errno=EIO", rank),
                     {{"engine", "netcdf-parallel"},
                      {"placement", placement},
                      {"frames_per_file", "3"},
                      {"on_error", "continue"},
                      {"timeout", "20"}});
            EXPECT_TRUE(trial.fired());
            EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
            EXPECT_FALSE(trial.says("gave up")) << trial.ended.said;
            EXPECT_TRUE(trial.says("Input/output error")) << trial.ended.said;
            EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1, 2})) << trial.ended.said;
            EXPECT_EQ(trial.counted("failed"), 3) << trial.ended.said; // HDF5 is not trusted any more
        }
}

/// More files than stay open. Where syncfs cannot be relied upon none is closed before it is on disk, and
/// syncfs is not called; where it can it tells of what was lost.
TEST(Zarr, WithMoreFilesThanStayOpenLosesNothingUnnoticed) {
    for (const char *deed : {"lose", "forget"}) {
        SCOPED_TRACE(deed);
        const std::map<std::string, std::string> many = {{"engine", "zarr"},
                                                         {"on_error", "continue"},
                                                         {"frames", "4"},
                                                         {"chunk", "1,1,1"},
                                                         {"shard", "1,1,1"}};
        const auto faults = fmt::format("rank=0 call=close nth=3 path=out/*-02.nc.part/T/c* do={}", deed);
        Trial unknown("many_files_fuse");
        unknown.go(2, "filesystem=fuse; call=syncfs do=pretend times=*; " + faults, many);
        EXPECT_FALSE(unknown.fired());
        EXPECT_EQ(unknown.visible(), (std::vector<int>{0, 1, 2, 3})) << unknown.ended.said;
        Trial known("many_files_ext4");
        known.go(2, "filesystem=ext4; " + faults, many);
        EXPECT_TRUE(known.fired());
        EXPECT_EQ(known.visible(), (std::vector<int>{0, 1, 3})) << known.ended.said;
        EXPECT_EQ(known.counted("failed"), 1) << known.ended.said;
    }
}

/// The frame is there, and nobody was told: it is neither written again nor reported lost.
TEST(TakingOver, FromAServerThatDiedBetweenPublishingAndTelling) {
    for (const char *engine : {"netcdf", "zarr"})
        for (const char *per_file : {"1", "2"}) {
            SCOPED_TRACE(fmt::format("{} {}", engine, per_file));
            Trial trial(fmt::format("take_over_{}_{}", engine, per_file));
            trial.survives_deaths = true;
            trial.go(2, "rank=1 call=fsync nth=3 path=out do=kill",
                     {{"engine", engine},
                      {"placement", "servers"},
                      {"servers", "1"},
                      {"frames_per_file", per_file},
                      {"on_lost_server", "take-over"}});
            EXPECT_TRUE(trial.fired());
            EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1, 2, 3, 4, 5})) << trial.ended.said;
            EXPECT_EQ(trial.told(0), "") << trial.ended.said;
            EXPECT_EQ(trial.counted("failed"), 0) << trial.ended.said;
        }
}

/// It still writes when it gives up and others write the frame: what it has then is not published, and
/// nothing that the writing needs has gone with it.
TEST(TakingOver, FromAServerThatIsSlowerThanTheDeadlineLeavesItNothingToPublish) {
    for (const char *call : {"write", "fsync"})
        for (const char *engine : {"netcdf", "zarr"}) {
            SCOPED_TRACE(fmt::format("{} {}", call, engine));
            Trial trial(fmt::format("take_over_from_slow_{}_{}", call, engine));
            trial.go(2, fmt::format("rank=1 call={} path=out/*-02.nc.part* do=delay seconds=6", call),
                     {{"engine", engine},
                      {"placement", "servers"},
                      {"servers", "1"},
                      {"on_lost_server", "take-over"},
                      {"timeout", "2"}});
            EXPECT_TRUE(trial.fired());
            EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
            EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1, 2, 3, 4, 5})) << trial.ended.said;
            EXPECT_EQ(trial.told(0), "") << trial.ended.said;
            for (const char *word : {"Assertion", "Signal", "terminate"})
                EXPECT_FALSE(trial.says(word)) << trial.ended.said;
            for (const auto &file : trial.files()) EXPECT_FALSE(file.ends_with(".untrusted")) << file;
        }
}

/// `squall recover` publishes what the message names; frame 0 was reported lost, and cannot be there.
TEST(TakingOver, FromAServerThatLostAFrameDoesNotLeaveThatOneToRecover) {
    for (const char *burst : {"0", "1"}) {
        SCOPED_TRACE(burst);
        Trial trial("lost_before");
        trial.survives_deaths = true;
        trial.go(2,
                 "rank=1 call=open path=*/2000-01-01_00-00-00.nc.part do=fail errno=EACCES; "
                 "rank=1 call=write nth=4 path=*manifest* do=kill", // of frame 1 and later ones
                 {{"engine", "netcdf"},
                  {"placement", "servers"},
                  {"servers", "1"},
                  {"burst", burst},
                  {"frames_per_file", "6"},
                  {"interval", "0.5"}, // so that what is stored is told before the next frame comes
                  {"on_error", "continue"},
                  {"on_lost_server", "take-over"}});
        EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
        EXPECT_EQ(trial.counted("failed"), 1) << trial.ended.said;
        EXPECT_TRUE(trial.says("frames 1 to ")) << trial.ended.said;
        EXPECT_FALSE(trial.says("frames 0 to ")) << trial.ended.said;
    }
}

TEST(Adios, ThatCannotMakeItsIndexCostsAFrameAndNotTheProcess) {
    if (const auto all = storing_engines(); std::ranges::find(all, "adios") == all.end())
        GTEST_SKIP() << "not in this build";
    for (const char *file : {"md.idx", "md.0", "mmd.0", "data.0"}) {
        SCOPED_TRACE(file);
        Trial trial(std::string("adios_") + file);
        trial.go(1, fmt::format("call=open path=out/*-02.nc.part/{} times=* do=fail errno=ENOSPC", file),
                 {{"engine", "adios"}, {"on_error", "continue"}});
        EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
        EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1, 3, 4, 5})) << trial.ended.said;
        EXPECT_EQ(trial.counted("failed"), 1) << trial.ended.said;
    }
}

TEST(BurstFiles, ThatCannotBeCarriedOnAreAllNamedByTheServer) {
    Trial trial("burst_files");
    trial.go(3, "rank=2 call=open path=out/*.nc.part times=* do=fail errno=EACCES",
             {{"engine", "netcdf"}, {"placement", "servers"}, {"servers", "1"}, {"burst", "1"}});
    EXPECT_EQ(trial.visible().size(), 0u);
    for (int frame = 0; frame < 6; ++frame)
        for (int rank = 0; rank < 2; ++rank)
            EXPECT_NE(trial.told(rank).find(fmt::format("2000-01-01_00-00-0{}.nc", frame)), std::string::npos)
                << frame << "\n"
                << trial.told(rank);
}

TEST(Interruption, OfTheServersCourierIsNoError) {
    Trial trial("eintr_courier");
    trial.go(2,
             "rank=1 call=open nth=2 times=3 do=fail errno=EINTR path=out/*.part; "
             "rank=1 call=write times=5 do=fail errno=EINTR path=out/*.part; "
             "rank=1 call=fsync times=5 do=fail errno=EINTR path=out*",
             {{"engine", "netcdf"}, {"placement", "servers"}, {"servers", "1"}, {"burst", "1"}});
    EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
    EXPECT_TRUE(trial.fired());
    EXPECT_EQ(trial.visible().size(), 6u) << trial.ended.said;
}

TEST(Manifest, ThatCannotTellOfAFileThatIsPublishedDoesNotMakeItsFrameLost) {
    Trial trial("untold");
    // Stored, published, and both of the second frame.
    trial.go(1, "rank=0 call=write nth=4 path=*manifest* do=fail errno=EDQUOT",
             {{"engine", "netcdf"}, {"frames_per_file", "1"}});
    EXPECT_EQ(trial.visible().size(), 6u) << trial.ended.said;
    EXPECT_NE(trial.told(0).find("frame 2000-01-01_00:00:01"), std::string::npos) << trial.told(0);
    EXPECT_NE(trial.told(0).find("the frame is published nevertheless"), std::string::npos) << trial.told(0);
    EXPECT_EQ(trial.told(0).find("is lost"), std::string::npos) << trial.told(0);
}

/// Of the runtime's own calls: whether the libraries of engines go on is theirs to say.
TEST(Interruption, OfASystemCallIsNoError) {
    for (const auto &engine : storing_engines())
        for (const char *burst : {"0", "1"}) {
            SCOPED_TRACE(engine + " burst " + burst);
            Trial trial("eintr_" + engine);
            trial.go(2,
                     "call=fsync nth=1 times=3 do=fail errno=EINTR from=libsquall_io; "
                     "call=open nth=2 times=20 do=fail errno=EINTR from=libsquall_io; "
                     "call=write nth=4 times=2 do=fail errno=EINTR from=libsquall_io",
                     {{"engine", engine}, {"burst", burst}});
            EXPECT_TRUE(trial.fired());
            EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
            EXPECT_EQ(trial.visible().size(), 6u) << trial.ended.said;
        }
}

} // namespace
} // namespace squall::faults
