/// Reading a file does not wait for a collective write of another stream that a late rank holds up.

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "declare/layout.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;

constexpr int late = 1; ///< the rank that keeps the others waiting
std::atomic<bool> hold_up = false, in_library = false;

} // namespace

/// Stands before MPI's own: the late rank comes late to it.
extern "C" int MPI_File_open(MPI_Comm comm, const char *file, int mode, MPI_Info info, MPI_File *handle) {
    in_library = true;
    while (hold_up && squall::io::test::rank() == late) std::this_thread::sleep_for(1ms);
    return PMPI_File_open(comm, file, mode, info, handle);
}

namespace squall::io::test {
namespace {

bool built(const std::string &engine) {
    const auto all = engines();
    return std::find(all.begin(), all.end(), engine) != all.end();
}

/// A file of one frame, written before anybody is late.
std::string sample(const Scratch &dir, const char *format) {
    auto spec = weather(dir / fmt::format("{}.nc", format));
    spec.name = format;
    spec.options = {{"format", format}};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    put_fixed(stream, my_patch(ranks()));
    write_frame(stream, my_patch(ranks()), 0);
    stream.close();
    return spec.path;
}

/// Reads a file in a thread of its own; whether that was done within ten seconds.
class Reading {
  public:
    explicit Reading(const std::string &path)
        : done_(std::async(std::launch::async, [path] { expect_frame(Reader(path), 0, 0); })) {}
    bool in_time() { return done_.wait_for(10s) == std::future_status::ready; }

  private:
    std::future<void> done_;
};

/// Rank 0 says when the late rank may go on.
void go_on() {
    const int word = 1;
    for (int r = 1; r < ranks(); ++r) MPI_Send(&word, 1, MPI_INT, r, 77, MPI_COMM_WORLD);
}
void wait_for_word() {
    int word = 0;
    MPI_Recv(&word, 1, MPI_INT, 0, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hold_up = false;
}

class Meanwhile : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(CollectiveEngines, Meanwhile, testing::Values("pnetcdf", "netcdf-parallel"),
                         [](const auto &test) {
                             return test.param[0] == 'p' ? "pnetcdf" : "netcdf_parallel";
                         });

TEST_P(Meanwhile, AClassicFileIsReadWhileALibraryWaitsForALateRank) {
    if (!built(GetParam())) GTEST_SKIP() << "not in this build";
    const Scratch dir;
    const auto classic = sample(dir, "classic"), netcdf4 = sample(dir, "netcdf4");
    auto spec = weather(dir / "x.nc");
    spec.engine = GetParam();
    spec.placement = "thread";
    in_library = false;
    hold_up = true;
    {
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        put_fixed(stream, my_patch(ranks()));
        write_frame(stream, my_patch(ranks()), 0);
        if (rank() == 0) {
            while (!in_library) std::this_thread::sleep_for(1ms); // it was called, under its lock
            std::this_thread::sleep_for(50ms);
            Reading first(classic);
            EXPECT_TRUE(first.in_time()) << "reading waits for a rank that writes late";
            // HDF5 has one lock for all files, and netcdf-parallel waits inside of HDF5.
            if (spec.engine == std::string("pnetcdf")) {
                Reading second(netcdf4);
                EXPECT_TRUE(second.in_time()) << "reading waits for a rank that writes late";
                go_on();
            } else
                go_on();
        } else
            wait_for_word();
        stream.close();
        session.close();
    }
    hold_up = false;
    expect_frame(Reader(dir / "x.nc"), 0, 0);
}

} // namespace
} // namespace squall::io::test
