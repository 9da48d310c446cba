/// Engines that write together through MPI-IO: what one writer cannot write all learn of, or the stream is
/// refused.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/io.hpp"
#include "trial.hpp"

namespace squall::faults {
namespace {

bool is_open_mpi() {
    const auto said = run({MPIEXEC, "--version"}, {}).said;
    return said.find("Open MPI") != said.npos || said.find("OpenRTE") != said.npos;
}

bool is_built(const std::string &engine) {
    const auto all = io::engines();
    return std::ranges::find(all, engine) != all.end();
}

class MpiIo : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        const auto all = io::engines();
        if (std::ranges::find(all, GetParam()) == all.end()) GTEST_SKIP() << "not in this build";
    }
};

/// In ROMIO few writers write what the others have, and these only hear of it.
TEST(Pnetcdf, WithoutItsBytesOnDiskCostsTheFrameWhoeverCouldNotWriteThem) {
    if (!is_built("pnetcdf")) GTEST_SKIP() << "not in this build";
    for (const char *what : {"nth=1", "nth=2", "nth=3", "times=*"}) { // the header, and points
        SCOPED_TRACE(what);
        Trial trial(std::string("pnetcdf_") + what);
        trial.go(4, std::string("call=write path=out/*-02.nc.part do=fail errno=EIO ") + what,
                 {{"engine", "pnetcdf"}, {"on_error", "continue"}});
        EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
        EXPECT_FALSE(trial.hung()) << trial.ended.said;
        EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1, 3, 4, 5})) << trial.ended.said;
        EXPECT_EQ(trial.counted("failed"), 1) << trial.ended.said;
    }
}

/// HDF5 leaves the others waiting when one of them cannot write: the job ends at the deadline.
TEST(NetcdfParallel, WithoutItsBytesOnDiskIsNotPublished) {
    if (!is_built("netcdf-parallel")) GTEST_SKIP() << "not in this build";
    for (const char *what : {"nth=1", "nth=3", "nth=6", "times=*"}) {
        SCOPED_TRACE(what);
        Trial trial(std::string("netcdf_parallel_") + what);
        trial.go(2, std::string("call=write path=out/*-02.nc.part do=fail errno=EIO ") + what,
                 {{"engine", "netcdf-parallel"}, {"timeout", "2"}});
        EXPECT_NE(trial.ended.code, 0);
        EXPECT_FALSE(trial.hung()) << trial.ended.said;
        const auto seen = trial.visible(); // and every point of them is right
        EXPECT_FALSE(std::ranges::binary_search(seen, 2)) << trial.ended.said;
        EXPECT_GE(seen.size(), 2u) << trial.ended.said;
    }
}

/// HDF5 keeps the file that it could not write, and writes at the end of MPI what it holds of it.
TEST(NetcdfParallel, ThatHasFailedEndsTheProgramInOrder) {
    if (!is_built("netcdf-parallel")) GTEST_SKIP() << "not in this build";
    for (const char *placement : {"inline", "thread"})
        for (const char *what : {"nth=3 times=2", "nth=4", "nth=5 times=*"}) { // the header, and points
            SCOPED_TRACE(fmt::format("{} {}", placement, what));
            Trial trial(std::string("netcdf_parallel_ends_") + placement);
            trial.go(1, std::string("call=write path=out/*-02.nc.part do=fail errno=EDQUOT ") + what,
                     {{"engine", "netcdf-parallel"}, {"placement", placement}, {"on_error", "continue"}});
            EXPECT_EQ(trial.ended.code, 0) << trial.ended.said; // and not by a signal
            EXPECT_FALSE(trial.says("Segmentation fault")) << trial.ended.said;
            EXPECT_TRUE(trial.says("Disk quota exceeded")) << trial.ended.said;
            EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1})) << trial.ended.said;
        }
}

TEST_P(MpiIo, ThatDoesNotReportErrorsIsRefusedForSeveralWriters) {
    if (!is_open_mpi()) GTEST_SKIP() << "only Open MPI has one";
    Trial trial("ompio_" + GetParam());
    trial.environment["OMPI_MCA_io"] = "ompio";
    trial.go(2, "", {{"engine", GetParam()}});
    EXPECT_NE(trial.ended.code, 0);
    for (int rank = 0; rank < 2; ++rank)
        for (const char *word : {"ompio", "OMPI_MCA_io=^ompio", "ompio = \"accept\""})
            EXPECT_NE(trial.told(rank).find(word), std::string::npos) << trial.told(rank);
    EXPECT_EQ(trial.files(), std::vector<std::string>{});
}

TEST_P(MpiIo, ThatDoesNotReportErrorsMayBeAccepted) {
    if (!is_open_mpi()) GTEST_SKIP() << "only Open MPI has one";
    for (const auto &[ranks, option] : {std::pair(2, "accept"), std::pair(1, "refuse")}) {
        Trial trial("ompio_accepted_" + GetParam());
        trial.environment["OMPI_MCA_io"] = "ompio";
        trial.go(ranks, "", {{"engine", GetParam()}, {"ompio", option}});
        EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
        EXPECT_EQ(trial.visible().size(), 6u) << trial.ended.said;
    }
}

INSTANTIATE_TEST_SUITE_P(, MpiIo, testing::Values("pnetcdf", "netcdf-parallel"), [](const auto &engine) {
    auto name = engine.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

} // namespace
} // namespace squall::faults
