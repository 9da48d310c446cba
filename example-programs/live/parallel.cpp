// As live.cpp on several ranks, each of which reads its rows of a field of two dimensions.
//
//     mpiexec -n 4 parallel-cpp RUN FIELD
#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include <squall/io_subscribe.hpp>

namespace io = squall::io;

namespace {

void follow(const char *run, const char *field, int rank, int ranks) {
    io::Subscriber live(run, MPI_COMM_WORLD); // all ranks get the same frames
    while (!live.ended()) {
        const auto frame = live.next(60);
        if (!frame) continue;
        const auto shape = frame->shape(field);
        const auto first = shape[0] * rank / ranks, end = shape[0] * (rank + 1) / ranks;
        std::vector<float> values((end - first) * shape[1]);
        frame->read(field, 0, {{first, 0}, {end - first, shape[1]}}, values.data());
        live.release();
        float most = -std::numeric_limits<float>::infinity();
        for (const float value : values) most = std::max(most, value);
        MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &most, &most, 1, MPI_FLOAT, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0) std::printf("%d %.4f\n", static_cast<int>(live.number()), most);
        std::fflush(stdout);
    }
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int level, rank, ranks;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    try {
        follow(argv[1], argv[2], rank, ranks);
    } catch (const io::Error &e) {
        std::fprintf(stderr, "live: %s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}
