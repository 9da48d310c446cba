/// One manifest to which several groups of servers add at the same time, while the disk takes only part of
/// what it is given and fsync fails.

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include <fcntl.h>
#include <sys/syscall.h>

#include <nlohmann/json.hpp>

#include "publish/manifest.hpp"
#include "support.hpp"

namespace {

/// What happens to this thread's next calls.
struct Fate {
    int cut_writes = 0, fail_writes = 0, fail_syncs = 0, fail_truncates = 0; ///< how many
};
thread_local Fate fate;

bool take(int &left) { return left > 0 && left-- > 0; }

} // namespace

// These stand before the system's.
extern "C" {
ssize_t write(int fd, const void *data, size_t bytes) {
    if (take(fate.cut_writes) && bytes > 1)
        bytes /= 2;
    else if (take(fate.fail_writes)) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, fd, data, bytes);
}
int fsync(int fd) {
    if (!take(fate.fail_syncs)) return static_cast<int>(syscall(SYS_fsync, fd));
    errno = EIO;
    return -1;
}
int ftruncate(int fd, off_t bytes) noexcept {
    if (!take(fate.fail_truncates)) return static_cast<int>(syscall(SYS_ftruncate, fd, bytes));
    errno = EIO;
    return -1;
}
}

namespace squall::io::test {
namespace {

using Json = nlohmann::json;

/// A group's hand on the manifest of a stream.
struct Group {
    explicit Group(const Scratch &dir, double patience = 30)
        : layout(weather(dir / "%H.nc")), path(manifest_path(layout.spec)), file(dir / ""),
          manifest(layout, patience) {}

    /// False: it threw.
    bool publish(const std::string &name) {
        try {
            manifest.published(file + name);
            return true;
        } catch (const Error &) {
            return false;
        }
    }

    Layout layout;
    std::string path, file;
    Manifest manifest;
};

/// Files that a manifest says are published, how often; each line must be whole.
std::map<std::string, int> published(const std::string &path) {
    std::map<std::string, int> all;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        const auto event = Json::parse(line, nullptr, false);
        EXPECT_TRUE(event.is_object()) << line;
        if (event.is_object() && event["event"] == "published") ++all[event["file"]];
    }
    return all;
}

/// One group after the other, in one thread.
TEST(Manifest, HasWhatEveryGroupAddedAfterOneOfThemRenewedIt) {
    const Scratch dir;
    Group a(dir), b(dir);
    EXPECT_TRUE(a.publish("a0"));
    EXPECT_TRUE(b.publish("b0"));
    fate.fail_syncs = 1;
    EXPECT_FALSE(a.publish("a1"));
    EXPECT_TRUE(b.publish("b1"));
    EXPECT_TRUE(a.publish("a2")); // in a copy
    EXPECT_TRUE(b.publish("b2"));
    fate.fail_syncs = 1;
    EXPECT_FALSE(b.publish("b3"));
    EXPECT_TRUE(b.publish("b4"));
    EXPECT_TRUE(a.publish("a3"));
    const std::map<std::string, int> all = {{"a0", 1}, {"a2", 1}, {"a3", 1}, {"b0", 1},
                                            {"b1", 1}, {"b2", 1}, {"b4", 1}};
    EXPECT_EQ(published(a.path), all);
}

TEST(Manifest, HasNothingOfALineThatCouldNotBeWritten) {
    for (const int truncates : {0, 1}) { // what was written of it can be taken back, or cannot
        const Scratch dir;
        Group a(dir), b(dir);
        EXPECT_TRUE(a.publish("a0"));
        EXPECT_TRUE(b.publish("b0"));
        fate = {.cut_writes = 1, .fail_writes = 1, .fail_truncates = truncates};
        EXPECT_FALSE(a.publish("a1"));
        EXPECT_TRUE(a.publish("a2"));
        EXPECT_TRUE(b.publish("b1"));
        const std::map<std::string, int> all = {{"a0", 1}, {"a2", 1}, {"b0", 1}, {"b1", 1}};
        EXPECT_EQ(published(a.path), all);
    }
}

TEST(Manifest, IsGoneOnWithOnALineOfItsOwnBehindWhoWasKilled) {
    const Scratch dir;
    Group a(dir);
    EXPECT_TRUE(a.publish("a0"));
    std::ofstream(a.path, std::ios::app) << R"({"event": "publ)";
    EXPECT_TRUE(a.publish("a1"));
    const auto text = bytes_of(a.path);
    EXPECT_NE(text.find("publ\n{\"event\":\"published\",\"file\":\"a1\"}\n"), text.npos) << text;
}

