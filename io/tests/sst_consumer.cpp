/// Takes frames of a network stream until it ends or is ended:
///
///     sst_consumer WHERE
///
/// Prints the number of each frame, and "end".

#include <cstdio>
#include <vector>

#include "squall/io_subscribe.hpp"

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    squall::io::Subscriber live(argv[1]);
    while (!live.ended()) {
        const auto frame = live.next(60);
        if (!frame) continue;
        const auto shape = frame->shape("T");
        std::vector<float> t(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
        frame->read("T", 0, {{0, 0, 0}, shape}, t.data());
        std::printf("%d\n", static_cast<int>(live.number()));
        std::fflush(stdout);
    }
    std::puts("end");
}
