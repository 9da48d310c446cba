/// One manifest to which several groups of servers add at the same time, while the disk takes only part of
/// what it is given and fsync fails.

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/syscall.h>

#include <nlohmann/json.hpp>

#include "publish/manifest.hpp"
#include "support.hpp"

namespace {

/// A call that does not go on before it is let.
struct Standstill {
    std::promise<void> begun, over;
};

/// What happens to this thread's next calls.
struct Fate {
    int cut_writes = 0, fail_writes = 0, fail_syncs = 0, fail_truncates = 0; ///< how many
    Standstill *in_write = nullptr, *in_sync = nullptr;
    std::map<int, Standstill> *in_call = nullptr; ///< by number, of writes and fsyncs
    int calls = 0;
};
thread_local Fate fate;

bool take(int &left) { return left > 0 && left-- > 0; }

void stand_still(Standstill *&here) {
    if (auto *const s = std::exchange(here, nullptr)) {
        s->begun.set_value();
        s->over.get_future().wait();
    }
}

void stand_still_in_call() {
    if (!fate.in_call) return;
    const auto found = fate.in_call->find(fate.calls++);
    if (found == fate.in_call->end()) return;
    auto *here = &found->second;
    stand_still(here);
}

} // namespace

// These stand before the system's.
extern "C" {
ssize_t write(int fd, const void *data, size_t bytes) {
    stand_still(fate.in_write);
    stand_still_in_call();
    if (take(fate.cut_writes) && bytes > 1)
        bytes /= 2;
    else if (take(fate.fail_writes)) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, fd, data, bytes);
}
int fsync(int fd) {
    stand_still(fate.in_sync);
    stand_still_in_call();
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
using Use = ManifestFile::Use;

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

/// Before its line is there to be seen, and after that.
TEST(Manifest, GoesOnWithoutAGroupThatStandsStillWhoseLineIsThereWhenItGoesOn) {
    for (const auto where : {&Fate::in_write, &Fate::in_sync}) {
        const Scratch dir;
        Group a(dir, 0.05), b(dir), c(dir, 0.05);
        EXPECT_TRUE(a.publish("a0") && b.publish("b0") && c.publish("c0"));
        Standstill standstill;
        bool well = false;
        std::thread stopped([&] {
            fate.*where = &standstill;
            well = b.publish("b1");
        });
        standstill.begun.get_future().wait();
        EXPECT_TRUE(a.publish("a1") && c.publish("c1"));
        const auto meanwhile = bytes_of(a.path);
        standstill.over.set_value();
        stopped.join();
        EXPECT_TRUE(bytes_of(a.path).starts_with(meanwhile)); // lines have their order
        EXPECT_TRUE(well && a.publish("a2") && b.publish("b2"));
        EXPECT_EQ(
            published(a.path),
            (std::map<std::string, int>{
                {"a0", 1}, {"a1", 1}, {"a2", 1}, {"b0", 1}, {"b1", 1}, {"b2", 1}, {"c0", 1}, {"c1", 1}}));
    }
}

/// Publishes in a thread that stands still in some of its writes and fsyncs, by number.
class Slow {
  public:
    Slow(Group &group, const std::string &name, const std::set<int> &calls) {
        for (const int n : calls) standstills_[n];
        next_ = standstills_.begin();
        thread_ = std::thread([this, &group, name] {
            fate.in_call = &standstills_;
            well_ = group.publish(name);
            calls_ = fate.calls;
            for (auto s = standstills_.lower_bound(calls_); s != standstills_.end(); ++s)
                s->second.begun.set_value();
            end_.set_value();
        });
        await();
    }
    ~Slow() {
        while (next_ != standstills_.end()) go_on();
        thread_.join();
    }
    Slow(const Slow &) = delete;
    Slow &operator=(const Slow &) = delete;

    /// To the next standstill, or the end.
    void go_on() {
        (next_++)->second.over.set_value();
        await();
    }
    /// After the last one: whether its line went well, and how many calls it made.
    bool well() {
        ended_.wait();
        return well_;
    }
    int calls() {
        ended_.wait();
        return calls_;
    }

  private:
    void await() {
        if (next_ != standstills_.end()) next_->second.begun.get_future().wait();
    }

    std::map<int, Standstill> standstills_;
    std::map<int, Standstill>::iterator next_;
    bool well_ = false;
    int calls_ = 0;
    std::promise<void> end_;
    std::shared_future<void> ended_ = end_.get_future();
    std::thread thread_;
};

/// At any two moments, between which others go on: the one that stood still before, and one that replaces the
/// manifest once more.
TEST(Manifest, HasEveryLineOnceWhenAGroupStandsStillThatReplacesItForAnother) {
    int calls = 1;
    for (int n = 0; n < calls; ++n)
        for (int m = n + 1; m <= calls; ++m) {
            SCOPED_TRACE(fmt::format("{} {}", n, m));
            const Scratch dir;
            Group a(dir, 0.01), b(dir, 0.01), c(dir, 0.01);
            ASSERT_TRUE(a.publish("a0") && b.publish("b0") && c.publish("c0"));
            std::map<std::string, int> all = {{"a0", 1}, {"b0", 1}, {"c0", 1}};
            Slow b1(b, "b1", {0});
            Slow a1(a, "a1", {n, m});
            b1.go_on();
            if (b1.well()) all["b1"] = 1;
            a1.go_on();
            if (c.publish("c1")) all["c1"] = 1;
            a1.go_on();
            if (a1.well()) all["a1"] = 1;
            calls = std::max(calls, a1.calls());
            ASSERT_TRUE(b.publish("b2") && c.publish("c2") && a.publish("a2"));
            for (const auto *name : {"a2", "b2", "c2"}) all[name] = 1;
            EXPECT_EQ(published(a.path), all);
        }
}

TEST(Manifest, IsNotWaitedForForEverWhereTheGroupThatReplacesItStandsStill) {
    const Scratch dir;
    Group a(dir, 0.05);
    EXPECT_TRUE(a.publish("a0"));
    ManifestFile other(a.path, ManifestFile::Begin::as_it_is);
    for (const auto doing : {ManifestFile::Doing::adding, ManifestFile::Doing::replacing})
        EXPECT_EQ(other.take_turn(doing, 1, a.path), ManifestFile::Turn::mine);
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

TEST(Manifest, IsReplacedByAGroupWhereAnotherOneCouldNot) {
    const Scratch dir;
    Group a(dir, 0.2), b(dir, 0.2);
    EXPECT_TRUE(a.publish("a0") && b.publish("b0"));
    fate.fail_syncs = 2; // of the line, and of the copy without it
    EXPECT_FALSE(a.publish("a1"));
    EXPECT_FALSE(a.publish("a2"));
    fate.fail_syncs = 1;
    EXPECT_FALSE(b.publish("b1"));
    EXPECT_TRUE(b.publish("b2"));
    EXPECT_TRUE(a.publish("a3"));
    EXPECT_EQ(published(a.path), (std::map<std::string, int>{{"a0", 1}, {"a3", 1}, {"b0", 1}, {"b2", 1}}));
}

TEST(Manifest, LosesALineThatFailedAndNotWhatAnotherGroupLeftThatBeginsAsItDoes) {
    const Scratch dir;
    Group a(dir), b(dir), c(dir);
    EXPECT_TRUE(a.publish("a0") && b.publish("b0"));
    fate.fail_syncs = 1; // the line is there, and must not be
    EXPECT_FALSE(a.publish("a1"));
    fate = {.cut_writes = 1, .fail_writes = 1, .fail_truncates = 1}; // half of one is there
    EXPECT_FALSE(b.publish("b1"));
    fate = {};
    EXPECT_TRUE(c.publish("c0") && a.publish("a2") && b.publish("b2"));
    EXPECT_EQ(published(a.path),
              (std::map<std::string, int>{{"a0", 1}, {"a2", 1}, {"b0", 1}, {"b2", 1}, {"c0", 1}}));
}

TEST(Manifest, KeepsALineThatReadsAsOneOfWhichHalfIsThere) {
    const Scratch dir;
    Group a(dir), b(dir);
    EXPECT_TRUE(a.publish("a0"));
    fate = {.cut_writes = 1, .fail_writes = 1, .fail_truncates = 1};
    EXPECT_FALSE(a.publish("a0"));
    fate = {};
    EXPECT_TRUE(b.publish("b0") && a.publish("a1"));
    EXPECT_EQ(published(a.path), (std::map<std::string, int>{{"a0", 1}, {"a1", 1}, {"b0", 1}}));
}

/// In a directory of many users anybody may have put one there.
TEST(Manifest, IsNotWrittenThroughALink) {
    const Scratch dir;
    Group a(dir);
    std::ofstream(dir / "precious") << "precious\n";
    std::filesystem::create_symlink(dir / "precious", a.path);
    const auto said = error_of([&] { a.manifest.published(a.file + "a0"); });
    EXPECT_NE(said.find("is a link"), said.npos) << said;
    std::filesystem::remove(a.path);
    EXPECT_TRUE(a.publish("a1"));
    std::filesystem::create_symlink(dir / "precious", a.path + ".new");
    fate.fail_syncs = 1;
    EXPECT_FALSE(a.publish("a2"));
    EXPECT_TRUE(a.publish("a3")); // in a copy
    EXPECT_EQ(bytes_of(dir / "precious"), "precious\n");
    EXPECT_FALSE(std::filesystem::is_symlink(a.path));
    EXPECT_EQ(published(a.path), (std::map<std::string, int>{{"a1", 1}, {"a3", 1}}));
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
        EXPECT_EQ(ManifestFile::use_of(path), Use::yes); // the copy too
        const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
        EXPECT_EQ(ManifestFile::claim(fd), Use::yes);
        close(fd);
    }
    EXPECT_EQ(ManifestFile::use_of(path), Use::no);
}

TEST(Manifest, IsNotOpenedWhileARecoveryIsAtWorkOnIt) {
    const Scratch dir;
    const std::string path = dir / "m.manifest.jsonl";
    const int recovery = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    ASSERT_EQ(ManifestFile::claim(recovery), Use::no);
    try {
        const ManifestFile run(path, ManifestFile::Begin::as_it_is, 0);
        FAIL() << "a run has it open beside a recovery";
    } catch (const Error &e) {
        EXPECT_NE(std::string(e.what()).find("a recovery is running on it"), std::string::npos) << e.what();
    }
    std::thread end([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        close(recovery);
    });
    const ManifestFile run(path, ManifestFile::Begin::as_it_is); // waits for it
    end.join();
    EXPECT_EQ(ManifestFile::use_of(path), Use::yes);
}

/// What each of several groups at once found to go well, and what not. Groups that are leaders of processes
/// of their own in a run are threads here: their locks are those of open files, so that threads keep each
/// other out as processes do.
struct AtOnce {
    static constexpr int groups = 4, lines = 150;
    std::array<std::set<std::string>, groups> well, failed;

    /// `fate_of` draws what happens to a line.
    template <class FateOf> AtOnce(const Scratch &dir, double patience, FateOf fate_of) {
        std::vector<std::thread> threads;
        std::vector<std::unique_ptr<Group>> hands; // names of tests are not for threads
        for (int g = 0; g < groups; ++g) hands.push_back(std::make_unique<Group>(dir, patience));
        for (int g = 0; g < groups; ++g)
            threads.emplace_back([&, g] {
                std::mt19937 chance(static_cast<unsigned>(g));
                for (int n = 0; n < lines; ++n) {
                    fate = fate_of(chance);
                    const auto name = fmt::format("{}-{}", g, n);
                    (hands[g]->publish(name) ? well : failed)[g].insert(name);
                }
                fate = {};
                // Behind one that goes well nothing is left of one that did not.
                while (!hands[g]->publish(fmt::format("{}-last", g))) {
                }
            });
        for (auto &t : threads) t.join();
    }

    void expect_what_went_well(const std::string &path) const {
        const auto all = published(path);
        for (int g = 0; g < groups; ++g) {
            EXPECT_GT(well[g].size(), 50u);
            for (const auto &name : well[g]) EXPECT_TRUE(all.contains(name) && all.at(name) == 1) << name;
            for (const auto &name : failed[g]) EXPECT_FALSE(all.contains(name)) << name;
        }
    }
};

int one_in(unsigned many, std::mt19937 &chance) { return static_cast<int>(chance() % many == 0); }

TEST(Manifest, OfFourGroupsAtOnceHasEveryLineOnceAndNoneOfThoseThatFailed) {
    const Scratch dir;
    const AtOnce done(dir, 30, [](std::mt19937 &chance) {
        return Fate{2 * one_in(3, chance), one_in(8, chance), one_in(8, chance), one_in(2, chance)};
    });
    for (const auto &some : done.failed) EXPECT_GT(some.size(), 10u);
    done.expect_what_went_well(Group(dir).path);
}

TEST(Manifest, OfGroupsThatTakeEachOtherForStandingStillHasEveryLineOnce) {
    const Scratch dir;
    const AtOnce done(dir, 0.002,
                      [](std::mt19937 &chance) { return Fate{.cut_writes = 2 * one_in(3, chance)}; });
    done.expect_what_went_well(Group(dir).path);
}

} // namespace
} // namespace squall::io::test
