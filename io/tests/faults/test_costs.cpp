/// What a frame costs, counted call by call: syncs, and bytes of what describes it. Neither grows with the
/// frames before it.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "replay.hpp"
#include "trial.hpp"

#include "squall/io.hpp"

namespace squall::faults {
namespace {

/// The journal of a run of so many frames by so many ranks.
std::vector<Entry> journal_of(const std::string &engine, int ranks, int frames, int frames_per_file) {
    Trial trial("costs");
    const auto journal = trial.place() + "/journal";
    trial.environment["SQUALL_FAULTS_JOURNAL"] = journal;
    trial.go(ranks, "",
             {{"engine", engine},
              {"frames", std::to_string(frames)},
              {"frames_per_file", std::to_string(frames_per_file)}});
    EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
    EXPECT_EQ(std::ssize(trial.visible()), frames) << trial.ended.said;
    return read_journal(journal);
}

std::int64_t syncs(const std::vector<Entry> &journal) {
    return std::ranges::count_if(
        journal, [](const Entry &e) { return e.kind == "fsync" || e.kind.starts_with("sync"); });
}

std::int64_t bytes_into(const std::vector<Entry> &journal, const std::string &name) {
    std::set<std::uint64_t> inodes;
    std::int64_t bytes = 0;
    for (const auto &e : journal) {
        if (e.kind == "create" && e.path.find(name) != std::string::npos) inodes.insert(e.inode);
        if (e.kind == "write" && inodes.contains(e.inode)) bytes += std::ssize(e.bytes);
    }
    return bytes;
}

std::vector<std::string> storing_engines() {
    std::vector<std::string> all;
    for (const auto &info : io::engine_infos())
        if (info.missing.empty() && info.name != "null" && info.name != "sst") all.push_back(info.name);
    return all;
}

class Costs : public testing::TestWithParam<std::string> {};

/// The data of each writer, what describes it, the directory, the manifest before and after.
TEST_P(Costs, OfAFrameAreAFewSyncsForEachWriter) {
    constexpr int ranks = 2, few = 4, many = 12;
    for (const int frames_per_file : {1, many}) {
        const auto here = [&](int frames) {
            return syncs(journal_of(GetParam(), ranks, frames, frames_per_file));
        };
        const auto first = here(few), all = here(many);
        EXPECT_GE(all, many) << "a stored frame that nothing brings to disk";
        // A file that is a directory of arrays is a few files each time, and up to 24 are brought to disk one
        // by one; all at once beyond, however many fields there are.
        const bool parts = GetParam() == "netcdf-split"; // each with an index of its own
        const double most = GetParam() == "zarr" && frames_per_file == 1 ? 24
                            : parts                                      ? 7
                                                                         : 6; // of each writer
        const double each = static_cast<double>(all - first) / (many - few) / ranks;
        EXPECT_LE(each, most) << frames_per_file << " frames a file: " << first << " syncs for " << few
                              << " frames, " << all << " for " << many;
        RecordProperty("syncs_" + std::to_string(frames_per_file), std::to_string(each));
    }
}

INSTANTIATE_TEST_SUITE_P(, Costs, testing::ValuesIn(storing_engines()), [](const auto &param) {
    auto name = param.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(SplitIndex, GrowsByTheSameBytesWithEveryFrame) {
    const auto engines = storing_engines();
    if (std::ranges::find(engines, "netcdf-split") == engines.end()) GTEST_SKIP() << "not in this build";
    const auto here = [](int frames) {
        return bytes_into(journal_of("netcdf-split", 2, frames, 1000), "index.json");
    };
    const auto first = here(8), second = here(16), third = here(32);
    EXPECT_GT(first, 1000);
    // Some numbers have a digit more.
    EXPECT_NEAR(static_cast<double>(third - second), 2. * static_cast<double>(second - first),
                0.05 * static_cast<double>(third - second))
        << first << " " << second << " " << third;
}

} // namespace
} // namespace squall::faults
