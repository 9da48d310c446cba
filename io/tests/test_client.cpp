/// What a program may say of frames and streams: one put for all, what a frame leaves out, when it is, who
/// takes part, and streams that come and go.

#include <numeric>

#include <gtest/gtest.h>

#include "declared.hpp"
#include "squall/io_staging.hpp"

namespace squall::io::test {

TEST(SessionPut, CopiesOnceForAllStreamsThatKeepTheSame) {
    const Scratch dir;
    constexpr std::int64_t n = 1000;
    Session session(MPI_COMM_WORLD, {.staging_limit = 1 << 20});
    std::vector<Stream> streams;
    for (int s = 0; s < 4; ++s) {
        auto spec = stream_of(fmt::format("s{}", s), dir / fmt::format("{}.nc", s));
        spec.placement = "thread";
        spec.dimensions = {{"y", ranks()}, {"x", n}};
        spec.fields = {{"T", Type::f32, {"y", "x"}, {}}, {"only", Type::f64, {}, {}}};
        if (s == 1) spec.fields[0].precision = {.kind = Precision::Kind::packed, .low = -1, .high = 2000};
        if (s == 2) spec.subset = {{"x", 0, 500}};
        if (s == 3) spec.fields.erase(spec.fields.begin());
        streams.push_back(session.open(spec));
    }
    std::vector<float> t(n);
    std::iota(t.begin(), t.end(), 0.0f);
    std::vector<Frame> frames;
    for (auto &stream : streams) frames.push_back(stream.begin({}));
    EXPECT_EQ(session.put("T", {{rank(), 0}, {1, n}}, t.data()), 3);
    const double one = 1;
    EXPECT_EQ(session.put("only", {}, rank() == 0 ? &one : nullptr), 4); // a mistake where it is null
    EXPECT_EQ(session.put("nobody", {}, &one), 0);
    frames.clear(); // abandoned: those of other ranks than the first are faulty
    for (auto &stream : streams) frames.push_back(stream.begin({}));
    session.put("T", {{rank(), 0}, {1, n}}, t.data());
    if (rank() == 0) session.put("only", {}, &one);
    for (auto &frame : frames) frame.commit();
    for (auto &stream : streams) stream.close();
    const auto report = session.close();
    if (rank() ==
        0) { // what s0 copied s1 has as well, and room for a copy of its own, since packing changes it
        EXPECT_LE(report.at(0).staging_peak, n * 4 + 256u);
        EXPECT_LE(report.at(1).staging_peak, n * 4 + 256u);
    }
    const auto raw = all_of(dir / "0.nc", "T"); // whatever the other stream made of it
    for (std::size_t i = 0; i < raw.size(); ++i) ASSERT_EQ(raw[i], static_cast<double>(i % n));
    EXPECT_EQ(all_of(dir / "2.nc", "T")[499], 499);
}

TEST(OptionalField, IsMissingAndMarkedWhenAFrameLeavesItOut) {
    for (const auto &engine : storing_engines()) {
        const Scratch dir;
        auto spec = stream_of("events", dir / "x", engine);
        spec.frames_per_file = 0;
        spec.dimensions = {{"n", 7}};
        spec.fields = {{"rain", Type::f32, {"n"}, {{"standard_name", "rainfall_amount"}}},
                       {"count", Type::i64, {}, {}}};
        for (auto &f : spec.fields) f.optional = true;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        const std::vector<float> rain(7, 2);
        const std::int64_t count = 5;
        const Part part(7);
        for (int f = 0; f < 2; ++f) {
            auto frame = stream.begin({60.0 * f});
            if (f == 0) {
                frame.put("rain", part.box(), rain.data());
                frame.leave_out("count");
            } else {
                frame.leave_out("rain");
                if (rank() == 0) frame.put("count", {}, &count);
            }
            EXPECT_EQ(error_of([&] { frame.commit(); }), "") << engine;
        }
        stream.close();
        EXPECT_EQ(all_of(dir / "x", "rain", 0), std::vector<double>(7, 2)) << engine;
        EXPECT_EQ(all_of(dir / "x", "rain", 1), std::vector<double>(7, 9.9692099683868690e+36)) << engine;
        EXPECT_EQ(all_of(dir / "x", "rain_status", 0)[0], 1);
        EXPECT_EQ(all_of(dir / "x", "rain_status", 1)[0], 0);
        EXPECT_EQ(all_of(dir / "x", "count_status", 0)[0], 0);
        EXPECT_EQ(all_of(dir / "x", "count", 1)[0], 5);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(OptionalField, ThatNobodyMentionsFailsTheFrame) {
    const Scratch dir;
    auto spec = stream_of("events", dir / "x.nc");
    spec.fields = {{"a", Type::f32, {}, {}}, {"b", Type::f32, {}, {}}};
    spec.fields[0].optional = true;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    auto frame = stream.begin({});
    frame.set("b", 1.0);
    EXPECT_NE(error_of([&] { frame.commit(); }).find("field a: no rank put it"), std::string::npos);
    auto other = stream.begin({});
    other.leave_out("b");
    EXPECT_NE(error_of([&] { other.commit(); }).find("declare it optional"), std::string::npos);
}

TEST(VaryingDimension, HoldsListsOfAnotherLengthInEachFrame) {
    for (const auto &engine : storing_engines()) {
        const Scratch dir;
        auto spec = stream_of("drifters", dir / "x", engine);
        spec.frames_per_file = 0;
        spec.dimensions = {{"drifter", 40, true}, {"xy", 2}};
        spec.fields = {{"id", Type::i64, {"drifter"}, {}}, {"at", Type::f64, {"xy", "drifter"}, {}}};
        spec.fields[0].fill = -1;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        const int lengths[] = {7, 0, 40};
        for (int f = 0; f < 3; ++f) {
            const Part part(lengths[f]);
            std::vector<std::int64_t> id;
            for (std::int64_t i = 0; i < part.count; ++i) id.push_back(100 * f + part.begin + i);
            const std::vector<double> at(static_cast<std::size_t>(2 * part.count), f);
            auto frame = stream.begin({60.0 * f});
            frame.length("drifter", lengths[f]);
            frame.put("id", part.box(), id.data());
            frame.put("at", {{0, part.begin}, {2, part.count}}, at.data());
            EXPECT_EQ(error_of([&] { frame.commit(); }), "") << engine;
        }
        stream.close();
        for (int f = 0; f < 3; ++f) {
            EXPECT_EQ(all_of(dir / "x", "drifter_count", f)[0], lengths[f]) << engine;
            const auto id = all_of(dir / "x", "id", f), at = all_of(dir / "x", "at", f);
            for (int i = 0; i < 40; ++i) {
                EXPECT_EQ(id[static_cast<std::size_t>(i)], i < lengths[f] ? 100 * f + i : -1);
                EXPECT_EQ(at[static_cast<std::size_t>(40 + i)], i < lengths[f] ? f : 9.9692099683868690e+36);
            }
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(VaryingDimension, OfWhichAFrameDoesNotTellTheLengthFailsIt) {
    const Scratch dir;
    auto spec = stream_of("drifters", dir / "x.nc");
    spec.dimensions = {{"drifter", 4, true}};
    spec.fields = {{"id", Type::i64, {"drifter"}, {}}};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    auto silent = stream.begin({});
    EXPECT_NE(error_of([&] { silent.commit(); }).find("the length of dimension drifter was not set"),
              std::string::npos);
    auto longer = stream.begin({});
    longer.length("drifter", 5);
    EXPECT_NE(error_of([&] { longer.commit(); }).find("it can have at most 4"), std::string::npos);
}

TEST(FrameAttribute, IsWhatTheFirstRankSays) {
    const Scratch dir;
    auto spec = stream_of("s", dir / "x.nc");
    spec.frames_per_file = 0;
    spec.fields = {{"cfl", Type::f64, {}, {}}, {"step", Type::i32, {}, {}}, {"big", Type::i64, {}, {}}};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    for (int f = 0; f < 2; ++f) {
        auto frame = stream.begin({60.0 * f});
        frame.set("cfl", 0.5 + f + rank());
        frame.set("step", std::int64_t(100 + f + rank()));
        frame.set("big", (std::int64_t(1) << 60) + 1 + rank());
        frame.commit();
    }
    stream.close();
    EXPECT_EQ(all_of(dir / "x.nc", "cfl", 1)[0], 1.5);
    EXPECT_EQ(all_of(dir / "x.nc", "step", 1)[0], 101);
    std::int64_t big = 0;
    Reader(dir / "x.nc").read("big", 0, {}, &big);
    EXPECT_EQ(big, (std::int64_t(1) << 60) + 1);
}

TEST(TimeAxis, IsWrittenByTheRuntimeAndReadBackInItsCalendar) {
    for (const auto &engine : storing_engines()) {
        const Scratch dir;
        auto spec = stream_of("climate", dir / "%Y-%m-%d", engine);
        spec.frames_per_file = 0;
        spec.calendar = "360_day";
        spec.record_dimension = "time";
        spec.time = TimeAxis{.units = "days since 1850-01-01", .bounds = true};
        spec.fields = {{"a", Type::f32, {}, {}}};
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        for (int f = 0; f < 3; ++f) {
            const double end = 30 * 86400.0 * (f + 1);
            auto frame = stream.begin({end, "1850-02-01"}, {end - 30 * 86400.0, end});
            frame.set("a", 1.0);
            EXPECT_EQ(error_of([&] { frame.commit(); }), "") << engine;
        }
        EXPECT_NE(error_of([&] { stream.begin({}); }), ""); // without bounds
        stream.close();
        const Reader file(dir / "1850-03-01");
        const auto times = file.times();
        ASSERT_EQ(times.size(), 3u) << engine;
        EXPECT_EQ(times[2].seconds, 120 * 86400.0);
        EXPECT_EQ(times[2].calendar, "360_day");
        EXPECT_EQ(format_time(times[2], "%Y-%m-%d"), "1850-05-01");
        EXPECT_EQ(file.steps(), (std::vector<double>{0, 30 * 86400.0, 60 * 86400.0}));
        EXPECT_EQ(all_of(dir / "1850-03-01", "time_bnds", 1), (std::vector<double>{60, 90})) << engine;
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(StreamRanks, PartOfTheRanksOpensAndWritesWhatItOwns) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(session.comm(), rank() % 2, rank(), &half);
    int me = 0, n = 1;
    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &n);
    const auto name = rank() % 2 == 0 ? "even" : "odd";
    for (const std::string placement : {"inline", "thread"}) {
        auto spec = stream_of(placement + name, dir / (placement + name) + ".nc");
        spec.placement = placement;
        spec.dimensions = {{"n", n}};
        spec.fields = {{"a", Type::i32, {"n"}, {}}};
        auto stream = session.open(spec, half);
        const std::int32_t value = rank();
        auto frame = stream.begin({});
        frame.put("a", {{me}, {1}}, &value);
        frame.commit();
        stream.close();
        const auto back = all_of(dir / (placement + name) + ".nc", "a");
        for (int r = 0; r < n; ++r) EXPECT_EQ(back[static_cast<std::size_t>(r)], 2 * r + rank() % 2);
    }
    MPI_Comm_free(&half);
    const auto report = session.close();
    if (rank() == 0) {
        ASSERT_EQ(report.size(), ranks() > 1 ? 4u : 2u);
        EXPECT_EQ(report[0].name, "inlineeven");
        EXPECT_EQ(report.back().name, ranks() > 1 ? "threadodd" : "threadeven");
        for (const auto &r : report) EXPECT_EQ(r.frames, 1);
    }
}

TEST(Closing, FreesTheNameAndThePath) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto spec = stream_of("s", dir / "%H.nc");
    spec.fields = {{"a", Type::f64, {}, {}}};
    for (int n = 0; n < 3; ++n) {
        auto stream = session.open(spec);
        EXPECT_NE(error_of([&] { session.open(spec); }), "");
        auto frame = stream.begin({3600.0 * n});
        frame.set("a", 1.0 * n);
        frame.commit();
        stream.close();
        EXPECT_NE(error_of([&] { stream.begin({}); }).find("after close"), std::string::npos);
        EXPECT_EQ(all_of(dir / fmt::format("{:02}.nc", n), "a")[0], n);
    }
    const auto report = session.close();
    EXPECT_EQ(report.size(), rank() == 0 ? 3u : 0u);
}

std::size_t resident() {
    std::ifstream statm("/proc/self/statm");
    std::size_t size = 0, pages = 0;
    statm >> size >> pages;
    return pages * 4096;
}

/// A stream per file, as some models have it: with a field that is fixed in time, which the stream holds.
void write_a_stream(Session &session, const std::string &path, int number, const std::string &placement) {
    constexpr std::int64_t n = 20'000;
    auto spec = stream_of(fmt::format("s{}", number), path, "null");
    spec.placement = placement;
    spec.dimensions = {{"rank", ranks()}, {"n", n}};
    spec.fields = {{"fixed", Type::f64, {"rank", "n"}, {}, false}, {"a", Type::f64, {"rank", "n"}, {}}};
    auto stream = session.open(spec);
    const std::vector<double> values(n, number);
    stream.put("fixed", {{rank(), 0}, {1, n}}, values.data());
    auto frame = stream.begin({});
    frame.put("a", {{rank(), 0}, {1, n}}, values.data());
    frame.commit();
    stream.close();
}

TEST(StagingUse, IsToldWhileASessionGoesOn) {
    const Scratch dir;
    constexpr std::int64_t n = 10'000;
    Session session(MPI_COMM_WORLD, {.staging_limit = 1 << 20});
    EXPECT_EQ(staging_use(session.comm()).used, 0u);
    EXPECT_EQ(staging_use(session.comm()).limit, 1u << 20);
    EXPECT_EQ(staging_use(MPI_COMM_SELF).limit, 0u); // of no session
    auto spec = stream_of("s", dir / "s.null");
    spec.engine = "null";
    spec.dimensions = {{"y", ranks()}, {"x", n}};
    spec.fields = {{"a", Type::f64, {"y", "x"}, {}}};
    auto stream = session.open(spec);
    const std::vector<double> values(n, 1.0);
    auto frame = stream.begin({});
    frame.put("a", {{rank(), 0}, {1, n}}, values.data());
    EXPECT_GE(staging_use(session.comm()).used, n * sizeof(double));
    frame.commit();
    EXPECT_EQ(staging_use(session.comm()).used, 0u);
    EXPECT_GE(staging_use(session.comm()).peak, n * sizeof(double));
    stream.close();
    session.close();
}

TEST(Closing, AThousandStreamsOneAfterAnotherLeaveMemoryFlat) {
    if (ranks() > 2) GTEST_SKIP() << "two ranks tell as much as more";
    for (const std::string placement : {"inline", "thread"}) {
        const Scratch dir;
        Session session(MPI_COMM_WORLD, {.staging_limit = 1 << 20});
        std::size_t before = 0;
        const int streams = ranks() == 1 ? 1000 : 60; // on several ranks most of it is waiting for each other
        for (int n = 0; n < streams; ++n) {
            if (n == streams / 4) before = resident();
            write_a_stream(session, dir / fmt::format("{}.null", n), n, placement);
        }
        if (!sanitized) { // 750 fields are 120 MB, 45 are 7 MB
            EXPECT_LT(resident(), before + (3 << 20)) << placement;
        }
        const auto report = session.close();
        EXPECT_EQ(report.size(), rank() == 0 ? static_cast<std::size_t>(streams) : 0u);
    }
}

} // namespace squall::io::test
