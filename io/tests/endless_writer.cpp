/// Writes frames until it is killed: endless_writer DIRECTORY FRAMES_PER_FILE. Prints a line when
/// it starts.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <mpi.h>

#include "squall/io.hpp"

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc != 3) return 2;
    constexpr std::int64_t n = 100'000;
    squall::io::StreamSpec spec;
    spec.name = "endless";
    spec.path = std::string(argv[1]) + "/%d_%H-%M-%S.nc";
    spec.frames_per_file = std::atoi(argv[2]);
    spec.dimensions = {{"n", n}};
    spec.fields = {{"A", squall::io::Type::f32, {"n"}, {}}, {"B", squall::io::Type::i32, {"n"}, {}}};
    squall::io::Session session(MPI_COMM_SELF);
    auto stream = session.open(spec);
    std::puts("started");
    std::fflush(stdout);
    for (int number = 0;; ++number) {
        auto frame = stream.begin({static_cast<double>(number)});
        const std::vector<float> a(n, static_cast<float>(number));
        const std::vector<std::int32_t> b(n, number);
        frame.put("A", {{0}, {n}}, a.data());
        frame.put("B", {{0}, {n}}, b.data());
        frame.commit();
    }
}
