/// Servers: what they make of frames that do not fit, of ranks that mean different frames, and of
/// very many streams.

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "support.hpp"

namespace squall::io::test {

bool contains(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

/// A session with one server, the last rank, that takes frames by messages or from shared memory.
struct OneServer {
    Session session;
    int me = 0, n = 1;

    explicit OneServer(SessionSpec spec) : session(MPI_COMM_WORLD, std::move(spec)) {
        if (!session.computes()) {
            session.serve();
            return;
        }
        MPI_Comm_rank(session.comm(), &me);
        MPI_Comm_size(session.comm(), &n);
    }
    bool computes() const { return session.computes(); }
    Patch patch() const { return patch_of(me, n); }

    StreamSpec weather_on_servers(const std::string &path) const {
        auto spec = weather(path);
        spec.placement = "servers";
        return spec;
    }
    /// What the ranks are told in the frame or in the calls after it, on any of them.
    template <class F> std::string told(F f) const {
        auto text = error_of(f);
        std::vector<int> sizes(n);
        int size = static_cast<int>(text.size());
        MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, session.comm());
        std::vector<int> at(n + 1);
        std::partial_sum(sizes.begin(), sizes.end(), at.begin() + 1);
        std::string all(at.back(), ' ');
        MPI_Allgatherv(text.data(), size, MPI_CHAR, all.data(), sizes.data(), at.data(), MPI_CHAR,
                       session.comm());
        return all;
    }
};

std::vector<bool> by_messages_and_shared_memory() {
    if (ranks() < 2) return {};
    return {false, true};
}

TEST(Servers, FixedFieldsThatNeedMoreThanThereIsAreAFaultAndLeaveLaterFramesAlone) {
    for (const bool shared : by_messages_and_shared_memory()) {
        const Scratch dir;
        OneServer io({.servers = 1, .shared_memory = shared, .timeout = unmet});
        if (!io.computes()) continue;
        constexpr std::int64_t n = 40'000;
        StreamSpec spec;
        spec.name = "tight";
        spec.path = dir / "%H.nc";
        spec.placement = "servers";
        spec.on_error = "continue";
        // On the server a frame fits, and with it the fixed field does not; on each rank both do.
        spec.staging_limit = static_cast<std::size_t>(io.n == 1 ? 12 * n : 7 * n * io.n);
        spec.dimensions = {{"rank", io.n}, {"n", n}};
        spec.fields = {{"A", Type::f32, {"rank", "n"}, {}}, {"FIXED", Type::f64, {"rank", "n"}, {}, false}};
        testing::internal::CaptureStderr();
        auto stream = io.session.open(spec);
        const Box mine{{io.me, 0}, {1, n}};
        const std::vector<double> fixed(n, io.me + 0.5);
        stream.put("FIXED", mine, fixed.data());
        for (int f = 0; f < 4; ++f) {
            auto frame = stream.begin({3600.0 * f});
            const std::vector<float> a(n, static_cast<float>(10 * f + io.me));
            frame.put("A", mine, a.data());
            frame.commit();
        }
        stream.close();
        io.session.close();
        testing::internal::GetCapturedStderr();
        // Whatever was stored is right.
        if (io.me == 0)
            for (const auto &name : dir.files()) {
                ASSERT_TRUE(name.ends_with(".nc")) << name;
                const Reader file(dir / name);
                for (int r = 0; r < io.n; ++r) {
                    std::vector<float> a(n);
                    std::vector<double> b(n);
                    file.read("A", 0, {{r, 0}, {1, n}}, a.data());
                    file.read("FIXED", 0, {{r, 0}, {1, n}}, b.data());
                    EXPECT_EQ(a, std::vector<float>(n, static_cast<float>(10 * std::stoi(name) + r)));
                    EXPECT_EQ(b, std::vector<double>(n, r + 0.5));
                }
            }
        MPI_Barrier(io.session.comm());
    }
}

TEST(Servers, WhatAServerCopiesFromRanksOfItsNodeStandsInsideItsLimit) {
    if (ranks() < 2) return;
    for (const std::size_t less : {0, 64}) {
        const Scratch dir;
        OneServer io({.servers = 1, .shared_memory = true, .timeout = unmet});
        if (!io.computes()) continue;
        constexpr std::int64_t n = 48'000;
        StreamSpec spec;
        spec.name = "tight";
        spec.path = dir / "%H.nc";
        spec.placement = "servers";
        spec.on_error = "continue";
        // Fields of few bytes are stored together: the server copies both at once. A rank has its part of
        // them.
        spec.staging_limit = static_cast<std::size_t>(2 * 4 * n * io.n) - less;
        spec.dimensions = {{"rank", io.n}, {"n", n}};
        spec.fields = {{"A", Type::f32, {"rank", "n"}, {}}, {"B", Type::f32, {"rank", "n"}, {}}};
        testing::internal::CaptureStderr();
        auto stream = io.session.open(spec);
        const Box mine{{io.me, 0}, {1, n}};
        for (int f = 0; f < 6; ++f) {
            auto frame = stream.begin({3600.0 * f});
            const std::vector<float> a(n, static_cast<float>(10 * f + io.me));
            for (const auto *name : {"A", "B"}) frame.put(name, mine, a.data());
            frame.commit();
        }
        stream.close();
        const auto report = io.session.close();
        const auto said = testing::internal::GetCapturedStderr();
        if (io.me == 0) {
            if (less == 0) {
                EXPECT_EQ(report.at(0).failed, 0) << said;
                EXPECT_EQ(dir.files().size(), 6u);
            } else {
                EXPECT_EQ(report.at(0).failed, 6);
                if (io.n > 1) {
                    EXPECT_NE(said.find("more than staging_limit"), said.npos) << said;
                }
            }
        }
        MPI_Barrier(io.session.comm());
    }
}

TEST(Servers, ARankThatAbandonedAFrameThatOthersCommittedIsNamed) {
    if (ranks() < 3) return;
    for (const bool shared : {false, true}) {
        const Scratch dir;
        OneServer io({.servers = 1, .shared_memory = shared, .timeout = unmet});
        if (!io.computes()) continue;
        auto spec = io.weather_on_servers(dir / "%H.nc");
        spec.on_error = "continue";
        testing::internal::CaptureStderr();
        auto stream = io.session.open(spec);
        put_fixed(stream, io.patch());
        for (int f = 0; f < 4; ++f) {
            auto frame = stream.begin({3600.0 * f});
            put_frame(frame, io.patch(), f, io.me == 0);
            if (f == 1 && io.me == 1)
                frame.abandon();
            else
                frame.commit();
        }
        const auto text = io.told([&] { stream.close(); });
        auto said = testing::internal::GetCapturedStderr();
        const auto report = io.session.close();
        if (io.me == 0) {
            EXPECT_TRUE(contains(said, "computing rank 1")) << said;
            EXPECT_TRUE(contains(said, "2000-01-01_01:00:00") && contains(said, "2000-01-01_02:00:00"))
                << said;
            EXPECT_EQ(report.at(0).frames, 1);
            EXPECT_EQ(report[0].failed, 3);
            EXPECT_EQ(dir.files(), std::vector<std::string>{"00.nc"});
            expect_frame(Reader(dir / "00.nc"), 0, 0);
        }
        MPI_Barrier(io.session.comm());
    }
}

TEST(Servers, ARankThatDeclaresOtherFieldsIsNamedAndTheOtherStreamsGoOn) {
    if (ranks() < 3) return;
    for (const bool shared : {false, true}) {
        const Scratch dir;
        OneServer io({.servers = 1, .shared_memory = shared, .timeout = unmet});
        if (!io.computes()) continue;
        auto spec = io.weather_on_servers(dir / "%H.nc");
        auto good = io.session.open(spec);
        spec.name = "other";
        spec.path = dir / "other_%H.nc";
        spec.on_error = "continue";
        if (io.me == 1) spec.fields[2].type = Type::f64; // its messages are longer than the others expect
        testing::internal::CaptureStderr();
        auto bad = io.session.open(spec);
        put_fixed(good, io.patch());
        put_fixed(bad, io.patch());
        for (int f = 0; f < 3; ++f) {
            write_frame(bad, io.patch(), f, io.me == 0);
            write_frame(good, io.patch(), f, io.me == 0);
        }
        bad.close();
        good.close();
        const auto said = testing::internal::GetCapturedStderr();
        const auto report = io.session.close();
        if (io.me == 0) {
            EXPECT_TRUE(contains(said, "computing rank 1") && contains(said, "declare")) << said;
            EXPECT_EQ(report.at(0).frames, 3);
            EXPECT_EQ(report.at(1).failed, 3);
            EXPECT_EQ(dir.files(), (std::vector<std::string>{"00.nc", "01.nc", "02.nc"}));
            for (int f = 0; f < 3; ++f) expect_frame(Reader(dir / fmt::format("0{}.nc", f)), 0, f);
        }
        MPI_Barrier(io.session.comm());
    }
}

TEST(Servers, ARankThatIsSilentBeyondTheDeadlineIsNamedAndWhatItSendsLaterIsDropped) {
    if (ranks() < 3) return;
    for (const bool shared : {false, true}) {
        const Scratch dir;
        OneServer io({.servers = 1, .shared_memory = shared, .timeout = 2});
        if (!io.computes()) continue;
        auto spec = io.weather_on_servers(dir / "%H.nc");
        spec.on_error = "continue";
        testing::internal::CaptureStderr();
        auto stream = io.session.open(spec);
        put_fixed(stream, io.patch());
        for (int f = 0; f < 3; ++f) {
            if (f == 1 && io.me == 1) std::this_thread::sleep_for(std::chrono::seconds(4));
            write_frame(stream, io.patch(), f, io.me == 0);
            MPI_Barrier(io.session.comm());
        }
        stream.close();
        const auto said = testing::internal::GetCapturedStderr();
        const auto report = io.session.close();
        if (io.me == 0) {
            EXPECT_TRUE(contains(said, "frame 2000-01-01_01:00:00") &&
                        contains(said, "computing rank 1 has sent nothing about it for"))
                << said;
            EXPECT_EQ(report.at(0).failed, 1);
            EXPECT_EQ(report[0].frames, 2);
            for (const int f : {0, 2}) expect_frame(Reader(dir / fmt::format("0{}.nc", f)), 0, f);
        }
        MPI_Barrier(io.session.comm());
    }
}

TEST(Servers, ThatAreSlowButAliveAreWaitedForBeyondTheDeadline) {
    if (ranks() < 2) return;
    const Scratch dir;
    OneServer io({.servers = 1, .timeout = 3});
    if (!io.computes()) return;
    auto spec = io.weather_on_servers(dir / "%H.null");
    spec.engine = "null";
    spec.options = {{"latency", "1"}};
    auto stream = io.session.open(spec);
    put_fixed(stream, io.patch());
    for (int f = 0; f < 5; ++f) write_frame(stream, io.patch(), f, io.me == 0);
    EXPECT_EQ(io.told([&] { stream.close(); }), "");
    const auto report = io.session.close();
    if (io.me == 0) {
        EXPECT_EQ(report.at(0).frames, 5);
    }
    MPI_Barrier(io.session.comm());
}

/// Servers in one group, or in two where there are ranks for them.
std::vector<SessionSpec> groups_of_servers() {
    std::vector<SessionSpec> all;
    for (const bool shared : by_messages_and_shared_memory())
        for (int groups = 1; groups <= std::min(2, ranks() - 1); ++groups)
            all.push_back({.servers = groups, .groups = groups, .shared_memory = shared, .timeout = unmet});
    return all;
}

TEST(Servers, WriteTheFilesThatTheClientOpensAndCloses) {
    for (const auto &spec : groups_of_servers()) {
        SCOPED_TRACE(fmt::format("{} groups, shared memory {}", spec.groups, spec.shared_memory));
        const Scratch dir;
        OneServer io(spec);
        if (!io.computes()) continue;
        auto stream = io.session.open(io.weather_on_servers(dir / ""));
        put_fixed(stream, io.patch());
        constexpr int files = 7;
        for (int n = 0; n < files; ++n) {
            stream.open_file(fmt::format("{}.nc", n), {{"JULDAY", std::int32_t(n)}});
            for (int f = 0; f <= n % 3; ++f) write_frame(stream, io.patch(), n + f, io.me == 0);
            stream.close_file();
        }
        stream.flush();
        for (int n = 0; n < files; ++n) {
            const Reader file(dir / fmt::format("{}.nc", n));
            ASSERT_EQ(file.frames(), n % 3 + 1);
            EXPECT_EQ(file.number("JULDAY"), n);
            for (int f = 0; f <= n % 3; ++f) expect_frame(file, f, n + f);
        }
        stream.close();
        const auto report = io.session.close();
        if (io.me == 0) {
            EXPECT_EQ(report.at(0).frames, 13);
            EXPECT_EQ(report.at(0).failed, 0);
        }
    }
}

TEST(Servers, AppendToAFileThatTheClientOpensAgainAndReplaceOne) {
    for (const auto &spec : groups_of_servers())
        for (const std::string engine : {"netcdf", "zarr"}) {
            const auto built = engines();
            if (std::ranges::find(built, engine) == built.end()) continue;
            SCOPED_TRACE(
                fmt::format("{} {} groups, shared memory {}", engine, spec.groups, spec.shared_memory));
            const Scratch dir;
            OneServer io(spec);
            if (!io.computes()) continue;
            auto weather = io.weather_on_servers(dir / "");
            weather.engine = engine;
            auto stream = io.session.open(weather);
            put_fixed(stream, io.patch());
            for (int n = 0; n < 7; ++n) {
                const auto restart = n % 2 == 1;
                stream.open_file(restart ? "restart" : fmt::format("{}", n % 3), {},
                                 restart ? Existing::replace : Existing::append);
                write_frame(stream, io.patch(), n, io.me == 0);
                stream.close_file();
            }
            stream.close();
            for (const auto &[name, frames] : std::map<std::string, std::vector<int>>{
                     {"0", {0, 6}}, {"2", {2}}, {"1", {4}}, {"restart", {5}}}) {
                const Reader file(dir / name);
                ASSERT_EQ(file.frames(), std::ssize(frames)) << name;
                for (std::size_t f = 0; f < frames.size(); ++f)
                    expect_frame(file, static_cast<std::int64_t>(f), frames[f]);
            }
            io.session.close();
        }
}

TEST(Servers, OfTwoGroupsNeverWriteOneFile) {
    for (const auto &spec : groups_of_servers()) {
        SCOPED_TRACE(fmt::format("{} groups, shared memory {}", spec.groups, spec.shared_memory));
        const Scratch dir;
        OneServer io(spec);
        if (!io.computes()) continue;
        auto weather = io.weather_on_servers(dir / "%Y-%m-%d.nc");
        weather.frames_per_file = 2;
        weather.replace = true;
        weather.on_error = "continue";
        testing::internal::CaptureStderr();
        auto stream = io.session.open(weather);
        put_fixed(stream, io.patch());
        for (const int hour : {0, 1, 2, 3, 24, 25}) write_frame(stream, io.patch(), hour, io.me == 0);
        stream.close();
        const auto report = io.session.close();
        testing::internal::GetCapturedStderr();
        if (io.me != 0) continue;
        EXPECT_EQ(report.at(0).failed, 2);
        for (const auto &[name, first] : {std::pair{"2000-01-01.nc", 0}, std::pair{"2000-01-02.nc", 24}}) {
            const Reader file(dir / name);
            ASSERT_EQ(file.frames(), 2);
            for (int f = 0; f < 2; ++f) expect_frame(file, f, first + f);
        }
    }
}

/// What a process has in use.
struct InUse {
    double memory = 0; ///< bytes
    std::ptrdiff_t files = 0, mappings = 0;

