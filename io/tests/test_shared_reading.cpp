/// Files that many ranks read, of which few open them.

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "declared.hpp"
#include "support.hpp"

namespace {

std::string watched; ///< a file, or a directory with all in it, whose openings by this process are counted
int openings = 0;

void count(const char *path) {
    openings += !watched.empty() && (path == watched || std::string_view(path).starts_with(watched + "/"));
}

template <class... Rest> FILE *opened(const char *name, const char *path, Rest... rest) {
    count(path);
    return reinterpret_cast<FILE *(*)(const char *, Rest...)>(dlsym(RTLD_NEXT, name))(path, rest...);
}

int opened(const char *path, int flags, va_list rest) {
    count(path);
    const int mode = (flags & O_CREAT) ? va_arg(rest, int) : 0;
    return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

} // namespace

// In place of the system's: libraries call these.
extern "C" {
FILE *fopen(const char *path, const char *mode) { return opened("fopen", path, mode); }
FILE *fopen64(const char *path, const char *mode) { return opened("fopen64", path, mode); }
int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const int fd = opened(path, flags, rest);
    va_end(rest);
    return fd;
}
int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const int fd = opened(path, flags, rest);
    va_end(rest);
    return fd;
}
}

namespace squall::io::test {
namespace {

/// How many ranks have opened the file since it is watched.
int openers() {
    int all = 0;
    const int here = std::exchange(openings, 0) > 0;
    MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

void write_file(const Scratch &dir, const std::string &engine) {
    Session session(MPI_COMM_WORLD);
    auto spec = weather(dir / "x");
    spec.engine = engine == "netcdf4" ? "netcdf" : engine;
    if (engine == "netcdf4") spec.options = {{"format", engine}};
    spec.frames_per_file = 0;
    spec.time = TimeAxis{};
    auto stream = session.open(spec);
    put_fixed(stream, my_patch(ranks()));
    for (int f = 0; f < 2; ++f) write_frame(stream, my_patch(ranks()), f);
    stream.close();
    session.close();
}

TEST(SharedReading, OpensTheFileOnTheReadersOnly) {
    for (const std::string engine : {"netcdf", "netcdf4"}) {
        const Scratch dir;
        write_file(dir, engine);
        watched = dir / "x";
        openers();
        expect_frame(Reader(dir / "x"), 1, 1);
        EXPECT_EQ(openers(), ranks()) << engine;
        for (int readers = 0; readers <= ranks() + 1; ++readers) {
            expect_frame(Reader(dir / "x", MPI_COMM_WORLD, readers), 1, 1);
            // All ranks of this test are on one node.
            EXPECT_EQ(openers(), readers == 0 ? 1 : std::min(readers, ranks())) << engine;
        }
        watched.clear();
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/// Of whatever engine, and of all that a store consists of: as many ranks have descriptors as read.
TEST(SharedReading, OpensFilesOnTheReadersOnlyOfEveryEngine) {
    for (const auto &engine : storing_engines()) {
        const Scratch dir;
        write_file(dir, engine);
        watched = dir / "x";
        openers();
        for (const int readers : {0, 1, 2}) {
            {
                const Reader file(dir / "x", MPI_COMM_WORLD, readers);
                for (int f = 0; f < 2; ++f) expect_frame(file, f, f);
            }
            EXPECT_EQ(openers(), readers == 0 ? 1 : std::min(readers, ranks())) << engine;
        }
        watched.clear();
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(SharedReading, GivesEachRankItsBoxInItsOwnMemoryOrder) {
    for (const auto &engine : storing_engines()) {
        SCOPED_TRACE(engine);
        const Scratch dir;
        write_file(dir, engine);
        for (const int readers : {0, 1, 2, 100}) {
            const Reader file(dir / "x", MPI_COMM_WORLD, readers);
            EXPECT_EQ(file.frames(), 2);
            EXPECT_EQ(file.number("DX"), 1000);
            EXPECT_EQ(file.field("T").attributes.size(), 3u);
            EXPECT_EQ(file.times().size(), 2u);
            EXPECT_EQ(file.steps().at(1), 3600);
            EXPECT_EQ(file.texts("Times", 1).at(0), "2000-01-01_01:00:00");
            const auto patch = my_patch(ranks()); // empty on some
            std::vector<float> t(patch.t(0).size());
            file.read("T", 1, patch.box(), t.data() + patch.offset(0, 0, patch.j0), Patch::strides());
            for (auto j = patch.j0; j < patch.j1; ++j)
                for (std::int64_t k = 0; k < nz; ++k)
                    for (std::int64_t i = 0; i < nx; ++i)
                        ASSERT_EQ(t[static_cast<std::size_t>(patch.offset(i, k, j))], t_at(k, j, i, 1));
            // Other points, and another field and type, on each rank.
            double hgt = 0;
            std::int32_t step = -1;
            if (rank() % 2 == 0)
                file.read("HGT", 0, {{rank() % ny, 3}, {1, 1}}, &hgt);
            else
                file.read("STEP", 1, {}, &step);
            EXPECT_EQ(rank() % 2 == 0 ? hgt : step,
                      rank() % 2 == 0 ? static_cast<double>(rank() % ny) + 0.03 : 1);
        }
    }
}

TEST(SharedReading, ThatFailsOnOneRankLeavesTheOthersAlone) {
    const Scratch dir;
    EXPECT_NE(error_of([&] { Reader(dir / "missing", MPI_COMM_WORLD, 1); }).find("missing"),
              std::string::npos);
    write_file(dir, "netcdf");
    const Reader file(dir / "x", MPI_COMM_WORLD, 1);
    float t = 0;
    const bool wrong = rank() == ranks() - 1;
    const auto said = error_of([&] { file.read("T", 0, {{wrong ? nz : 0, 0, 0}, {1, 1, 1}}, &t); });
    EXPECT_EQ(said != "", wrong) << said;
    expect_frame(file, 0, 0);
}

/// More than a reader has in memory at a time, cut along several dimensions.
TEST(SharedReading, HandsOnLargeFieldsInParts) {
    const Scratch dir;
    constexpr std::int64_t rows = 3, columns = 5 << 20;
    {
        Session session(MPI_COMM_WORLD);
        StreamSpec spec = stream_of("s", dir / "large");
        spec.dimensions = {{"y", rows}, {"x", columns}};
        spec.fields = {{"A", Type::f32, {"y", "x"}, {}}};
        auto stream = session.open(spec);
        auto frame = stream.begin({0});
        const Part part(columns);
        std::vector<float> a(static_cast<std::size_t>(rows * part.count));
        for (std::int64_t y = 0; y < rows; ++y)
            for (std::int64_t x = 0; x < part.count; ++x)
                a[static_cast<std::size_t>(y * part.count + x)] =
                    static_cast<float>(y * columns + part.begin + x);
        frame.put("A", {{0, part.begin}, {rows, part.count}}, a.data());
        frame.commit();
        stream.close();
    }
    const Reader file(dir / "large", MPI_COMM_WORLD, 1);
    std::vector<double> all(rows * columns);
    file.read("A", 0, {{0, 0}, {rows, columns}}, all.data());
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < all.size(); ++n)
        wrong += all[n] != static_cast<double>(static_cast<float>(n));
    EXPECT_EQ(wrong, 0u);
}

} // namespace
} // namespace squall::io::test
