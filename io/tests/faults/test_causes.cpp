/// Libraries that keep the cause of an error to themselves, wait within themselves, or end the job: the user
/// learns the cause all the same, in time. What can be kept from them is.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/io.hpp"
#include "trial.hpp"

namespace squall::faults {
namespace {

struct Hidden {
    std::string name, engine;
    int ranks = 1;
    std::string faults, cause;
};

bool is_built(const std::string &engine) {
    const auto all = io::engines();
    return std::ranges::find(all, engine) != all.end();
}

class Cause : public testing::TestWithParam<Hidden> {};

TEST_P(Cause, ThatALibraryKeepsToItselfIsNamed) {
    const auto &[name, engine, ranks, faults, cause] = GetParam();
    if (!is_built(engine)) GTEST_SKIP() << engine << " is not in this build";
    Trial trial("cause_" + name);
    trial.go(ranks, faults, {{"engine", engine}, {"on_error", "continue"}, {"nx", "64"}, {"timeout", "4"}});
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    EXPECT_TRUE(trial.says(cause) || trial.told(0).find(cause) != std::string::npos)
        << trial.ended.said << trial.told(0);
    trial.visible(); // whole
}

INSTANTIATE_TEST_SUITE_P(
    , Cause,
    testing::Values(
        Hidden{"files", "pnetcdf", 1, "call=open path=out/*-02.nc.part times=* do=fail errno=EMFILE",
               "Too many open files"},
        Hidden{"header", "pnetcdf", 2, "call=write path=out/*-02.nc.part do=fail errno=ENOSPC",
               "No space left on device"},
        Hidden{"created", "netcdf-parallel", 2,
               "call=open path=out/*-02.nc.part times=2 do=fail errno=EMFILE", "Too many open files"},
        Hidden{"second", "pnetcdf", 2, "rank=1 call=open nth=3 times=* do=fail errno=EDQUOT",
               "Disk quota exceeded"},
        Hidden{"created_by_second", "netcdf-parallel", 2, "rank=1 call=open nth=3 times=* do=fail errno=EIO",
               "Input/output error"},
        Hidden{"points", "netcdf-parallel", 1, "call=write path=out/*-02.nc.part nth=1 do=fail errno=EDQUOT",
               "Disk quota exceeded"},
        Hidden{"quota", "netcdf-parallel", 1, "quota=16000", "No space left on device"},
        Hidden{"lost_at_close", "pnetcdf", 1, "call=close path=out/*-02.nc.part nth=2 do=lose errno=EIO",
               "Input/output error"},
        Hidden{"small_quota", "pnetcdf", 2, "quota=60000", "No space left on device"}),
    [](const auto &hidden) { return hidden.param.name; });

TEST(Hdf5ThatFailed, IsNotTrustedWithLaterFiles) {
    if (!is_built("netcdf-parallel")) GTEST_SKIP() << "not in this build";
    Trial trial("cause_trust");
    trial.go(1, "call=write path=out/*-02.nc.part nth=1 do=fail errno=EDQUOT",
             {{"engine", "netcdf-parallel"}, {"on_error", "continue"}, {"nx", "64"}});
    EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1}));
    EXPECT_TRUE(trial.says("HDF5 has failed before")) << trial.ended.said;
    EXPECT_TRUE(trial.says("start the run again")) << trial.ended.said;
}

/// A disk that stays full from some write of a frame on. What HDF5 writes when it closes a file is not among
/// them: netCDF-C 4.9 ends the process where that fails.
TEST(Hdf5ThatFailed, DoesNotEndTheProcessWhenItEnds) {
    if (!is_built("netcdf-parallel")) GTEST_SKIP() << "not in this build";
    for (const int nth : {20, 24, 26, 28}) {
        Trial trial("cause_end");
        trial.go(1, fmt::format("call=write path=out/*.nc.part nth={} times=* do=fail errno=ENOSPC", nth),
                 {{"engine", "netcdf-parallel"},
                  {"on_error", "continue"},
                  {"frames_per_file", "2"},
                  {"nx", "64"}});
        EXPECT_EQ(trial.ended.code, 0) << nth << trial.ended.said;
        EXPECT_TRUE(trial.says("No space left on device")) << nth << trial.ended.said;
        EXPECT_EQ(trial.visible().size(), nth == 20 ? 2U : 4U) << nth;
    }
}

