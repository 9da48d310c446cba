/// What happens when storage is slow, full or gone: the declared policy, and nothing else.

#include <chrono>
#include <csignal>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "support.hpp"

namespace squall::io::test {

constexpr std::int64_t n_points = 40'000; // 160 kB per frame and rank

/// Frames of one field, a row of n_points per computing rank, on storage of a simulated speed.
struct Slow {
    Session session;
    int me = 0, n = 1;
    StreamSpec spec;

    explicit Slow(const std::string &path, SessionSpec s = {}) : session(MPI_COMM_WORLD, std::move(s)) {
        if (!session.computes()) return;
        MPI_Comm_rank(session.comm(), &me);
        MPI_Comm_size(session.comm(), &n);
        spec.name = "slow";
        spec.path = path;
        spec.engine = "null";
        spec.placement = "thread";
        spec.options = {{"latency", "0.1"}};
        spec.staging_limit = 2 * n_points * 4;
        spec.dimensions = {{"rank", n}, {"n", n_points}};
        spec.fields = {{"A", Type::f32, {"rank", "n"}, {}}};
    }
    void spills_into(const std::string &directory) {
        spec.when_full = "spill";
        spec.spill_dir = directory;
        spec.engine = "netcdf";
        spec.options = {};
    }
    void write(Stream &stream, int number) const {
        const std::vector<float> a(n_points, static_cast<float>(number));
        auto frame = stream.begin({60.0 * number});
        frame.put("A", {{me, 0}, {1, n_points}}, a.data());
        frame.commit();
    }
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(WhenFull, WaitKeepsEveryFrameAndMemoryWithinItsLimit) {
    const Scratch dir;
    Slow slow(dir / "%H-%M.null");
    auto stream = slow.session.open(slow.spec);
    const auto start = std::chrono::steady_clock::now();
    for (int f = 0; f < 6; ++f) slow.write(stream, f);
    EXPECT_GT(seconds_since(start), 0.3); // the first two find room at once, the others wait for one to leave
    stream.close();
    const auto report = slow.session.close();
    if (slow.me != 0) return;
    EXPECT_EQ(report.at(0).frames, 6);
    EXPECT_EQ(report[0].skipped, 0);
    EXPECT_GE(report[0].waits, 1); // the more the faster this machine is
    EXPECT_LE(report[0].staging_peak, slow.spec.staging_limit);
    EXPECT_GT(report[0].waited, 0.2);
}

TEST(WhenFull, SkipLosesWholeFramesAndCountsThem) {
    const Scratch dir;
    Slow slow(dir / "%H-%M.null");
    slow.spec.when_full = "skip";
    auto stream = slow.session.open(slow.spec);
    for (int f = 0; f < 6; ++f) slow.write(stream, f);
    stream.close();
    const auto report = slow.session.close();
    if (slow.me != 0) return;
    EXPECT_EQ(report.at(0).waits, 0);
    EXPECT_GE(report.at(0).frames, 2);
    EXPECT_GE(report[0].skipped, 1);
    EXPECT_EQ(report[0].frames + report[0].skipped, 6);
    std::int64_t files = 0;
    for (const auto &name : dir.files()) files += name.ends_with(".null");
    EXPECT_EQ(files, report[0].frames);
}

TEST(WhenFull, SpillKeepsEveryFrameWithoutWaiting) {
    const Scratch dir;
    Slow slow(dir / "out/%H-%M.nc");
    slow.spills_into(dir / "");
    slow.spec.staging_limit = n_points * 4 / 2; // not even one frame: all go through the spill directory
    auto stream = slow.session.open(slow.spec);
    for (int f = 0; f < 4; ++f) slow.write(stream, f);
    stream.close();
    const auto report = slow.session.close();
    if (slow.me != 0) return;
    EXPECT_EQ(report.at(0).frames, 4);
    EXPECT_EQ(report[0].spilled, static_cast<std::uint64_t>(4 * slow.n) * n_points * 4);
    std::vector<float> a(n_points);
    Reader(dir / "out/00-03.nc").read("A", 0, {{slow.n - 1, 0}, {1, n_points}}, a.data());
    EXPECT_EQ(a, std::vector<float>(n_points, 3.0f));
}

TEST(WhenFull, SpillTakesCopiesOfFieldsThatAreFixedInTimeToItsDirectoryToo) {
    const Scratch dir;
    Slow slow(dir / "out/%H-%M.nc");
    slow.spills_into(dir / "");
    slow.spec.staging_limit = n_points * 4; // which the fixed field takes, and a copy of it has no room
    slow.spec.fields.push_back(
        {"FIXED", Type::f32, {"rank", "n"}, {}, false, {Precision::Kind::absolute, 0.1}});
    std::vector<float> fixed(n_points);
    for (std::size_t i = 0; i < fixed.size(); ++i) fixed[i] = 0.001f * static_cast<float>(i);
    auto stream = slow.session.open(slow.spec);
    stream.put("FIXED", {{slow.me, 0}, {1, n_points}}, fixed.data());
    for (int f = 0; f < 3; ++f) slow.write(stream, f); // three files, each with a copy of it
    stream.close();
    const auto report = slow.session.close();
    if (slow.me != 0) return;
    EXPECT_EQ(report.at(0).frames, 3);
    EXPECT_LE(report[0].staging_peak, slow.spec.staging_limit);
    std::vector<float> first(n_points), last(n_points);
    Reader(dir / "out/00-00.nc").read("FIXED", 0, {{0, 0}, {1, n_points}}, first.data());
    Reader(dir / "out/00-02.nc").read("FIXED", 0, {{0, 0}, {1, n_points}}, last.data());
    EXPECT_EQ(first, last) << "each is made of the values that were put";
    EXPECT_NE(first, fixed);
    for (std::size_t i = 0; i < fixed.size(); ++i) ASSERT_NEAR(first[i], fixed[i], 0.1);
}

TEST(WhenFull, AFrameThatCanNeverFitIsRefusedWithAdvice) {
    const Scratch dir;
    Slow slow(dir / "%H-%M.null");
    slow.spec.staging_limit = n_points;
    auto stream = slow.session.open(slow.spec);
    // It fails after its commit: which of the two calls is told depends on the moment.
    auto text = error_of([&] { slow.write(stream, 0); });
    text += error_of([&] { stream.close(); });
    EXPECT_NE(text.find("needs more than staging_limit"), std::string::npos) << text;
}

TEST(Watchdog, SaysWhoWaitsForWhat) {
    const Scratch dir;
    Slow slow(dir / "%H-%M.null", {.watchdog = 0.15});
    slow.spec.options = {{"latency", "0.4"}};
    auto stream = slow.session.open(slow.spec);
    testing::internal::CaptureStderr();
    for (int f = 0; f < 4; ++f) slow.write(stream, f);
    stream.close();
    const auto said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find(fmt::format("rank {} has waited ", rank())), std::string::npos) << said;
    EXPECT_NE(said.find(" s for room in the staging memory of stream slow"), std::string::npos) << said;
}

TEST(Watchdog, TimeoutIsAnErrorAndNotAHang) {
    const Scratch dir;
    Slow slow(dir / "%H-%M.null", {.watchdog = 0, .timeout = 0.2});
    slow.spec.options = {{"latency", "1.5"}};
    if (ranks() > 1) return; // with more ranks the run is aborted, which a test cannot survive
    auto stream = slow.session.open(slow.spec);
    auto text = error_of([&] {
        for (int f = 0; f < 5; ++f) slow.write(stream, f);
    });
    text += error_of([&] { stream.close(); });
    EXPECT_NE(text.find("gave up after waiting"), std::string::npos) << text;
}

/// Files may not grow beyond so many bytes on the ranks of this process, as on a full disk.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &old_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, old_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

