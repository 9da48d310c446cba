/// Streams of overlapping parts of the ranks, each part with a thread of its own that drains, through
/// libraries in which one thread at a time waits for others; and such libraries beside the client's own
/// calls.

#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include <netcdf.h>

#include "declared.hpp"
#include "squall/io_libraries.hpp"

namespace squall::io::test {
namespace {

/// The ranks that `chosen` says, in their order; MPI_COMM_NULL elsewhere.
class SomeRanks {
  public:
    explicit SomeRanks(bool chosen) {
        MPI_Comm_split(MPI_COMM_WORLD, chosen ? 1 : MPI_UNDEFINED, rank(), &comm_);
    }
    ~SomeRanks() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }
    SomeRanks(const SomeRanks &) = delete;
    SomeRanks &operator=(const SomeRanks &) = delete;
    MPI_Comm comm() const { return comm_; }
    bool chosen() const { return comm_ != MPI_COMM_NULL; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// A stream of a number per rank of `members`.
class OnePerRank {
  public:
    OnePerRank(Session &session, const SomeRanks &members, StreamSpec spec) : file_(spec.path) {
        MPI_Comm_rank(members.comm(), &me_);
        MPI_Comm_size(members.comm(), &size_);
        spec.frames_per_file = 0;
        spec.dimensions = {{"n", size_}};
        for (const auto *name : {"a", "b"}) spec.fields.push_back({name, Type::i32, {"n"}, {}});
        stream_.emplace(session.open(spec, members.comm()));
    }

    void write(int number) {
        auto frame = stream_->begin({60.0 * number});
        const std::int32_t value = 100 * number + me_;
        for (const auto *name : {"a", "b"}) frame.put(name, {{me_}, {1}}, &value);
        frame.commit();
    }
    void close() { stream_->close(); }

    void expect(int frames) const {
        const Reader file(file_);
        ASSERT_EQ(file.frames(), frames);
        for (int f = 0; f < frames; ++f)
            for (int r = 0; r < size_; ++r) EXPECT_EQ(all_of(file_, "b", f).at(r), 100 * f + r);
    }

  private:
    std::string file_;
    int me_ = 0, size_ = 0;
    std::optional<Stream> stream_;
};

class Overlapping : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (ranks() < 3) GTEST_SKIP() << "two parts that overlap and differ need three ranks";
        const auto known = engines();
        if (std::ranges::find(known, GetParam()) == known.end()) GTEST_SKIP() << "not in this build";
    }
    StreamSpec spec(const std::string &name, const std::string &placement) const {
        auto s = stream_of(name, dir_ / name, GetParam());
        s.placement = placement;
        return s;
    }
    const Scratch dir_;
};

/// Each rank has frames of several streams under way, and commits them in an order of its own.
TEST_P(Overlapping, StreamsAreWrittenByThreadsWhateverTheOrderOnEachRank) {
    constexpr int frames = 25;
    const SomeRanks all(true), first(rank() < 2), last(rank() > 0), ends(rank() != 1);
    Session session(MPI_COMM_WORLD, {.timeout = unmet});
    std::vector<OnePerRank> streams;
    const std::map<std::string, const SomeRanks *> members = {
        {"all", &all}, {"first", &first}, {"last", &last}, {"ends", &ends}};
    for (const auto &[name, who] : members)
        if (who->chosen()) streams.emplace_back(session, *who, spec(name, "thread"));
    for (int f = 0; f < frames; ++f) {
        if (f % 8 == rank()) std::this_thread::sleep_for(std::chrono::milliseconds(20)); // late now and then
        for (std::size_t s = 0; s < streams.size(); ++s)
            streams[(s + static_cast<std::size_t>(rank())) % streams.size()].write(f);
    }
    for (auto &stream : streams) stream.close();
    for (const auto &stream : streams) stream.expect(frames);
    session.close();
}

/// The one stream's members wait in commit for each other, the other one's thread is at work meanwhile.
TEST_P(Overlapping, StreamsAreWrittenByAThreadAndInline) {
    constexpr int frames = 25;
    const SomeRanks all(true), some(rank() < 2);
    Session session(MPI_COMM_WORLD, {.timeout = unmet});
    OnePerRank here(session, all, spec("all", "inline"));
    std::optional<OnePerRank> beside;
    if (some.chosen()) beside.emplace(session, some, spec("some", "thread"));
    for (int f = 0; f < frames; ++f) {
        if (beside) beside->write(f);
        here.write(f);
    }
    here.close();
    if (beside) beside->close();
    here.expect(frames);
    if (beside) beside->expect(frames);
    session.close();
}

/// A rank does not commit to one stream until another one, of the same ranks and more, is on disk.
TEST_P(Overlapping, StreamsDoNotWaitForOneThatARankIsLateFor) {
    const SomeRanks all(true), some(rank() < 2);
    Session session(MPI_COMM_WORLD, {.timeout = unmet});
    OnePerRank slow(session, all, spec("slow", "thread"));
    std::optional<OnePerRank> quick;
    if (some.chosen()) quick.emplace(session, some, spec("quick", "thread"));
    if (rank() < 2) slow.write(0);
    if (quick) {
        quick->write(0);
        quick->close();
        quick->expect(1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 2) slow.write(0);
    slow.close();
    slow.expect(1);
    session.close();
}

INSTANTIATE_TEST_SUITE_P(Together, Overlapping, testing::Values("pnetcdf", "netcdf-parallel", "adios"),
                         [](const auto &engine) {
                             auto name = engine.param;
                             std::erase(name, '-');
                             return name;
                         });

void must(int status) { ASSERT_EQ(status, NC_NOERR) << nc_strerror(status); }

/// A file of the client's own, through HDF5.
void write_and_read(const std::string &path, int number) {
    const LibraryLock lock, again; // a thread may have several
    int file = 0, dimension = 0, variable = 0;
    must(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &file));
    must(nc_def_dim(file, "n", 1000, &dimension));
    must(nc_def_var(file, "own", NC_INT, 1, &dimension, &variable));
    must(nc_def_var_deflate(file, variable, 0, 1, 1));
    const std::vector<int> values(1000, number);
    must(nc_put_var_int(file, variable, values.data()));
    must(nc_close(file));
    must(nc_open(path.c_str(), NC_NOWRITE, &file));
    std::vector<int> back(1000);
    must(nc_get_var_int(file, variable, back.data()));
    EXPECT_EQ(back, values);
    must(nc_close(file));
}

TEST(ClientsOwnFiles, AreWrittenUnderTheLockWhileAThreadWritesFrames) {
    const Scratch dir;
    const auto known = engines();
    for (const std::string engine : {"netcdf", "netcdf-parallel"}) {
        if (std::ranges::find(known, engine) == known.end()) continue;
        auto spec = weather(dir / (engine + "_%H.nc"));
        spec.engine = engine;
        spec.codec = "deflate";
        spec.placement = "thread";
        Session session(MPI_COMM_WORLD, {.timeout = unmet});
        auto stream = session.open(spec);
        put_fixed(stream, my_patch(ranks()));
        for (int f = 0; f < 20; ++f) {
            write_frame(stream, my_patch(ranks()), f);
            write_and_read(dir / fmt::format("own.{}", rank()), f);
        }
        stream.close();
        for (int f = 0; f < 20; ++f) expect_frame(Reader(dir / fmt::format("{}_{:02}.nc", engine, f)), 0, f);
        session.close();
    }
}

} // namespace
} // namespace squall::io::test
