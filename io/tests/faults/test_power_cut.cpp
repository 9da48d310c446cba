/// The power may be cut at any moment: what was published by then is there and whole, what is there is
/// published whole. Without cutting it: the journal of a run, replayed to every prefix.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "programs.hpp"
#include "replay.hpp"
#include "weather_of_fire.hpp"

namespace squall::faults {
namespace {

namespace fs = std::filesystem;

struct Scenario {
    std::string engine, placement = "inline";
    int ranks = 1, servers = 0, frames_per_file = 1, frames = 4;
    bool burst = false;
    std::string faults = {};
    bool directory_exists = true; ///< before the run, on disk
    std::string tiles = {};       ///< sizes of chunks and shards, of zarr

    std::string text() const {
        return fmt::format("{} {} on {} ranks and {} servers, {} frames a file{}{}{}", engine, placement,
                           ranks, servers, frames_per_file, burst ? ", burst" : "",
                           directory_exists ? "" : ", into a new directory",
                           faults.empty() ? "" : ", " + faults) +
               (tiles.empty() ? "" : ", in tiles of " + tiles);
    }
};

/// In memory where there is a file system in it: what counts is in the journal, not on this disk.
fs::path scratch() { return fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path(); }

class Directory {
  public:
    explicit Directory(const std::string &name)
        : path_(scratch() / fmt::format("squall_power_cut_{}_{}", getpid(), name)) {
        fs::remove_all(path_);
        fs::create_directories(path_);
    }
    ~Directory() { fs::remove_all(path_); }
    std::string operator/(const std::string &name) const { return (path_ / name).string(); }

