/// Writes frames until it is killed:
///
///     endless_writer DIRECTORY FRAMES_PER_FILE
///         [ENGINE PLACEMENT SERVERS BURST_DIR WATCHDOG THREADS POINTS]
///
/// of two fields of so many points a rank.
///
/// Prints a line when it starts; rank r leaves its process number in DIRECTORY/pid.r.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <mpi.h>
#include <unistd.h>

#include "squall/io.hpp"

namespace io = squall::io;

int main(int argc, char **argv) {
    int level = 0, rank = 0;
    const bool funneled = argc > 8 && std::string(argv[8]) == "funneled";
    MPI_Init_thread(&argc, &argv, funneled ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 3) return 2;
    const auto argument = [&](int n, const char *otherwise) {
        return std::string(argc > n ? argv[n] : otherwise);
    };
    const std::string directory = argv[1];
    io::SessionSpec session_spec;
    session_spec.servers = std::stoi(argument(5, "0"));
    session_spec.watchdog = std::stod(argument(7, "60"));
    io::Session session(MPI_COMM_WORLD, session_spec);
    std::ofstream(directory + "/pid." + std::to_string(rank)) << getpid() << std::endl;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        std::puts("started");
        std::fflush(stdout);
    }
    if (!session.computes()) {
        session.serve();
        return 0;
    }
    int me = 0, n = 1;
    MPI_Comm_rank(session.comm(), &me);
    MPI_Comm_size(session.comm(), &n);
    const std::int64_t points = std::stoll(argument(9, "50000"));
    io::StreamSpec spec;
    spec.name = "endless";
    spec.engine = argument(3, "netcdf");
    spec.placement = argument(4, "inline");
    spec.burst_dir = argument(6, "");
    spec.path = directory + "/%d_%H-%M-%S.nc";
    spec.frames_per_file = std::atoi(argv[2]);
    spec.staging_limit = static_cast<std::size_t>(std::min<std::int64_t>(20 * points * 4, 500'000'000));
    spec.dimensions = {{"rank", n}, {"n", points}};
    spec.fields = {{"A", io::Type::f32, {"rank", "n"}, {}}, {"B", io::Type::i32, {"rank", "n"}, {}}};
    auto stream = session.open(spec);
    for (int number = 0;; ++number) {
        auto frame = stream.begin({static_cast<double>(number)});
        const std::vector<float> a(static_cast<std::size_t>(points), static_cast<float>(number));
        const std::vector<std::int32_t> b(static_cast<std::size_t>(points), number);
        frame.put("A", {{me, 0}, {1, points}}, a.data());
        frame.put("B", {{me, 0}, {1, points}}, b.data());
        frame.commit();
    }
}
