/// The engine `zarr` in a session, on 1 to 4 ranks.

#include "declared.hpp"
#include "zarr_case.hpp"

namespace squall::io::test {
namespace {

TEST(ZarrInASession, frames_are_readable_while_the_stream_is_open) {
    for (const std::string placement : {"inline", "thread"}) {
        const Scratch dir;
        auto spec = weather(dir / "history.zarr");
        spec.engine = "zarr";
        spec.placement = placement;
        spec.frames_per_file = 10;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        const auto patch = my_patch(ranks());
        put_fixed(stream, patch);
        for (int n = 0; n < 3; ++n) {
            write_frame(stream, patch, n);
            if (placement != "inline") continue;
            const Reader now(dir / "history.zarr");
            ASSERT_EQ(now.frames(), n + 1);
            expect_frame(now, n, n);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        stream.close();
        const Reader file(dir / "history.zarr");
        ASSERT_EQ(file.frames(), 3);
        for (int n = 0; n < 3; ++n) expect_frame(file, n, n);
        session.close();
    }
}

/// Of this process, in use beside what it has of files [bytes].
std::int64_t memory_in_use() {
    std::ifstream status("/proc/self/status");
    std::int64_t kilobytes = 0;
    for (std::string word; status >> word;)
        if (word == "RssAnon:") status >> kilobytes;
    return kilobytes << 10;
}

TEST(ZarrInASession, frames_that_share_a_shard_are_not_kept_in_memory) {
    if (ranks() > 1) GTEST_SKIP() << "one rank has the shard";
    constexpr int frames = 24;
    constexpr std::int64_t points = 128 << 10, bytes = 4 * points;
    for (const bool burst : {false, true}) { // there nobody reads what is written
        const Scratch dir;
        auto spec = stream_of("s", dir / "x", "zarr");
        spec.codec = "none";
        if (burst) spec.burst_dir = dir / "burst";
        spec.frames_per_file = 0;
        spec.options = {{"frames_per_shard", std::to_string(frames)}};
        spec.dimensions = {{"x", points}};
        spec.fields = {{"t", Type::f32, {"x"}, {}}};
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        std::int64_t early = 0, late = 0;
        for (int n = 0; n < frames; ++n) {
            const std::vector<float> values(points, static_cast<float>(n));
            auto frame = stream.begin({60.0 * n});
            frame.put("t", {{0}, {points}}, values.data());
            frame.commit();
            (n < 4 ? early : late) = memory_in_use();
        }
        EXPECT_LT(late - early, 8 * bytes) << "of 20 frames more";
        stream.close();
        session.close();
        for (const int n : {0, 11, frames - 1})
            EXPECT_EQ(all_of(spec.path, "t", n), std::vector<double>(points, n)) << burst;
    }
}

TEST(ZarrInASession, numbers_fixed_in_time_come_back_from_stores_of_several_frames) {
    const Scratch dir;
    for (const int frames_per_file : {0, 1, 5}) {
        const auto path = dir / fmt::format("a{}", frames_per_file);
        StreamSpec spec;
        spec.name = "s", spec.path = path, spec.engine = "zarr";
        spec.frames_per_file = frames_per_file;
        spec.replace = true;
        spec.dimensions = {{"x", ranks()}};
        spec.fields = {{"P_TOP", Type::f32, {}, {}, false}, {"t", Type::f32, {"x"}, {}}};
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        const float top = 5000, t = 300;
        if (rank() == 0) stream.put("P_TOP", {}, &top);
        for (int n = 0; n < (frames_per_file == 1 ? 1 : 3); ++n) {
            auto frame = stream.begin({60.0 * n});
            frame.put("t", {{rank()}, {1}}, &t);
            frame.commit();
        }
        stream.close();
        session.close();
        double read = 0;
        Reader(path).read("P_TOP", 0, {}, &read);
        EXPECT_EQ(read, 5000) << frames_per_file;
    }
}

TEST(ZarrInASession, a_burst_directory_gives_the_same_store) {
    const Scratch dir;
    const auto write = [&](const std::string &name, const std::string &burst) {
        auto spec = weather(dir / name);
        spec.engine = "zarr";
        spec.placement = "thread";
        spec.frames_per_file = 2;
        spec.burst_dir = burst;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        const auto patch = my_patch(ranks());
        put_fixed(stream, patch);
        for (int n = 0; n < 2; ++n) write_frame(stream, patch, n);
        stream.close();
        session.close();
    };
    write("direct.zarr", "");
    write("burst.zarr", dir / "burst");
    if (rank() != 0) return;
    EXPECT_GT(all_files(dir / "direct.zarr").size(), 8u);
    EXPECT_TRUE(all_files(dir / "direct.zarr") == all_files(dir / "burst.zarr"));
}

} // namespace
} // namespace squall::io::test
