#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "support.hpp"

namespace squall::io::test {

TEST(RoundTrip, ValuesSurviveAnyDecomposition) {
    const Scratch dir;
    for (int parts = 1; parts <= ranks() + 1; ++parts) { // fewer parts than ranks: empty boxes
        Session session(MPI_COMM_WORLD);
        const int n = std::min(parts, ranks());
        auto stream = session.open(weather(dir / fmt::format("{}_%H.nc", parts)));
        put_fixed(stream, my_patch(n));
        write_frame(stream, my_patch(n), 0);
        write_frame(stream, my_patch(n), 1);
        for (int f = 0; f < 2; ++f) {
            const Reader file(dir / fmt::format("{}_0{}.nc", parts, f));
            EXPECT_EQ(file.frames(), 1);
            expect_frame(file, 0, f);
        }
    }
}

/// All bytes of a file, or of the files of a directory with their names.
std::string all_bytes(const std::string &path) {
    if (!std::filesystem::is_directory(path)) return bytes_of(path);
    std::map<std::string, std::string> files;
    for (const auto &e : std::filesystem::recursive_directory_iterator(path))
        if (e.is_regular_file()) files[e.path().lexically_relative(path)] = bytes_of(e.path());
    std::string all;
    for (const auto &[name, bytes] : files) all += name + bytes;
    return all;
}

TEST(RoundTrip, BytesDoNotDependOnTheDecomposition) {
    for (const std::string engine : {"netcdf", "pnetcdf", "zarr"}) {
        const auto built = engines();
        if (std::ranges::find(built, engine) == built.end()) continue;
        const Scratch dir;
        std::string first;
        for (int parts = 1; parts <= ranks(); ++parts) {
            Session session(MPI_COMM_WORLD);
            auto spec = weather(dir / fmt::format("{}.nc", parts));
            spec.engine = engine;
            spec.frames_per_file = 3;
            auto stream = session.open(spec);
            put_fixed(stream, my_patch(parts));
            for (int f = 0; f < 3; ++f) write_frame(stream, my_patch(parts), f);
            stream.close();
            const auto bytes = all_bytes(dir / fmt::format("{}.nc", parts));
            ASSERT_GT(bytes.size(), 0u);
            if (parts == 1) first = bytes;
            EXPECT_EQ(bytes == first, true) << engine << " in " << parts << " parts";
        }
    }
}

TEST(RoundTrip, SeveralBoxesOfOneRankInBothDirections) {
    const Scratch dir;
    StreamSpec spec;
    spec.name = "blocks";
    spec.path = dir / "x.nc";
    spec.dimensions = {{"y", 8}, {"x", 6}};
    spec.fields = {{"A", Type::f64, {"y", "x"}, {}}};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    auto frame = stream.begin({});
    for (int b = 0; b < 8;
         ++b) { // 2 x 3 blocks dealt to the ranks in turn, the model's memory in single precision
        if (b % ranks() != rank()) continue;
        const std::int64_t y = b / 2 * 2, x = b % 2 * 3;
        std::vector<float> a;
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 3; ++i) a.push_back(static_cast<float>((y + j) * 6 + x + i));
        frame.put("A", {{y, x}, {2, 3}}, a.data());
    }
    frame.commit();
    std::vector<double> a(48);
    Reader(dir / "x.nc").read("A", 0, {{0, 0}, {8, 6}}, a.data());
    for (int n = 0; n < 48; ++n) EXPECT_EQ(a[n], n);
}

TEST(Publication, FilesAppearWhenFullOrClosed) {
    const Scratch dir;
    auto spec = weather(dir / "a/b/%H.nc");
    spec.frames_per_file = 2;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    put_fixed(stream, my_patch(ranks()));
    const auto published = [&](const char *name) { return std::filesystem::exists(dir / name); };
    write_frame(stream, my_patch(ranks()), 0);
    EXPECT_FALSE(published("a/b/00.nc"));
    expect_frame(Reader(dir / "a/b/00.nc.part"), 0, 0); // not published, yet readable
    write_frame(stream, my_patch(ranks()), 1);
    EXPECT_EQ(Reader(dir / "a/b/00.nc").frames(), 2);
    write_frame(stream, my_patch(ranks()), 2);
    EXPECT_FALSE(published("a/b/02.nc"));
    MPI_Barrier(MPI_COMM_WORLD); // all ranks have looked
    stream.close();
    EXPECT_EQ(Reader(dir / "a/b/02.nc").frames(), 1);
    expect_frame(Reader(dir / "a/b/02.nc"), 0, 2);
}

TEST(Publication, AnAbandonedFrameLeavesNothing) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(weather(dir / "%H.nc"));
    put_fixed(stream, my_patch(ranks()));
    {
        auto frame = stream.begin({});
        put_frame(frame, my_patch(ranks()), 0);
        EXPECT_NE(error_of([&] { stream.begin({}); }).find("while a frame is open"), std::string::npos);
    }
    EXPECT_TRUE(dir.files().empty());
    write_frame(stream, my_patch(ranks()), 1);
    EXPECT_EQ(dir.files(), std::vector<std::string>{"01.nc"});
}

} // namespace squall::io::test