    explicit InUse(pid_t pid) {
        std::ifstream statm(fmt::format("/proc/{}/statm", pid));
        double total = 0, resident = 0;
        statm >> total >> resident;
        memory = resident * static_cast<double>(sysconf(_SC_PAGESIZE));
        const std::filesystem::directory_iterator open(fmt::format("/proc/{}/fd", pid));
        files = std::distance(begin(open), end(open));
        std::ifstream maps(fmt::format("/proc/{}/maps", pid));
        mappings = std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
    }
};

std::vector<pid_t> pids() {
    const int mine = getpid();
    std::vector<pid_t> all(ranks());
    MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
    return all;
}

/// What each of 200 leaves shows: 0.05 mappings, or 5 kB. A page or two are seen.
TEST(Servers, HundredsOfStreamsOneAfterAnotherLeaveItsMemoryFlat) {
    for (const bool shared : by_messages_and_shared_memory()) {
        const Scratch dir;
        const auto server = pids().back();
        OneServer io({.servers = 1, .shared_memory = shared, .timeout = unmet});
        if (!io.computes()) continue;
        auto spec = io.weather_on_servers(dir / "%H.null");
        spec.engine = "null";
        std::optional<InUse> before;
        const int streams = 300;
        for (int s = 0; s < streams; ++s) {
            spec.name = fmt::format("s{}", s);
            spec.path = dir / fmt::format("s{}_%H.null", s);
            auto stream = io.session.open(spec);
            put_fixed(stream, io.patch());
            write_frame(stream, io.patch(), s % 20, io.me == 0);
            stream.close();
            if (s == 100) before.emplace(server);
        }
        const InUse after(server);
        if (!sanitized) {
            EXPECT_LT(after.memory - before->memory, 1e6);
        }
        EXPECT_LE(after.files, before->files + 4);
        EXPECT_LE(after.mappings, before->mappings + 10);
        const auto report = io.session.close();
        if (io.me == 0) {
            EXPECT_EQ(std::ssize(report), streams);
        }
        MPI_Barrier(io.session.comm());
    }
}

} // namespace squall::io::test