TEST(AskedCause, IsNamedForEveryWriteThatFails) {
    if (!is_built("pnetcdf")) GTEST_SKIP() << "not in this build";
    Trial trial("cause_asked"); // what of the error is left on the thread is that of another, later call
    trial.go(1, "call=write path=out/*-02.nc.part* times=* do=fail errno=EDQUOT", {{"engine", "pnetcdf"}});
    EXPECT_NE(trial.told(0).find("Disk quota exceeded"), std::string::npos) << trial.told(0);
}

TEST(Library, ThatWaitsForEverAlthoughItWritesAloneEndsTheJobAtTheDeadline) {
    if (!is_built("pnetcdf")) GTEST_SKIP() << "not in this build";
    Trial trial("cause_alone");
    trial.go(1, "rank=0 call=collective from=libpnetcdf nth=6 do=drop",
             {{"engine", "pnetcdf"}, {"timeout", "2"}});
    EXPECT_NE(trial.ended.code, 0);
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    EXPECT_TRUE(trial.says("rank 0 gave up after waiting 2 s")) << trial.ended.said;
}

/// ADIOS2 writes into a directory once more when it is let go, and ends the process by an exception if it
/// cannot.
TEST(Library, ThatCannotWriteWhenItIsLetGoDoesNotEndTheProcess) {
    if (!is_built("adios")) GTEST_SKIP() << "not in this build";
    for (const int nth : {43, 44, 45}) { // what fails first is not ADIOS2's: a line of the manifest
        Trial trial("cause_let_go");
        trial.go(1, fmt::format("call=write nth={} times=* do=fail errno=EIO", nth),
                 {{"engine", "adios"}, {"frames_per_file", "3"}, {"frames", "8"}, {"nx", "64"}});
        EXPECT_FALSE(trial.says("terminate called")) << nth << trial.ended.said;
        EXPECT_NE(trial.told(0).find("Input/output error"), std::string::npos) << nth << trial.told(0);
        trial.visible(); // whole
    }
}

/// ADIOS2 does not look at what it got.
TEST(Library, ThatIsNotGivenMuchMemoryAtOnceDoesWithLittleForSmallFields) {
    if (!is_built("adios")) GTEST_SKIP() << "not in this build";
    Trial trial("cause_memory");
    trial.go(2, "call=memory from=libadios2 above=1000000 times=* do=fail", {{"engine", "adios"}});
    EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
    EXPECT_EQ(trial.visible().size(), 6u) << trial.told(0);
    EXPECT_FALSE(trial.fired()); // it asks for no such piece
    Trial little("cause_memory_little");
    little.go(2, "call=memory from=libadios2 above=1000 nth=1 do=fail", {{"engine", "adios"}});
    EXPECT_TRUE(little.fired()); // as it would show above
}

/// Their file is not emptied when the writers give up: it is for `squall recover`.
TEST(Frames, ThatWereStoredStayInTheFileOfWritersThatGiveUp) {
    if (!is_built("pnetcdf")) GTEST_SKIP() << "not in this build";
    Trial trial("cause_stored");
    trial.go(2, "rank=1 call=collective from=libsquall_io nth=30 do=drop",
             {{"engine", "pnetcdf"}, {"timeout", "2"}, {"frames_per_file", "6"}});
    EXPECT_NE(trial.ended.code, 0) << trial.ended.said;
    EXPECT_GT(trial.largest_file(), 1000u) << trial.ended.said;
}

} // namespace
} // namespace squall::faults
