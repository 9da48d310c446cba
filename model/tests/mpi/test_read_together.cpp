// A run file and the initial file that it names, on ranks of which the first alone can read them.
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <mpi.h>

#include "../fake_wrfinput.hpp"
#include "run/read_together.hpp"

namespace squall {
namespace {

namespace fs = std::filesystem;

/// A folder for each rank to stand in: the first's holds a run file and an initial file, the others' no run
/// file and, under the name of the initial file, one that nobody can read.
class ReadTogether : public testing::Test {
  protected:
    ReadTogether() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        const fs::path mine = home / ("read_together_" + std::to_string(ranks) + "_" + std::to_string(rank));
        fs::create_directory(mine);
        fs::current_path(mine);
        std::ofstream("wrfinput_d01") << "no such thing";
        if (rank != 0) return;
        testing_support::FakeInput input;
        input.volume(
            "W", [](int, int, int) { return 0.0; }, "bottom_top_stag");
        input.write("wrfinput_d01");
        std::ofstream("storm.toml") << R"(
[run]
duration = "60 s"
time_step = "10 s"
[initial]
file = "wrfinput_d01"
)";
    }
    ~ReadTogether() override {
        const fs::path mine = fs::current_path();
        fs::current_path(home);
        fs::remove_all(mine);
    }

    const fs::path home = fs::current_path();
    int rank = 0, ranks = 1;
};

TEST_F(ReadTogether, OneRankOpensTheFilesAndAllHaveWhatIsInThem) {
    const Config config = read_together(MPI_COMM_WORLD, "storm.toml", {"run.time_step=5 s"});
    EXPECT_EQ(config.run.time_step, 5);
    EXPECT_EQ(config.domain.nx, 6);
    EXPECT_EQ(config.domain.ny, 5);
    EXPECT_EQ(config.domain.nz, 4);
    EXPECT_EQ(config.domain.dx, 2000);
    EXPECT_EQ(config.domain.dy, 3000);
    EXPECT_EQ(config.run.start, "2001-02-03T04:05:06");
    EXPECT_EQ(config.vertical.coordinate, "sigma");
}

TEST_F(ReadTogether, AllKnowThatTheInitialFileHasVerticalWind) {
    const Config config = read_together(MPI_COMM_WORLD, "storm.toml", {"initial.vertical_wind=file"});
    EXPECT_EQ(config.initial.vertical_wind, "file");
}

TEST_F(ReadTogether, WhatTheFirstRankRefusesAllRefuseInItsWords) {
    for (const auto &[file, override_text, part] :
         {std::tuple{"nowhere.toml", "run.time_step=5 s", "nowhere.toml: cannot read the run file"},
          std::tuple{"storm.toml", "domain.nx=41", "domain.nx = 41 disagrees with initial.file"}}) {
        std::string message;
        try {
            read_together(MPI_COMM_WORLD, file, {override_text});
        } catch (const ConfigError &error) {
            message = error.what();
        }
        EXPECT_NE(message.find(part), std::string::npos) << "rank " << rank << ": " << message;
    }
}

} // namespace
} // namespace squall
