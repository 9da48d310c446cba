// What frames cost beside a step, on one rank: of each stream of a run file, and of a loop that reads the
// mass of every tracer in every cell once, below which nothing made of all of them can be: frames-bench
// run-file [key=value ...]. They take turns, and each counts the processor time of all its threads, so that a
// busy machine disturbs all alike; the medians of 7 turns are told.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "core/stopwatch.hpp"
#include "core/subnormal.hpp"
#include "drive/world.hpp"
#include "frames/history.hpp"
#include "parallel/tiles.hpp"
#include "runfile/read.hpp"

namespace {

using namespace squall;
using namespace squall::transport;

constexpr int turns = 7;

struct Timed {
    std::string what;
    std::vector<double> seconds{};
};

template <class F> void time(Timed &timed, F f) {
    const double begin = processor_seconds();
    f();
    timed.seconds.push_back(processor_seconds() - begin);
}

double median(std::vector<double> x) {
    std::ranges::nth_element(x, x.begin() + std::ssize(x) / 2);
    return x[x.size() / 2];
}

/// In the order of the memory, eight sums side by side.
double sum_of_masses(const Block &block, Scheme scheme) {
    const Shape &s = block.shape();
    std::vector<double> of_rows(static_cast<std::size_t>(s.ny));
    for_each_tile(make_tiles({0, 1, 0, s.ny, 0, 1}, 1, 1), [&](const Range &row) {
        double sums[8] = {};
        for (int k = 0; k < s.nz; ++k)
            for (int f = 1; f < block.fields(); f += moments_of(scheme)) {
                const double *mass = block.row(f, k, row.j0);
                for (int i = 0; i + 8 <= s.nx; i += 8)
                    for (int n = 0; n < 8; ++n) sums[n] += mass[i + n];
            }
        for (const double sum : sums) of_rows[static_cast<std::size_t>(row.j0)] += sum;
    });
    double sum = 0;
    for (const double of_row : of_rows) sum += of_row;
    return sum;
}

int run(const std::string &file, std::vector<std::string> overrides) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("frames-bench-{}", getpid());
    std::filesystem::create_directory(folder);
    overrides.push_back(fmt::format("run.directory=\"{}\"", folder.string()));
    const Settings settings = read_settings(MPI_COMM_SELF, file, overrides);
    flush_subnormals();
    World world(settings, MPI_COMM_SELF);
    io::Session session(MPI_COMM_SELF);
    std::vector<std::unique_ptr<GlobeHistory>> streams;
    std::vector<Timed> all{{"step"}, {"masses"}};
    for (const StreamConfig &stream : settings.common.streams) {
        if (stream.name == "restart") continue;
        streams.push_back(std::make_unique<GlobeHistory>(session, stream, settings, world.where(),
                                                         world.flow(), MPI_COMM_SELF));
        all.push_back({stream.name});
    }
    double sink = 0;
    for (int turn = 0; turn <= turns; ++turn) { // the first one warms up
        time(all[0], [&] { world.advance(); });
        time(all[1], [&] { sink += sum_of_masses(world.block(), settings.advection.moments()); });
        for (std::size_t n = 0; n < streams.size(); ++n)
            time(all[2 + n], [&] { streams[n]->write(900.0 * turn, world.block()); });
        if (turn == 0)
            for (Timed &timed : all) timed.seconds.clear();
    }
    const double step = median(all[0].seconds);
    for (const Timed &timed : all)
        std::printf("%-10s %9.2f ms, %6.2f %% of a step\n", timed.what.c_str(), 1e3 * median(timed.seconds),
                    100 * median(timed.seconds) / step);
    std::printf("(%g kg)\n", sink);
    for (const auto &stream : streams) stream->close();
    session.close();
    std::filesystem::remove_all(folder);
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: frames-bench run-file [key=value ...]\n");
        return 2;
    }
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    const int status = run(argv[1], {argv + 2, argv + argc});
    MPI_Finalize();
    return status;
}
