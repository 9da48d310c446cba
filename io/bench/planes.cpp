/// What it costs to hand frames on while they are made, by the way that they go and by their size: from a run
/// of one rank to a consumer, here.
///
///     squall-io-planes DIRECTORY [FRAMES [WAY...]]
///
/// A way is a network stream's data plane and queue limit, as "evpath:4", or "files": netCDF files, each of
/// which the consumer reads as soon as it is published. Prints a line per way and size: the median time from
/// commit to the consumer's having the frame, frames one by one; and how fast they go one after the other.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "squall/io_subscribe.hpp"

namespace io = squall::io;

namespace {

constexpr std::chrono::microseconds look{50};

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Way {
    explicit Way(std::string text)
        : words(std::move(text)), plane(words.substr(0, words.find(':'))), files(plane == "files") {}
    std::string words, plane;
    bool files;

    io::StreamSpec stream(const std::string &directory, std::int64_t points) const {
        io::StreamSpec s;
        s.name = "planes";
        s.engine = files ? "netcdf" : "sst";
        s.path = directory + (files ? "/planes_%M:%S.nc" : "/planes.sst");
        if (!files)
            s.options = {{"data_plane", plane},
                         {"queue_limit", words.substr(plane.size() + 1)},
                         {"first_consumer", "60"},
                         {"when_queue_full", "wait"}};
        s.dimensions = {{"x", points}};
        s.fields = {{"A", io::Type::f32, {"x"}, {}}};
        return s;
    }
};

/// The file of a frame, which is of so many seconds.
std::filesystem::path file_of(const std::string &directory, int frame) {
    return fmt::format("{}/planes_{:02}:{:02}.nc", directory, frame / 60, frame % 60);
}

/// Takes all frames; tells how many, and when it had each.
class Consumer {
  public:
    Consumer(const Way &way, const std::string &directory, std::int64_t points, int frames)
        : values_(static_cast<std::size_t>(points)), thread_([this, way, directory, frames] {
              if (way.files)
                  follow_files(directory, frames);
              else
                  follow_stream(directory);
          }) {}
    int taken() const { return taken_; }
    /// When it had each; after the last.
    std::vector<double> had() {
        thread_.join();
        return had_;
    }

  private:
    void follow_stream(const std::string &directory) {
        io::Subscriber live(directory + "/planes.sst");
        while (!live.ended())
            if (const auto frame = live.next(1)) read(*frame);
    }
    void follow_files(const std::string &directory, int frames) {
        for (int n = 0; n < frames; ++n) {
            const auto file = file_of(directory, n);
            while (!std::filesystem::exists(file)) std::this_thread::sleep_for(look);
            read(io::Reader(file));
        }
    }
    void read(const io::Reader &frame) {
        frame.read("A", 0, {{0}, {std::ssize(values_)}}, values_.data());
        had_.push_back(seconds());
        ++taken_;
    }

    std::vector<float> values_;
    std::vector<double> had_;
    std::atomic<int> taken_ = 0;
    std::jthread thread_;
};

void measure(const std::string &directory, const Way &way, std::int64_t points, int frames) {
    Consumer consumer(way, directory, points, 2 * frames);
    io::Session session(MPI_COMM_WORLD, {.staging_limit = std::size_t(4) << 30});
    auto spec = way.stream(directory, points);
    spec.placement = "thread";
    auto stream = session.open(spec);
    const std::vector<float> values(static_cast<std::size_t>(points), 1.0f);
    std::vector<double> committed;
    const auto write = [&] {
        auto frame = stream.begin({static_cast<double>(committed.size())});
        frame.put("A", {{0}, {points}}, values.data());
        committed.push_back(seconds());
        frame.commit();
    };
    for (int n = 0; n < frames; ++n) {
        write();
        while (consumer.taken() <= n) std::this_thread::sleep_for(look);
    }
    const double began = seconds();
    for (int n = 0; n < frames; ++n) write();
    stream.close();
    session.close();
    const auto had = consumer.had();
    if (way.files)
        for (int n = 0; n < 2 * frames; ++n) std::filesystem::remove(file_of(directory, n));
    std::vector<double> latencies;
    for (int n = 1; n < frames; ++n) latencies.push_back(had[n] - committed[n]); // the first joins
    std::ranges::nth_element(latencies, latencies.begin() + std::ssize(latencies) / 2);
    const double bytes = static_cast<double>(points) * sizeof(float);
    fmt::print("{:<8} {:>10} B {:>10.2f} ms {:>10.1f} MB/s\n", way.words, points * sizeof(float),
               1e3 * latencies[latencies.size() / 2], 1e-6 * bytes * frames / (had.back() - began));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: {} DIRECTORY [FRAMES [WAY...]]\n", argv[0]);
        return 2;
    }
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    const int frames = argc > 2 ? std::max(2, std::atoi(argv[2])) : 9;
    std::vector<std::string> ways{argv + std::min(argc, 3), argv + argc};
    if (ways.empty()) ways = {"evpath:4", "ucx:4", "files"};
    for (const auto &words : ways)
        for (const std::int64_t points : {1 << 8, 1 << 14, 1 << 18, 1 << 22, 1 << 24})
            measure(argv[1], Way(words), points, frames);
    MPI_Finalize();
}
