/// Chunks that computing ranks compress before they send them to servers: the store has the same bytes,
/// whoever compresses, and what is sent gets less.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <thread>

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/box.hpp"
#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "publish/writer.hpp"
#include "squall/io_encode.hpp"
#include "support.hpp"

/// Bytes that this rank has sent, of points or of chunks.
static std::int64_t sent = 0;

extern "C" int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request *request) {
    int size = 0;
    MPI_Type_size(type, &size);
    sent += static_cast<std::int64_t>(count) * size;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

/// How long this rank's disk takes to make something durable [ms].
static std::atomic<int> slowness = 0;

extern "C" int fsync(int fd) {
    std::this_thread::sleep_for(std::chrono::milliseconds(slowness.load()));
    return static_cast<int>(syscall(SYS_fsync, fd));
}
extern "C" int syncfs(int fd) {
    std::this_thread::sleep_for(std::chrono::milliseconds(slowness.load()));
    return static_cast<int>(syscall(SYS_syncfs, fd));
}

namespace squall::io::test {
namespace {

namespace fs = std::filesystem;

bool has_zarr() {
    return std::ranges::any_of(built_engines(), [](const Engine *e) { return e->name == "zarr"; });
}
/// Whether there are ranks for a server and somebody to serve.
bool has_all() { return ranks() > 1 && has_zarr(); }

constexpr std::int64_t levels = 6, rows = 36, columns = 44;

/// What of the domain a computing rank has: never along the edges of chunks, but for one rank.
Box patch_in_two_dimensions(int me, int n) {
    const Box left{{0, 0, 0}, {levels, rows, 17}}, right{{0, 0, 17}, {levels, rows, columns - 17}};
    if (n == 1) return {{0, 0, 0}, {levels, rows, columns}};
    if (me == 0) return left;
    if (n == 2) return right;
    return me == 1 ? Box{{0, 0, 17}, {levels, 23, columns - 17}}
                   : Box{{0, 23, 17}, {levels, rows - 23, columns - 17}};
}

StreamSpec spec_of(const std::string &path, const std::string &codec,
                   const std::map<std::string, std::string> &options) {
    const std::vector<std::string> volume = {"bottom_top", "south_north", "west_east"};
    StreamSpec s;
    s.name = "history";
    s.path = path;
    s.engine = "zarr";
    s.codec = codec;
    s.frames_per_file = 0;
    s.options = {{"chunk", "3,5,8"}, {"shard", "6,20,44"}};
    for (const auto &[name, value] : options) s.options[name] = value;
    s.dimensions = {{"bottom_top", levels}, {"south_north", rows}, {"west_east", columns}};
    s.fields = {{"T", Type::f32, volume, {}},
                {"Q", Type::f32, volume, {}},
                {"PACKED", Type::f32, volume, {}},
                {"W", Type::f64, volume, {}},
                {"N", Type::i32, volume, {}},
                {"STEP", Type::i32, {}, {}},
                {"S", Type::f32, {"south_north", "west_east"}, {}},
                {"HGT", Type::f32, {"south_north", "west_east"}, {}, false}};
    s.fields[1].precision = {Precision::Kind::relative, 1e-3};
    s.fields[2].precision = {Precision::Kind::packed, 0, -30, 60};
    s.fields[3].precision = {Precision::Kind::absolute, 0.01};
    return s;
}

double smooth(std::int64_t k, std::int64_t j, std::int64_t i, int frame) {
    return std::floor(20 * std::sin(0.1 * static_cast<double>(i + j)) + static_cast<double>(k + frame));
}

void put(Frame &frame, const Box &box, int number, double scale) {
    std::vector<double> points;
    for (auto k = box.start[0]; k < box.start[0] + box.count[0]; ++k)
        for (auto j = box.start[1]; j < box.start[1] + box.count[1]; ++j)
            for (auto i = box.start[2]; i < box.start[2] + box.count[2]; ++i)
                points.push_back(scale * smooth(k, j, i, number));
    std::vector<float> floats(points.begin(), points.end());
    std::vector<std::int32_t> numbers(points.begin(), points.end());
    for (const auto *name : {"T", "Q", "PACKED"}) frame.put(name, box, floats.data());
    frame.put("W", box, points.data());
    frame.put("N", box, numbers.data());
    const Box ground{{box.start[1], box.start[2]}, {box.count[1], box.count[2]}};
    frame.put("S", ground, floats.data());
}

struct Written {
    std::map<std::string, std::string> files; ///< what is in them, by name
    std::string stored;                       ///< the manifest's lines with checksums
    std::int64_t sent = 0;                    ///< bytes, by all computing ranks
    std::int64_t failed = 0;
};

/// What a session on all ranks, `servers` of them servers, has written; complete on rank 0.
Written write(const std::string &directory, const std::string &codec, int servers, bool shared,
              const std::map<std::string, std::string> &options, double scale = 1) {
    Written all;
    const auto before = sent;
    {
        Session session(MPI_COMM_WORLD, {.servers = servers, .shared_memory = shared, .timeout = unmet});
        if (!session.computes()) {
            session.serve();
        } else {
            int me = 0, n = 1;
            MPI_Comm_rank(session.comm(), &me);
            MPI_Comm_size(session.comm(), &n);
            auto spec = spec_of(directory + "/history.zarr", codec, options);
            spec.placement = "servers";
            spec.on_error = "continue";
            auto stream = session.open(spec);
            const auto box = patch_in_two_dimensions(me, n);
            const std::vector<float> ground(static_cast<std::size_t>(volume(box)), 3.5f);
            stream.put("HGT", {{box.start[1], box.start[2]}, {box.count[1], box.count[2]}}, ground.data());
            for (int f = 0; f < 3; ++f) {
                auto frame = stream.begin({3600.0 * f});
                put(frame, box, f, f == 1 ? scale : 1);
                if (me == 0) frame.put("STEP", {}, &f);
                frame.commit();
            }
            stream.close();
            const auto report = session.close();
            if (me == 0) all.failed = report.at(0).failed;
            all.sent = sent - before;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &all.sent, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank() != 0 || !fs::exists(directory + "/history.zarr")) return all;
    for (const auto &e : fs::recursive_directory_iterator(directory + "/history.zarr"))
        if (e.is_regular_file()) all.files[fs::relative(e.path(), directory)] = bytes_of(e.path());
    std::ifstream manifest(directory + "/history.manifest.jsonl");
    for (std::string line; std::getline(manifest, line);)
        if (line.find("\"stored\"") != line.npos) all.stored += line + "\n";
    return all;
}

void expect_same(const Written &a, const Written &b) {
    EXPECT_EQ(a.stored, b.stored);
    ASSERT_EQ(a.files.size(), b.files.size());
    for (const auto &[name, bytes] : a.files) EXPECT_TRUE(b.files.at(name) == bytes) << name;
}

} // namespace

TEST(Encoded, RanksAndServersMakeTheSameStoreAndRanksSendLess) {
    if (!has_all()) return;
    const Scratch dir;
    const int servers = ranks() == 4 ? 2 : 1;
    int n = 0;
    for (const auto *codec : {"zstd", "blosc-zstd"})
        for (const bool shared : {false, true})
            for (const auto *frames : {"1", "2"}) { // in a shard: those of several are written anew
                const auto run = [&](const char *who) {
                    return write(dir / std::to_string(n++), codec, servers, shared,
                                 {{"encode", who}, {"frames_per_shard", frames}});
                };
                const auto by_servers = run("servers"), by_ranks = run("ranks"), automatic = run("auto");
                if (rank() != 0) continue;
                SCOPED_TRACE(fmt::format("{}, shared memory {}, {} frames a shard", codec, shared, frames));
                EXPECT_EQ(by_servers.failed + by_ranks.failed, 0);
                EXPECT_GT(by_servers.files.size(), 10u);
                expect_same(by_servers, by_ranks);
                expect_same(by_servers, automatic);
                if (shared) continue; // then points are not sent, and chunks are
                EXPECT_LT(by_ranks.sent, by_servers.sent * (ranks() == 2 ? 0.4 : 0.7));
                EXPECT_LE(automatic.sent, by_servers.sent + 4096);
            }
}

TEST(Encoded, RanksEncodeByThemselvesWhileServersAreBehind) {
    if (!has_all()) return;
    const Scratch dir;
    slowness = rank() == ranks() - 1 ? 200 : 0; // the server: no frame is stored before the last is committed
    const auto by_servers = write(dir / "a", "zstd", 1, false, {{"encode", "servers"}});
    const auto automatic = write(dir / "b", "zstd", 1, false, {{"encode", "auto"}});
    slowness = 0;
    if (rank() != 0) return;
    expect_same(by_servers, automatic);
    EXPECT_LT(automatic.sent, by_servers.sent * (ranks() == 2 ? 0.6 : 0.85)); // two frames of three
}

TEST(Encoded, WithoutACodecNothingIsEncoded) {
    if (!has_all()) return;
    const Scratch dir;
    const auto by_servers = write(dir / "a", "none", 1, false, {{"encode", "servers"}});
    const auto by_ranks = write(dir / "b", "none", 1, false, {{"encode", "ranks"}});
    if (rank() != 0) return;
    expect_same(by_servers, by_ranks);
    EXPECT_NEAR(static_cast<double>(by_ranks.sent), static_cast<double>(by_servers.sent), 4096);
}

TEST(Encoded, AValueThatCannotBePackedFailsItsFrameAloneAndNamesTheRank) {
    if (!has_all()) return;
    const Scratch dir;
    testing::internal::CaptureStderr();
    const auto all = write(dir / "a", "zstd", 1, false, {{"encode", "ranks"}}, 10); // to 220: more than 60
    const auto said = testing::internal::GetCapturedStderr();
    if (rank() != 0) return;
    EXPECT_EQ(all.failed, 1);
    EXPECT_NE(said.find("computing rank 0: field PACKED: value"), said.npos) << said;
    EXPECT_EQ(Reader(dir / "a/history.zarr").frames(), 2);
}

TEST(Encoded, APlanCountsWhatPatchesHoldWhole) {
    if (!has_zarr()) return;
    auto spec = spec_of("unused.zarr", "zstd", {{"encode", "ranks"}});
    const std::map<std::string, std::vector<std::int64_t>> starts{{"west_east", {0, 17}},
                                                                  {"south_north", {0, 23}}};
    // Of 44 columns the chunks of 8 leave 16 and 20 in the patches, of 36 rows those of 5 leave 20 and 11.
    EXPECT_EQ(encodable(spec, starts).by, "ranks");
    EXPECT_NEAR(encodable(spec, starts).share, 36. / 44 * 31 / 36, 1e-3);
    EXPECT_NEAR(encodable(spec, {}).share, 1, 1e-3); // but for the number
    spec.subset = {{"west_east", 10, 26}};           // chunks of what is kept: 0 to 7 and 8 to 15 of it
    EXPECT_NEAR(encodable(spec, {{"west_east", {0, 17}}}).share, 0.5, 1e-3);
    spec.codec = "none";
    EXPECT_EQ(encodable(spec, starts).by, "");
}

TEST(Encoded, ChunksAreThoseThatAPatchHoldsWhole) {
    if (!has_zarr()) return;
    const Layout layout(spec_of("unused.zarr", "zstd", {}));
    const auto encoder = layout.engine->encoder(layout);
    ASSERT_TRUE(encoder);
    const auto starts = [&](int field, const Box &box) {
        std::vector<std::vector<std::int64_t>> all;
        for (const auto &chunk : encoder->whole_in(field, box)) all.push_back(chunk.start);
        return all;
    };
    using Starts = std::vector<std::vector<std::int64_t>>;
    // Chunks of 3 x 5 x 8; the last ones of a dimension are whole where the domain ends.
    EXPECT_EQ(starts(0, {{0, 3, 7}, {3, 8, 18}}), (Starts{{0, 5, 8}, {0, 5, 16}}));
    EXPECT_EQ(starts(0, {{3, 31, 33}, {3, 5, 11}}), (Starts{{3, 35, 40}}));
    EXPECT_EQ(starts(0, {{0, 0, 0}, {2, rows, columns}}), Starts{});
    EXPECT_EQ(starts(0, {{0, 6, 0}, {6, 4, columns}}), Starts{});
    EXPECT_EQ(starts(6, {{5, 0}, {5, 16}}), (Starts{{5, 0}, {5, 8}}));
    EXPECT_EQ(starts(5, {}), Starts{}) << "a number";
    EXPECT_FALSE(layout.engine->encoder(Layout(spec_of("unused.zarr", "none", {}))));
}

} // namespace squall::io::test
