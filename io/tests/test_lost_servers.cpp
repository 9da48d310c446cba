/// A server is killed, or stands still: all ranks learn of it, and what the stream has declared follows.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <variant>

#include <gtest/gtest.h>

#include "faults/programs.hpp"
#include "placements/servers/losses.hpp"
#include "support.hpp"

namespace squall::io::test {

/// Keeps to whom what was sent.
struct Letters final : servers::MessageSender {
    void send(const servers::ServerMessage &message, int to) override {
        if (std::holds_alternative<servers::LossMessage>(message)) told.insert(to);
    }
    std::set<int> told; ///< of a loss
};

/// Computing ranks 0 to 2, of which this is rank `me`, and servers 3 and 4, which are lost.
std::set<int> told_by(int me, int who_told_it) {
    Letters letters;
    servers::Losses losses(letters, me, {0, 1, 2}, {{3, 4}, {5}});
    losses.done_by = [](int) { return servers::FrameNumbers(); };
    losses.lose(0, "is silent", who_told_it);
    return letters.told;
}

TEST(Losses, AreToldToTheServersByWhoeverFindsThem) {
    constexpr int nobody = -1, server = 3;
    for (const int teller : {nobody, server}) {
        EXPECT_EQ(told_by(0, teller), (std::set{1, 2, 3, 4}));
        EXPECT_EQ(told_by(1, teller), (std::set{0, 3, 4})); // rank 0 may have closed the session
    }
    EXPECT_EQ(told_by(0, 1), (std::set{1, 2, 3, 4}));
    EXPECT_EQ(told_by(1, 0), (std::set{0})); // not by all ranks: rank 0 has told them
}

struct Loss {
    std::string how = "kill", policy = "stop", memory = "shared";
    int ranks = 3, servers = 1, groups = 1, victim = 2, frames_per_file = 1;
    std::string pattern = "%H.nc", first = "00.nc", engine = "netcdf";
    bool replace = false;
    double timeout = 0; ///< [s]; 0: long where a server is killed, as nothing waits for it, else short
};

struct Result {
    int code = 0;
    std::string said;
    double seconds = 0;
};

Result lose(const Loss &l, const Scratch &dir) {
    const auto start = std::chrono::steady_clock::now();
    const double usual = l.how == "kill" || l.how == "late" ? 60 : 4;
    const double timeout = l.timeout > 0 ? l.timeout : usual;
    // So that mpirun does not end the job with the first rank that goes.
    const auto ended = faults::run(
        {MPIEXEC, "--enable-recovery", "--oversubscribe", "-n", std::to_string(l.ranks), LOSING_WRITER,
         dir / "", l.how, std::to_string(l.victim), std::to_string(l.servers), std::to_string(l.groups),
         l.memory, l.policy, std::to_string(timeout), std::to_string(l.frames_per_file), l.pattern, l.first,
         l.engine, l.replace ? "replace" : "keep"},
        {{"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}});
    return {ended.code, ended.said,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

/// Frames that are published in whole, each of which is checked.
std::vector<int> published(const Scratch &dir, int computing) {
    constexpr std::int64_t n = 60'000;
    std::vector<int> numbers;
    for (const auto &name : dir.files()) {
        if (!name.ends_with(".nc") && !name.ends_with(".zarr")) continue;
        SCOPED_TRACE(name);
        const Reader file(dir / name);
        for (std::int64_t f = 0; f < file.frames(); ++f) {
            float first = 0;
            file.read("A", f, {{0, 0}, {1, 1}}, &first);
            const int number = static_cast<int>(first) / 10;
            numbers.push_back(number);
            for (int r = 0; r < computing; ++r) {
                std::vector<float> a(n);
                std::vector<double> fixed(n);
                file.read("A", f, {{r, 0}, {1, n}}, a.data());
                file.read("FIXED", f, {{r, 0}, {1, n}}, fixed.data());
                EXPECT_EQ(a, std::vector<float>(n, static_cast<float>(10 * number + r)));
                EXPECT_EQ(fixed, std::vector<double>(n, r + 0.5));
            }
        }
    }
    std::ranges::sort(numbers);
    return numbers;
}

/// What the report counts.
struct Counts {
    int committed = -1, stored = -1, failed = -1;
};

Counts counted(const Result &r) {
    Counts c;
    const auto at = r.said.find("report: ");
    if (at != std::string::npos)
        std::sscanf(r.said.c_str() + at, "report: %d committed, %d stored, %d failed", &c.committed,
                    &c.stored, &c.failed);
    return c;
}

/// What was published before the loss is there, and at least what the report says is stored.
void expect_published_stays(const Result &r, const Scratch &dir) {
    const auto c = counted(r);
    const auto there = published(dir, 2);
    ASSERT_FALSE(there.empty()) << r.said;
    EXPECT_EQ(there.front(), 0) << r.said;
    EXPECT_EQ(c.stored + c.failed, c.committed) << r.said;
    EXPECT_LE(c.stored, std::ssize(there)) << r.said;
}

const std::vector<int> all_eight = {0, 1, 2, 3, 4, 5, 6, 7};

bool says(const Result &r, const std::string &text) { return r.said.find(text) != std::string::npos; }

TEST(LostServer, ThatIsKilledIsKnownAtOnceToAllRanksAndWhatIsPublishedStays) {
    for (const char *memory : {"shared", "messages"}) {
        const Scratch dir;
        const auto r = lose({.memory = memory, .timeout = 300}, dir);
        for (const char *rank : {"rank 0: ", "rank 1: "})
            EXPECT_TRUE(says(r, rank + std::string("stream history: I/O server rank 2 has ended"))) << r.said;
        EXPECT_LT(r.seconds, 100); // long before the deadline
        expect_published_stays(r, dir);
    }
}

TEST(LostServer, FramesThatWereOnTheirWayCountAsLostAndAreNamed) {
    for (const char *how : {"kill", "stop"})
        for (const char *memory : {"shared", "messages"}) {
            SCOPED_TRACE(std::string(how) + " " + memory);
            const Scratch dir;
            const auto r = lose({.how = how, .memory = memory}, dir);
            const auto c = counted(r);
            const auto there = static_cast<int>(published(dir, 2).size());
            EXPECT_EQ(c.stored + c.failed, c.committed) << r.said;
            EXPECT_GE(c.failed, 1) << r.said;
            EXPECT_LE(c.stored, there) << r.said;
            EXPECT_TRUE(says(r, "those in flight count as lost: 2000-01-01_0")) << r.said;
        }
}

TEST(LostServer, DoesNotKeepTheOthersFromStoringWhatTheyHave) {
    for (const int victim : {2, 3}) {
        SCOPED_TRACE(victim);
        const Scratch dir;
        const auto r = lose({.ranks = 4, .servers = 2, .groups = 2, .victim = victim}, dir);
        const auto c = counted(r);
        EXPECT_EQ(c.stored + c.failed, c.committed) << r.said;
        // Groups take frames in turn: of one's whatever was committed is there.
        const auto there = published(dir, 2);
        for (int number = 3 - victim; number < c.committed - 1; number += 2)
            EXPECT_TRUE(std::ranges::find(there, number) != there.end()) << number << "\n" << r.said;
        EXPECT_TRUE(says(r, fmt::format("rank {}: all is well", 5 - victim))) << r.said;
    }
}

TEST(LostServer, ThatStandsStillIsLostAtTheDeadline) {
    const Scratch dir;
    const auto r = lose({.how = "stop"}, dir);
    for (const char *rank : {"rank 0: ", "rank 1: "})
        EXPECT_TRUE(says(r, rank + std::string("stream history: I/O server rank 2 has not responded")))
            << r.said;
    expect_published_stays(r, dir);
}

TEST(LostServer, WithoutAnotherGroupTheComputingRanksWriteOn) {
    for (const char *how : {"kill", "stop"})
        for (const char *memory : {"shared", "messages"}) {
            SCOPED_TRACE(std::string(how) + " " + memory);
            const Scratch dir;
            const auto r = lose({.how = how, .policy = "take-over", .memory = memory}, dir);
            for (const char *rank : {"rank 0: all is well", "rank 1: all is well"})
                EXPECT_TRUE(says(r, rank)) << r.said;
            EXPECT_EQ(published(dir, 2), all_eight) << r.said;
        }
}

TEST(LostServer, AnotherGroupTakesOver) {
    for (const char *how : {"kill", "stop"})
        for (const int victim : {2, 3}) {
            SCOPED_TRACE(fmt::format("{} {}", how, victim));
            const Scratch dir;
            const auto r = lose(
                {.how = how, .policy = "take-over", .ranks = 4, .servers = 2, .groups = 2, .victim = victim},
                dir);
            for (const char *rank : {"rank 0: all is well", "rank 1: all is well"})
                EXPECT_TRUE(says(r, rank)) << r.said;
            EXPECT_EQ(published(dir, 2), all_eight) << r.said;
        }
}

TEST(LostServer, TakesItsGroupWithItAndTheOthersOfTheGroupLetGo) {
    const Scratch dir;
    const auto r = lose({.policy = "take-over", .ranks = 4, .servers = 2, .groups = 1, .victim = 3}, dir);
    for (const char *rank : {"rank 0: all is well", "rank 1: all is well", "rank 2: all is well"})
        EXPECT_TRUE(says(r, rank)) << r.said;
    EXPECT_EQ(published(dir, 2), all_eight) << r.said;
}

TEST(LostServer, LeavesAFileThatItDidNotPublishAsItIsAndItIsNamed) {
    const Scratch dir;
    const auto r = lose({.how = "late", .policy = "take-over", .frames_per_file = 100}, dir);
    EXPECT_TRUE(says(r, "rank 0: all is well")) << r.said;
    EXPECT_EQ(published(dir, 2), (std::vector<int>{3, 4, 5, 6, 7})) << r.said; // by the computing ranks
    EXPECT_TRUE(says(r, "stream history: frames 0 to 2 were stored by servers that are lost")) << r.said;
    EXPECT_TRUE(std::filesystem::exists(dir / "00.nc.part"));
}

TEST(LostServer, LeavesWhatItStoredToRecoverWhereOthersGoOnInAFileOfTheSameName) {
    const struct {
        std::string pattern, first, engine;
        int frames_per_file;
        std::vector<int> before; ///< that anything is recovered
    } cases[] = {{"stations.nc", "stations.nc", "netcdf", 0, {3, 4, 5, 6, 7}},
                 {"%Y-%m-%d.nc", "2000-01-01.nc", "netcdf", 12, {3, 4, 5, 6, 7}},
                 {"all.zarr", "all.zarr", "zarr", 0, all_eight},
                 {"%Y-%m-%d.nc", "2000-01-01.nc", "netcdf-parallel", 12, {3, 4, 5, 6, 7}}};
    const auto built = engines();
    for (const auto &c : cases)
        for (const bool replace : {false, true}) {
            if (std::ranges::find(built, c.engine) == built.end()) continue;
            SCOPED_TRACE(fmt::format("{} {} replace {}", c.engine, c.pattern, replace));
            const Scratch dir;
            const auto r = lose({.how = "late",
                                 .policy = "take-over",
                                 .frames_per_file = c.frames_per_file,
                                 .pattern = c.pattern,
                                 .first = c.first,
                                 .engine = c.engine,
                                 .replace = replace},
                                dir);
            EXPECT_TRUE(says(r, "rank 0: all is well")) << r.said;
            EXPECT_EQ(published(dir, 2), c.before) << r.said;
            const auto recovered = faults::run({SQUALL_IO, "recover", dir / ""}, {});
            EXPECT_EQ(recovered.code, 0) << recovered.said;
            EXPECT_EQ(published(dir, 2), all_eight) << recovered.said;
        }
}

/// A store of an earlier run, of one frame, whose points are 90 and 91.
void write_earlier(const std::string &path) {
    constexpr std::int64_t n = 60'000;
    StreamSpec spec;
    spec.name = "history", spec.path = path, spec.engine = "zarr", spec.placement = "inline";
    spec.frames_per_file = 0;
    spec.dimensions = {{"rank", 2}, {"n", n}};
    spec.fields = {{"A", Type::f32, {"rank", "n"}, {}}, {"FIXED", Type::f64, {"rank", "n"}, {}, false}};
    Session session(MPI_COMM_SELF);
    auto stream = session.open(spec);
    std::vector<float> a(2 * n, 90);
    std::vector<double> fixed(2 * n, 0.5);
    std::fill_n(a.begin() + n, n, 91.F);
    std::fill_n(fixed.begin() + n, n, 1.5);
    stream.put("FIXED", {{0, 0}, {2, n}}, fixed.data());
    auto frame = stream.begin({0});
    frame.put("A", {{0, 0}, {2, n}}, a.data());
    frame.commit();
    stream.close();
    session.close();
}

TEST(LostServer, LeavesWhatItStoredWhereTheStoreReplacesOneOfAnEarlierRun) {
    const auto built = engines();
    if (std::ranges::find(built, "zarr") == built.end()) GTEST_SKIP() << "no engine zarr";
    const Scratch dir;
    write_earlier(dir / "all.zarr");
    ASSERT_EQ(published(dir, 2), (std::vector<int>{9}));
    const auto r = lose({.how = "late",
                         .policy = "take-over",
                         .frames_per_file = 0,
                         .pattern = "all.zarr",
                         .first = "all.zarr",
                         .engine = "zarr",
                         .replace = true},
                        dir);
    EXPECT_TRUE(says(r, "rank 0: all is well")) << r.said;
    EXPECT_EQ(published(dir, 2), all_eight) << r.said;
    const auto recovered = faults::run({SQUALL_IO, "recover", dir / ""}, {});
    EXPECT_EQ(recovered.code, 0) << recovered.said;
    EXPECT_EQ(published(dir, 2), all_eight) << recovered.said;
}

TEST(LostServer, LeavesAFileThatIsNamedWhereTheRunStopsToo) {
    const Scratch dir;
    const auto r = lose({.how = "late", .policy = "stop", .frames_per_file = 100}, dir);
    EXPECT_TRUE(says(r, "stream history: frames 0 to 2 were stored by servers that are lost")) << r.said;
    EXPECT_TRUE(std::filesystem::exists(dir / "00.nc.part"));
}

TEST(LostServer, ThatStoodStillForHalfOfTheDeadlineSaysSoItselfAndWritesNoMore) {
    for (const char *policy : {"stop", "take-over"}) {
        SCOPED_TRACE(policy);
        const Scratch dir;
        const auto r = lose({.how = "pause", .policy = policy}, dir);
        EXPECT_TRUE(says(r, "I/O server rank 2 was suspended for")) << r.said;
        const auto frames = published(dir, 2);
        if (policy == std::string("stop")) continue;
        EXPECT_TRUE(says(r, "rank 0: all is well") && says(r, "rank 1: all is well")) << r.said;
        EXPECT_EQ(frames, all_eight) << r.said;
    }
}

TEST(LostServer, ThatWakesWhenOthersHaveTakenOverChangesNothing) {
    for (const char *memory : {"shared", "messages"}) {
        SCOPED_TRACE(memory);
        const Scratch dir;
        const auto r = lose({.how = "wake", .policy = "take-over", .memory = memory}, dir);
        EXPECT_TRUE(says(r, "rank 0: all is well") && says(r, "rank 1: all is well")) << r.said;
        EXPECT_EQ(published(dir, 2), all_eight) << r.said;
    }
}

} // namespace squall::io::test
