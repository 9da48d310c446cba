/// Streams that go on in a file of an earlier run.

#include <gtest/gtest.h>

#include "declared.hpp"
#include "squall/io_append.hpp"

namespace squall::io::test {

TEST(Append, GoesOnBehindTheFramesOfAnEarlierRun) {
    for (const std::string engine : {"netcdf", "netcdf4", "zarr"}) {
        const auto built = storing_engines();
        if (engine == "zarr" && std::ranges::find(built, engine) == built.end()) continue;
        const Scratch dir;
        for (int run = 0; run < 3; ++run) {
            Session session(MPI_COMM_WORLD);
            auto spec = weather(dir / "x");
            spec.engine = engine == "zarr" ? "zarr" : "netcdf";
            if (engine == "netcdf4") spec.options = {{"format", "netcdf4"}};
            spec.frames_per_file = 0;
            spec.append = true;
            auto stream = session.open(spec);
            put_fixed(stream, my_patch(ranks()));
            for (int f = 0; f < 2; ++f) write_frame(stream, my_patch(ranks()), 2 * run + f);
            EXPECT_EQ(error_of([&] { stream.close(); }), "") << engine;
        }
        const Reader file(dir / "x");
        ASSERT_EQ(file.frames(), 6) << engine;
        for (int f = 0; f < 6; ++f) expect_frame(file, f, f);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/// A run goes on from before the end of the one before it, in a file that had more frames than it makes.
TEST(Append, WithReplaceMakesFramesAnewThatAreNotBeforeItsFirst) {
    for (const std::string engine : {"netcdf", "netcdf4", "zarr", "zarr in shards of 4 frames"}) {
        const auto built = storing_engines();
        const bool zarr = engine.starts_with("zarr");
        if (zarr && std::ranges::find(built, "zarr") == built.end()) continue;
        const Scratch dir;
        for (const auto &[first, end] : {std::pair{0, 7}, {3, 6}, {6, 7}, {5, 6}}) {
            Session session(MPI_COMM_WORLD);
            auto spec = weather(dir / "x");
            spec.engine = zarr ? "zarr" : "netcdf";
            if (engine == "netcdf4") spec.options = {{"format", "netcdf4"}};
            if (engine.find("shards") != engine.npos) spec.options = {{"frames_per_shard", "4"}};
            spec.time = TimeAxis{};
            spec.frames_per_file = 0;
            spec.append = spec.replace = true;
            auto stream = session.open(spec);
            put_fixed(stream, my_patch(ranks()));
            for (int f = first; f < end; ++f) write_frame(stream, my_patch(ranks()), f);
            EXPECT_EQ(error_of([&] { stream.close(); }), "") << engine;
            const Reader file(dir / "x");
            ASSERT_EQ(file.frames(), end) << engine;
            for (int f = 0; f < end; ++f) expect_frame(file, f, f);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(Append, FillsUpAFileAndBeginsTheNext) {
    const Scratch dir;
    for (int run = 0; run < 2; ++run) {
        Session session(MPI_COMM_WORLD);
        auto spec = weather(dir / "a%d.nc");
        spec.frames_per_file = 24;
        spec.append = true;
        auto stream = session.open(spec);
        put_fixed(stream, my_patch(ranks()));
        for (int f = 10 * run; f < 10 + 20 * run; ++f) write_frame(stream, my_patch(ranks()), f);
        stream.close();
    }
    EXPECT_EQ(Reader(dir / "a01.nc").frames(), 24);
    EXPECT_EQ(Reader(dir / "a02.nc").frames(), 6);
    expect_frame(Reader(dir / "a01.nc"), 23, 23);
    expect_frame(Reader(dir / "a02.nc"), 5, 29);
}

/// Why the stream's first frame, of time 0, could not go behind those of the file at its path.
std::string append_fault(const StreamSpec &spec) {
    return std::filesystem::exists(spec.path) ? EarlierFile(spec.path).fault(spec, {}) : "";
}

TEST(Append, AFailureLeavesWhatWasThere) {
    const Scratch dir;
    for (int run = 0; run < 2; ++run) {
        Session session(MPI_COMM_WORLD);
        auto spec = weather(dir / "x.nc");
        spec.frames_per_file = 0;
        spec.append = true;
        EXPECT_EQ(append_fault(spec), "");
        if (run == 1) spec.fields[2].type = Type::f64;
        const auto foretold = append_fault(spec);
        EXPECT_TRUE(foretold.ends_with("x.nc: cannot append: its field T is f32, not f64; declare the "
                                       "stream as the file is, or write to another") == (run == 1))
            << foretold;
        MPI_Barrier(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        put_fixed(stream, my_patch(ranks()));
        const auto said = error_of([&] { write_frame(stream, my_patch(ranks()), run); });
        EXPECT_EQ(said.find("cannot append: its field T is f32, not f64") != std::string::npos, run == 1)
            << said;
        EXPECT_TRUE(same_everywhere(said));
        stream.close();
    }
    const Reader file(dir / "x.nc");
    EXPECT_EQ(file.frames(), 1);
    expect_frame(file, 0, 0);
}

TEST(Append, IsForetoldToFailInAFullFileAndInAStoreOfAnotherCodec) {
    const auto built = storing_engines();
    for (const std::string engine : {"netcdf", "zarr"}) {
        if (std::ranges::find(built, engine) == built.end()) continue;
        const Scratch dir;
        Session session(MPI_COMM_WORLD);
        auto spec = weather(dir / "x");
        spec.engine = engine;
        spec.frames_per_file = 0;
        spec.append = true;
        EXPECT_EQ(append_fault(spec), "") << "there is no file yet";
        MPI_Barrier(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        put_fixed(stream, my_patch(ranks()));
        for (int f = 0; f < 2; ++f) write_frame(stream, my_patch(ranks()), f);
        stream.close();
        EXPECT_EQ(append_fault(spec), "");
        spec.frames_per_file = 2;
        const auto *what = engine == "zarr" ? "another chunk_grid in the store"
                                            : "it already has 2 frames, the most that a file may have";
        EXPECT_NE(append_fault(spec).find(what), std::string::npos) << append_fault(spec);
        spec.frames_per_file = 0;
        if (engine == "zarr") spec.codec = "none";
        EXPECT_EQ(append_fault(spec).find("another codecs in the store") != std::string::npos,
                  engine == "zarr");
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(Append, IsRefusedWhereTheEngineCannot) {
    Session session(MPI_COMM_WORLD);
    auto spec = weather("x");
    spec.engine = "netcdf-split";
    spec.append = true;
    EXPECT_NE(error_of([&] { session.open(spec); })
                  .find("engine netcdf-split cannot append to a file of an "
                        "earlier run; choose one of: netcdf"),
              std::string::npos);
}

} // namespace squall::io::test