TEST(Manifest, IsMadeAnewInADirectoryThatCameBack) {
    const Scratch dir;
    Group a(dir);
    EXPECT_TRUE(a.publish("a0"));
    std::filesystem::remove(a.path);
    EXPECT_TRUE(a.publish("a1"));
    EXPECT_EQ(published(a.path), (std::map<std::string, int>{{"a1", 1}}));
    EXPECT_NE(bytes_of(a.path).find("\"open\""), std::string::npos);
}

TEST(Manifest, IsNotWaitedForForEverWhileAnotherGroupHasIt) {
    const Scratch dir;
    Group a(dir, 0.05);
    EXPECT_TRUE(a.publish("a0"));
    ManifestFile other(a.path, ManifestFile::Begin::as_it_is);
    other.take_turn(1);
    try {
        a.manifest.published(a.file + "a1");
        FAIL() << "it was written while another group had its turn";
    } catch (const Error &e) {
        EXPECT_NE(std::string(e.what()).find("another group of servers has been writing it"),
                  std::string::npos)
            << e.what();
    }
    other.end_turn();
    EXPECT_TRUE(a.publish("a2"));
    EXPECT_EQ(published(a.path), (std::map<std::string, int>{{"a0", 1}, {"a2", 1}}));
}

TEST(Manifest, IsInUseAsLongAsAGroupHasItOpen) {
    const Scratch dir;
    std::string path;
    {
        Group a(dir), b(dir);
        path = a.path;
        EXPECT_TRUE(a.publish("a0") && b.publish("b0"));
        fate.fail_syncs = 1;
        EXPECT_FALSE(a.publish("a1"));
        EXPECT_TRUE(a.publish("a2"));
        EXPECT_TRUE(ManifestFile::is_in_use(path)); // the copy too
        const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
        EXPECT_FALSE(ManifestFile::claim(fd));
        close(fd);
    }
    EXPECT_FALSE(ManifestFile::is_in_use(path));
}

/// Groups that are leaders of processes of their own in a run are threads here: their locks are those of open
/// files, so that threads keep each other out as processes do.
TEST(Manifest, OfFourGroupsAtOnceHasEveryLineOnceAndNoneOfThoseThatFailed) {
    constexpr int groups = 4, lines = 150;
    const Scratch dir;
    const auto path = Group(dir).path;
    std::array<std::set<std::string>, groups> well, failed;
    std::vector<std::thread> threads;
    std::vector<std::unique_ptr<Group>> hands; // names of tests are not for threads
    for (int g = 0; g < groups; ++g) hands.push_back(std::make_unique<Group>(dir));
    for (int g = 0; g < groups; ++g)
        threads.emplace_back([&, g] {
            std::mt19937 chance(static_cast<unsigned>(g));
            for (int n = 0; n <= lines; ++n) {
                const auto one_in = [&](unsigned many) { return static_cast<int>(chance() % many == 0); };
                fate = {};
                if (n < lines) // the last one goes well, behind which nothing is left of one that did not
                    fate = {2 * one_in(3), one_in(8), one_in(8), one_in(2)};
                const auto name = fmt::format("{}-{}", g, n);
                (hands[g]->publish(name) ? well : failed)[g].insert(name);
            }
            fate = {};
        });
    for (auto &t : threads) t.join();
    const auto all = published(path);
    for (int g = 0; g < groups; ++g) {
        EXPECT_GT(well[g].size(), 50u);
        EXPECT_GT(failed[g].size(), 10u);
        for (const auto &name : well[g]) EXPECT_TRUE(all.contains(name) && all.at(name) == 1) << name;
        for (const auto &name : failed[g]) EXPECT_FALSE(all.contains(name)) << name;
    }
}

} // namespace
} // namespace squall::io::test
