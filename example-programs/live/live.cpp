// Prints the largest value of a field in each frame of a network stream, while the run makes them.
//
//     live-cpp RUN FIELD
#include <algorithm>
#include <cstdio>
#include <vector>

#include <squall/io_subscribe.hpp>

namespace io = squall::io;

int main(int argc, char **argv) try {
    if (argc != 3) return 2;
    io::Subscriber live(argv[1]); // a run directory, or the stream's contact file
    while (!live.ended()) {
        const auto frame = live.next(60); // seconds
        if (!frame) continue;
        const auto shape = frame->shape(argv[2]); // slowest dimension first
        std::int64_t points = 1;
        for (const auto n : shape) points *= n;
        std::vector<float> values(points);
        frame->read(argv[2], 0, {std::vector<std::int64_t>(shape.size(), 0), shape}, values.data());
        live.release(); // the run may forget the frame
        std::printf("%d %.4f\n", static_cast<int>(live.number()), *std::ranges::max_element(values));
        std::fflush(stdout);
    }
} catch (const io::Error &e) {
    std::fprintf(stderr, "live: %s\n", e.what());
    return 1;
}
