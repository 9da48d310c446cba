/// Whichever writer fails, at whatever step: nobody hangs, all say the same, what was reported lost is not to
/// be seen, and the stream goes on.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "programs.hpp"

namespace squall::faults {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A run of the writer under the shim.
class Trial {
  public:
    explicit Trial(std::string name)
        : place_(
              (fs::temp_directory_path() / fmt::format("squall_protocol_{}_{}", getpid(), name)).string()) {
        fs::remove_all(place_);
        fs::create_directories(place_ + "/data/out");
    }
    ~Trial() { fs::remove_all(place_); }
    Trial(const Trial &) = delete;
    Trial &operator=(const Trial &) = delete;

    void go(int ranks, const std::string &faults, std::map<std::string, std::string> settings) {
        settings.insert({{"directory", place_ + "/data"}, {"log", place_}, {"nx", "7"}, {"timeout", "20"}});
        settings.insert({{"placement", "inline"}, {"frames", "6"}});
        std::vector<std::string> words{MPIEXEC, "--oversubscribe", "-n", std::to_string(ranks)};
        const std::map<std::string, std::string> shim = {{"LD_PRELOAD", FAULTS_SHIM},
                                                         {"SQUALL_FAULTS", faults},
                                                         {"SQUALL_FAULTS_BELOW", place_ + "/data"}};
        for (const auto &[key, value] : shim) words.insert(words.end(), {"-x", key + "=" + value});
        words.insert(words.end(), {FAULTS_WRITER, "write"});
        for (const auto &[key, value] : settings) words.push_back(key + "=" + value);
        const auto start = std::chrono::steady_clock::now();
        ended = run(words, {{"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}});
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    /// Frames that rank r was told of.
    std::vector<int> frames(int r, const std::string &event) const {
        std::vector<int> all;
        for (const auto &line : log(r))
            if (line["event"] == event) all.push_back(line["frame"]);
        return all;
    }
    /// Frames that readers see, each with all of its points right.
    std::vector<int> visible() const {
        std::vector<int> all;
        const auto seen = run({FAULTS_WRITER, "check", "directory=" + place_ + "/data"}, {});
        std::istringstream in(seen.said);
        for (std::string line; std::getline(in, line);) {
            const auto frame = Json::parse(line, nullptr, false);
            if (!frame.is_object()) continue;
            EXPECT_FALSE(frame.contains("fault")) << line;
            if (!frame.contains("number")) continue;
            EXPECT_EQ(frame["wrong"], 0) << line;
            all.push_back(frame["number"]);
        }
        std::ranges::sort(all);
        return all;
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto &e : fs::directory_iterator(place_ + "/data/out"))
            names.push_back(e.path().filename());
        std::ranges::sort(names);
        return names;
    }

    Ended ended;
    double seconds = 0;

  private:
    std::vector<Json> log(int r) const {
        std::vector<Json> lines;
        std::ifstream in(fmt::format("{}/rank.{}", place_, r));
        for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
        return lines;
    }
    std::string place_;
};

const std::map<std::string, std::string> zarr = {{"engine", "zarr"}, {"frames_per_file", "0"}};

struct Step {
    std::string name, faults;
};

class ZarrOfTwo : public testing::TestWithParam<Step> {};

/// Writer 0 describes and shows, both bring to disk. Whatever fails fails once, and costs one frame.
TEST_P(ZarrOfTwo, LosesOneFrameAndGoesOnWhereverItFails) {
    Trial trial(GetParam().name);
    trial.go(2, GetParam().faults, zarr);
    EXPECT_LT(trial.seconds, 15) << trial.ended.said;
    const auto lost = trial.frames(0, "lost");
    EXPECT_EQ(lost.size(), 1u) << trial.ended.said;
    const auto seen = trial.visible();
    EXPECT_EQ(seen.size(), 5u);
    for (const int frame : lost) EXPECT_FALSE(std::ranges::binary_search(seen, frame)) << frame;
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
    const auto lost = trial.frames(0, "lost");
    EXPECT_GE(seen.size() + lost.size(), 6u) << trial.ended.said;
    EXPECT_GE(seen.size(), 5u);
}

TEST(Interruption, OfASystemCallIsNoError) {
    for (const char *engine : {"zarr", "netcdf"}) {
        Trial trial(fmt::format("eintr_{}", engine));
        trial.go(1,
                 "call=fsync nth=1 times=3 do=fail errno=EINTR; call=write nth=4 times=2 do=fail errno=EINTR "
                 "path=*manifest*",
                 {{"engine", engine}, {"frames_per_file", "1"}});
        EXPECT_EQ(trial.visible().size(), 6u) << trial.ended.said;
    }
}

} // namespace
} // namespace squall::faults