  private:
    fs::path path_;
};

/// Runs the writer and returns its journal.
std::vector<Entry> journal_of(const Scenario &s) {
    const Directory place("run");
    fs::create_directories(place / (s.directory_exists ? "data/out" : "data"));
    const std::map<std::string, std::string> shim = {{"LD_PRELOAD", FAULTS_SHIM},
                                                     {"SQUALL_FAULTS", s.faults},
                                                     {"SQUALL_FAULTS_BELOW", place / "data"},
                                                     {"SQUALL_FAULTS_JOURNAL", place / "journal"}};
    std::vector<std::string> words{MPIEXEC, "--oversubscribe", "-n", std::to_string(s.ranks + s.servers)};
    for (const auto &[name, value] : shim) words.insert(words.end(), {"-x", name + "=" + value});
    words.insert(words.end(), {FAULTS_WRITER, "write", "nx=7"});
    for (const auto &[key, value] :
         std::map<std::string, std::string>{{"directory", place / "data"},
                                            {"log", place / ""},
                                            {"engine", s.engine},
                                            {"placement", s.placement},
                                            {"servers", std::to_string(s.servers)},
                                            {"frames_per_file", std::to_string(s.frames_per_file)},
                                            {"frames", std::to_string(s.frames)},
                                            {"timeout", "10"},
                                            {"burst", s.burst ? "1" : "0"}})
        words.push_back(key + "=" + value);
    if (!s.tiles.empty()) words.insert(words.end(), {"chunk=" + s.tiles, "shard=" + s.tiles});
    const auto ended = run(words, {{"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}});
    EXPECT_TRUE(ended.code == 0 || !s.faults.empty()) << ended.said;
    auto entries = read_journal(place / "journal");
    if (s.directory_exists) entries.insert(entries.begin(), {{"mkdir", "out"}, {"syncdir"}});
    return entries;
}

/// Lines of a manifest; the last may be torn.
struct Manifest {
    std::map<std::string, int> stored, published; ///< frames by file

    explicit Manifest(const std::string &text) {
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) {
            const auto event = nlohmann::json::parse(line, nullptr, false);
            if (event.is_discarded() || !event.contains("file")) continue;
            const auto file = event["file"].get<std::string>();
            if (event["event"] == "stored") stored[file] = event["frame"].get<int>() + 1;
            if (event["event"] == "published") published[file] = stored[file];
        }
    }
};

const std::string manifest_name = "out/fire.manifest.jsonl";

/// Judges trees. What it has seen of a file it knows again.
class Examiner {
  public:
    Examiner(const Scenario &s, std::string directory)
        : scenario_(s), directory_(directory), place_(directory + "/tree") {}

    /// What is wrong with the tree, or "". `sure`: what was published, by the manifest's durable lines.
    std::string examine(const Tree &tree, const Manifest &sure) {
        auto code = code_of(tree, "");
        for (const auto &[file, frames] : sure.published) code += fmt::format("{} {}\n", file, frames);
        if (!seen_.insert(std::hash<std::string>{}(code)).second) return "";
        place_.hold(tree);
        const auto manifest = tree.find(manifest_name);
        const Manifest known(manifest == tree.end() ? "" : manifest->second.value_or(""));
        for (const auto &[file, frames] : sure.published)
            if (const auto fault = missing(tree, file, frames); !fault.empty()) return fault;
        for (const auto &[file, frames] : known.published)
            if (const auto fault = missing(tree, file, frames); !fault.empty()) return fault;
        for (const auto &[path, content] : tree)
            if (path.starts_with("out/") && path.ends_with(".nc") && path.rfind('/') == 3)
                if (const auto fault = published(tree, path.substr(4), known); !fault.empty()) return fault;
        return "";
    }
    std::size_t trees() const { return seen_.size(); }

  private:
    static std::string code_of(const Tree &tree, const std::string &below) {
        std::string code;
        for (auto at = tree.lower_bound(below); at != tree.end() && at->first.starts_with(below); ++at)
            code += at->first + (at->second ? "=" + *at->second : "/") + '\n';
        return code;
    }

    /// Frames that readers see in a file, or what they stumble over.
    struct Look {
        std::int64_t frames = 0;
        std::string fault;
    };
    const Look &look(const Tree &tree, const std::string &file) {
        const auto [at, news] = looks_.try_emplace(code_of(tree, "out/" + file));
        if (news) at->second = read(directory_ + "/tree/out/" + file);
        return at->second;
    }
    static Look read(const std::string &path) {
        Look found;
        try {
            const io::Reader file(path);
            found.frames = file.frames();
            for (std::int64_t f = 0; f < found.frames; ++f)
                if (const auto seen = look_at(file, f); seen.wrong != 0)
                    found.fault += fmt::format("frame {} has {} wrong points; ", f, seen.wrong);
        } catch (const std::exception &e) {
            found.fault = e.what();
        }
        return found;
    }

    std::string missing(const Tree &tree, const std::string &file, int frames) {
        if (!tree.contains("out/" + file)) return fmt::format("{} was published and is not there", file);
        const auto &found = look(tree, file);
        // The last frame of a store that grows may have been stored and not shown.
        const int least = scenario_.engine == "zarr" ? std::max(1, frames - 1) : frames;
        if (found.frames < least)
            return fmt::format("{} was published with {} frames and has {}; {}", file, frames, found.frames,
                               found.fault);
        return "";
    }

    std::string published(const Tree &tree, const std::string &file, const Manifest &known) {
        const auto &found = look(tree, file);
        if (!found.fault.empty()) return fmt::format("{} is there and not whole: {}", file, found.fault);
        const auto stored = known.stored.find(file);
        if (stored == known.stored.end() || stored->second < found.frames)
            return fmt::format("{} has {} frames, the manifest knows of {}", file, found.frames,
                               stored == known.stored.end() ? 0 : stored->second);
        return "";
    }

    const Scenario &scenario_;
    std::string directory_;
    Place place_;
    std::set<std::size_t> seen_;
    std::map<std::string, Look> looks_;
};

struct Found {
    std::size_t entries = 0, trees = 0;
    std::vector<std::string> faults; ///< the first of each sort of luck
};

Manifest sure_of(const Replay &replay) {
    try {
        return Manifest(replay.durable(manifest_name));
    } catch (const std::runtime_error &) {
        return Manifest(""); // there is none yet
    }
}

/// Replays all prefixes. `change` may spoil the journal first.
Found cut_everywhere(const Scenario &s, const std::function<void(std::vector<Entry> &)> &change = {}) {
    auto entries = journal_of(s);
    if (change) change(entries);
    const Directory place("trees");
    Examiner examiner(s, place / "");
    Replay replay;
    std::mt19937 random(20261121);
    Found found{entries.size(), 0, {}};
    std::set<Luck> failed;
    for (std::size_t n = 0; n < entries.size(); ++n) {
        replay.apply(entries[n]);
        const auto sure = sure_of(replay);
        for (const auto luck : all_lucks) {
            if (failed.contains(luck)) continue;
            const auto fault = examiner.examine(replay.after_power_cut(luck, random), sure);
            if (fault.empty()) continue;
            failed.insert(luck);
            found.faults.push_back(fmt::format("after entry {} of {} ({}), with {}: {}", n + 1,
                                               entries.size(), entries[n].text(), name_of(luck), fault));
        }
    }
    found.trees = examiner.trees();
    return found;
}

class PowerCut : public testing::TestWithParam<Scenario> {};

TEST_P(PowerCut, LeavesWhatWasPublishedWhole) {
    const auto found = cut_everywhere(GetParam());
    EXPECT_GT(found.entries, 20u);
    EXPECT_GT(found.trees, found.entries / 2);
    for (const auto &fault : found.faults) ADD_FAILURE() << GetParam().text() << ": " << fault;
}

std::vector<Scenario> scenarios() {
    std::vector<Scenario> all;
    const auto infos = io::engine_infos();
    for (const char *engine : {"netcdf", "netcdf-split", "zarr", "pnetcdf"}) {
        const auto info = std::ranges::find(infos, engine, &io::EngineInfo::name);
        if (info == infos.end() || !info->missing.empty()) continue;
        all.push_back({.engine = engine});
        all.push_back({.engine = engine, .frames = 2, .directory_exists = false});
        all.push_back({.engine = engine, .ranks = 2, .frames_per_file = 2});
        all.push_back(
            {.engine = engine, .placement = "servers", .ranks = 2, .servers = 2, .frames_per_file = 3});
        all.push_back({.engine = engine, .burst = true});
        all.push_back({.engine = engine,
                       .ranks = 2,
                       .frames_per_file = 2,
                       .frames = 6,
                       .faults = "rank=0 call=fsync nth=6 do=fail"});
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Of, PowerCut, testing::ValuesIn(scenarios()), [](const auto &test) {
    auto name = test.param.text();
    std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
    return name;
});

TEST(PowerCutTest, FindsAnFsyncThatIsMissing) {
    const auto found = cut_everywhere({.engine = "netcdf"}, [](std::vector<Entry> &entries) {
        std::erase_if(entries, [](const Entry &e) { return e.kind == "fsync"; });
    });
    EXPECT_FALSE(found.faults.empty());
}

/// Some file systems do not implement syncfs and say that it has worked.
constexpr const char *no_syncfs = "call=syncfs do=pretend times=*; filesystem=";

TEST(PowerCut, LosesNothingWhereSyncfsDoesNothing) {
    for (const char *system : {"fuse", "lustre", "nfs"}) {
        const auto found = cut_everywhere({.engine = "zarr",
                                           .frames_per_file = 2,
                                           .frames = 2,
                                           .faults = no_syncfs + std::string(system),
                                           .tiles = "1,2,7"});
        EXPECT_GT(found.entries, 60u);
        for (const auto &fault : found.faults) ADD_FAILURE() << system << ": " << fault;
    }
}

TEST(PowerCutTest, FindsASyncfsThatDoesNothing) {
    const auto found = cut_everywhere(
        {.engine = "zarr", .frames = 1, .faults = no_syncfs + std::string("ext4"), .tiles = "1,2,7"});
    EXPECT_FALSE(found.faults.empty());
}

TEST(PowerCutTest, FindsNamesThatAreNotBroughtToDisk) {
    const auto found = cut_everywhere({.engine = "netcdf"}, [](std::vector<Entry> &entries) {
        std::erase_if(entries, [](const Entry &e) { return e.kind == "syncdir"; });
    });
    EXPECT_FALSE(found.faults.empty());
}

/// The name before the bytes, as it goes wrong most often.
TEST(PowerCutTest, FindsARenameBeforeTheFsync) {
    const auto found = cut_everywhere({.engine = "netcdf"}, [](std::vector<Entry> &entries) {
        for (std::size_t n = 1; n < entries.size(); ++n)
            if (entries[n].kind == "rename" && entries[n - 1].kind == "fsync")
                std::swap(entries[n], entries[n - 1]);
    });
    EXPECT_FALSE(found.faults.empty());
}

} // namespace
} // namespace squall::faults
