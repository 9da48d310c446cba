/// What a run has stored when it is killed, and not published, `squall recover` publishes, from a burst
/// directory too and whatever the engine.

#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/io.hpp"
#include "trial.hpp"

namespace squall::faults {
namespace {

/// As the manifest has them on record.
int frames_stored(const Trial &trial) {
    std::ifstream in(trial.place() + "/data/out/fire.manifest.jsonl");
    int frames = 0;
    for (std::string line; std::getline(in, line);)
        frames += line.find(R"("event":"stored")") != std::string::npos;
    return frames;
}

/// The run is killed within a file in a burst directory. Each of two writers has a part of each frame.
void expect_recovered(const std::string &kill, std::map<std::string, std::string> settings) {
    Trial trial("killed_" + settings.at("engine"));
    settings.insert({{"burst", "1"}, {"frames_per_file", "6"}});
    trial.go(2, kill, settings);
    EXPECT_TRUE(trial.fired());
    EXPECT_EQ(trial.visible(), std::vector<int>()) << trial.ended.said;
    std::vector<int> stored(static_cast<std::size_t>(frames_stored(trial)));
    EXPECT_GT(stored.size(), 1u) << trial.ended.said;
    std::iota(stored.begin(), stored.end(), 0);
    const auto recovered = run({SQUALL_IO, "recover", trial.place() + "/data/out"}, {});
    EXPECT_EQ(recovered.code, 0) << recovered.said;
    EXPECT_EQ(trial.visible(), stored) << recovered.said;
}

class KilledRun : public testing::TestWithParam<std::string> {};

TEST_P(KilledRun, LeavesInABurstDirectoryWhatItHasStored) {
    expect_recovered("rank=0 call=write nth=5 path=*manifest* do=kill", {{"engine", GetParam()}});
}

std::vector<std::string> storing_engines() {
    auto all = io::engines();
    std::erase_if(all, [](const auto &name) { return name == "null" || name == "sst"; });
    return all;
}

INSTANTIATE_TEST_SUITE_P(, KilledRun, testing::ValuesIn(storing_engines()), [](const auto &engine) {
    auto name = engine.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

/// A shard that several frames share is written anew with each of them, and may be cut off then.
TEST(Killed, LeavesThePlaceOfEarlierFramesAsItWasWhereItAddsToTheirShard) {
    for (const char *field : {"Times", "STEP"}) {
        SCOPED_TRACE(field);
        expect_recovered(fmt::format("rank=0 call=write nth=6 path=burst/*/{}/c* do=kill", field),
                         {{"engine", "zarr"}, {"frames_per_shard", "6"}, {"times", "1"}});
    }
}

} // namespace
} // namespace squall::faults
