/// What a network stream costs by data plane and size of frames: a run of one rank and a consumer, here.
///
///     squall-io-planes DIRECTORY [FRAMES [PLANE...]]
///
/// Prints a line per plane and size: the median time from commit to the consumer's having the frame, frames
/// one by one; and how fast they go one after the other.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "squall/io_subscribe.hpp"

namespace io = squall::io;

namespace {

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Takes all frames; tells how many, and when it had each.
struct Consumer {
    explicit Consumer(std::string where, std::size_t points) : values(points) {
        thread = std::jthread([this, address = std::move(where)] {
            io::Subscriber live(address);
            while (!live.ended()) {
                const auto frame = live.next(1);
                if (!frame) continue;
                frame->read("A", 0, {{0}, {std::ssize(values)}}, values.data());
                had.push_back(seconds());
                ++taken;
            }
        });
    }
    std::vector<float> values;
    std::vector<double> had;
    std::atomic<int> taken = 0;
    std::jthread thread;
};

io::StreamSpec declare(const std::string &directory, const std::string &plane, std::int64_t points) {
    io::StreamSpec s;
    s.name = "planes";
    s.path = directory + "/planes.sst";
    s.engine = "sst";
    s.options = {{"data_plane", plane}, {"first_consumer", "60"}, {"when_queue_full", "wait"}};
    s.dimensions = {{"x", points}};
    s.fields = {{"A", io::Type::f32, {"x"}, {}}};
    return s;
}

void measure(const std::string &directory, const std::string &plane, std::int64_t points, int frames) {
    Consumer consumer(directory, static_cast<std::size_t>(points));
    io::Session session(MPI_COMM_WORLD, {.staging_limit = std::size_t(4) << 30});
    auto stream = session.open(declare(directory, plane, points));
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
        while (consumer.taken <= n) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    const double began = seconds();
    for (int n = 0; n < frames; ++n) write();
    stream.close();
    session.close();
    consumer.thread.join();
    std::vector<double> latencies;
    for (int n = 1; n < frames; ++n) latencies.push_back(consumer.had[n] - committed[n]); // the first joins
    std::ranges::nth_element(latencies, latencies.begin() + std::ssize(latencies) / 2);
    const double bytes = static_cast<double>(points) * sizeof(float);
    fmt::print("{:<8} {:>10} B {:>10.2f} ms {:>10.1f} MB/s\n", plane, points * sizeof(float),
               1e3 * latencies[latencies.size() / 2], 1e-6 * bytes * frames / (consumer.had.back() - began));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: {} DIRECTORY [FRAMES [PLANE...]]\n", argv[0]);
        return 2;
    }
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    const int frames = argc > 2 ? std::max(2, std::atoi(argv[2])) : 9;
    std::vector<std::string> planes{argv + std::min(argc, 3), argv + argc};
    if (planes.empty()) planes = {"evpath", "ucx"};
    for (const auto &plane : planes)
        for (const std::int64_t points : {1 << 8, 1 << 14, 1 << 18, 1 << 22, 1 << 24})
            measure(argv[1], plane, points, frames);
    MPI_Finalize();
}