  private:
    rlimit old_{};
    void (*handler_)(int) = nullptr;
};

/// A stream of netCDF frames by thread, or by one server where there are two ranks or more.
struct Failing {
    Slow slow;
    Failing(const std::string &path, const std::string &placement, const std::string &on_error)
        : slow(path, {.servers = placement == "servers" ? 1 : 0}) {
        slow.spec.engine = "netcdf";
        slow.spec.options = {};
        slow.spec.staging_limit = 64 * n_points;
        slow.spec.placement = placement;
        slow.spec.on_error = on_error;
    }
};

std::vector<std::string> background_placements() {
    if (ranks() == 1) return {"thread"};
    return {"thread", "servers"};
}

TEST(OnError, AbortTellsEveryRankWhatAndWhereAndKeepsEarlierFrames) {
    for (const auto &placement : background_placements()) {
        const Scratch dir;
        Failing failing(dir / "%H-%M.nc", placement, "abort");
        if (!failing.slow.session.computes()) {
            MPI_Barrier(MPI_COMM_WORLD);
            const FileSizeLimit full(100'000); // on the server too
            failing.slow.session.serve();
            continue;
        }
        auto stream = failing.slow.session.open(failing.slow.spec);
        {
            failing.slow.spec.options = {};
            MPI_Barrier(MPI_COMM_WORLD);
            const FileSizeLimit full(100'000);
            auto text = error_of([&] { failing.slow.write(stream, 0); });
            text += error_of([&] { stream.close(); });
            EXPECT_NE(text.find("stream slow, frame 2000-01-01_00:00:00: "), std::string::npos) << text;
            EXPECT_NE(text.find("00-00.nc.part"), std::string::npos) << text;
        }
        failing.slow.session.close();
    }
}

TEST(OnError, ContinueGoesOnAndCounts) {
    for (const auto &placement : background_placements()) {
        const Scratch dir;
        Failing failing(dir / "%H-%M.nc", placement, "continue");
        const FileSizeLimit full(100'000);
        if (!failing.slow.session.computes()) {
            failing.slow.session.serve();
            continue;
        }
        testing::internal::CaptureStderr();
        auto stream = failing.slow.session.open(failing.slow.spec);
        for (int f = 0; f < 3; ++f) failing.slow.write(stream, f);
        stream.close();
        const auto said = testing::internal::GetCapturedStderr();
        const auto report = failing.slow.session.close();
        if (failing.slow.me != 0) continue;
        EXPECT_EQ(report.at(0).failed, 3);
        EXPECT_EQ(report[0].frames, 0);
        EXPECT_NE(said.find("the run continues"), std::string::npos) << said;
    }
}

TEST(OnError, ADirectoryThatVanishesFailsFramesUntilItIsBack) {
    const Scratch dir;
    Failing failing(dir / "out/%H-%M.nc", "inline", "continue");
    const auto &slow = failing.slow;
    auto stream = failing.slow.session.open(slow.spec);
    const auto on_first = [&](auto f) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank() == 0) f();
        MPI_Barrier(MPI_COMM_WORLD);
    };
    slow.write(stream, 0);
    on_first([&] {
        std::filesystem::rename(dir / "out", dir / "elsewhere");
        std::ofstream(dir / "out") << "in the way";
    });
    testing::internal::CaptureStderr();
    slow.write(stream, 1);
    const auto said = testing::internal::GetCapturedStderr();
    if (rank() == 0) {
        EXPECT_NE(said.find("creating directory"), std::string::npos) << said;
    }
    on_first([&] { std::filesystem::remove(dir / "out"); });
    slow.write(stream, 2);
    stream.close();
    const auto report = failing.slow.session.close();
    if (rank() != 0) return;
    EXPECT_EQ(report.at(0).failed, 1);
    EXPECT_TRUE(std::filesystem::exists(dir / "elsewhere/00-00.nc"));
    EXPECT_TRUE(std::filesystem::exists(dir / "out/00-02.nc"));
}

TEST(Streams, FramesOfDifferentStreamsInterleaveInAnyOrder) {
    for (const auto &placement : background_placements()) {
        const Scratch dir;
        Session session(MPI_COMM_WORLD, {.servers = placement == "servers" ? 1 : 0});
        if (!session.computes()) {
            session.serve();
            continue;
        }
        int me = 0, n = 1;
        MPI_Comm_rank(session.comm(), &me);
        MPI_Comm_size(session.comm(), &n);
        const auto patch = patch_of(me, n);
        auto spec = weather(dir / "a_%H.nc");
        spec.placement = placement;
        auto a = session.open(spec);
        spec.name = "restart";
        spec.path = dir / "b_%H.nc";
        auto b = session.open(spec);
        put_fixed(a, patch);
        put_fixed(b, patch);
        for (int f = 0; f < 4; ++f) { // even ranks commit a first, odd ones b, while both are open
            auto frame_a = a.begin({3600.0 * f}), frame_b = b.begin({3600.0 * f});
            put_frame(frame_b, patch, f, me == 0);
            put_frame(frame_a, patch, f, me == 0);
            (me % 2 == 0 ? frame_a : frame_b).commit();
            (me % 2 == 0 ? frame_b : frame_a).commit();
        }
        a.close();
        b.close();
        session.close();
        if (me == 0)
            for (int f = 0; f < 4; ++f)
                for (const char *name : {"a", "b"})
                    expect_frame(Reader(dir / fmt::format("{}_0{}.nc", name, f)), 0, f);
        MPI_Barrier(session.comm());
    }
}

} // namespace squall::io::test
