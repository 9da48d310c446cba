/// squall-pair: latency and bandwidth of messages between two ranks, in one and in both directions, as JSON.
/// `squall lab reproduce council-mpi` runs it.
///
/// Latency is half of the time there and back; bandwidth that of a window of messages under way at a time,
/// which the receiver confirms at its end. Of some batches the fastest counts, and the median is told beside
/// it.

#include <algorithm>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <mpi.h>
#include <nlohmann/json.hpp>

namespace {

constexpr int window = 32; ///< messages under way
constexpr int tag = 1;

struct Pair {
    int rank = 0;
    std::vector<char> out, in; ///< `window` messages each
    int peer() const { return 1 - rank; }
};

/// Back and forth, so many times.
void ping_pong(Pair &pair, int bytes, int times) {
    for (int n = 0; n < times; ++n)
        for (const int sender : {0, 1})
            if (pair.rank == sender)
                MPI_Send(pair.out.data(), bytes, MPI_BYTE, pair.peer(), tag, MPI_COMM_WORLD);
            else
                MPI_Recv(pair.in.data(), bytes, MPI_BYTE, pair.peer(), tag, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
}

/// Windows of messages from rank 0, or from both ranks at once.
void stream(Pair &pair, int bytes, int times, bool both) {
    std::vector<MPI_Request> requests;
    for (int n = 0; n < times; ++n) {
        requests.clear();
        for (int m = 0; m < window; ++m) {
            const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(m) * bytes;
            if (both || pair.rank == 1)
                MPI_Irecv(pair.in.data() + at, bytes, MPI_BYTE, pair.peer(), tag, MPI_COMM_WORLD,
                          &requests.emplace_back());
            if (both || pair.rank == 0)
                MPI_Isend(pair.out.data() + at, bytes, MPI_BYTE, pair.peer(), tag, MPI_COMM_WORLD,
                          &requests.emplace_back());
        }
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

struct Seconds {
    double best = 0, median = 0; ///< of a batch
};

Seconds time_of(int batches, const std::function<void()> &run) {
    std::vector<double> each;
    for (int b = 0; b <= batches; ++b) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begun = MPI_Wtime();
        run();
        if (b > 0) each.push_back(MPI_Wtime() - begun); // the first finds buffers new
    }
    std::ranges::sort(each);
    return {each.front(), each[each.size() / 2]};
}

nlohmann::ordered_json measure(Pair &pair, int bytes, int batches, std::int64_t amount) {
    const int windows =
        static_cast<int>(std::clamp<std::int64_t>(amount / (std::int64_t(window) * bytes), 2, 20));
    const int turns = windows * 4;
    const Seconds there = time_of(batches, [&] { ping_pong(pair, bytes, turns); });
    const Seconds one = time_of(batches, [&] { stream(pair, bytes, windows, false); });
    const Seconds both = time_of(batches, [&] { stream(pair, bytes, windows, true); });
    const double sent = double(bytes) * window * windows;
    return {{"bytes", bytes},
            {"latency", there.best / (2 * turns)},
            {"latency_median", there.median / (2 * turns)},
            {"one_way", sent / one.best},
            {"one_way_median", sent / one.median},
            {"both_ways", 2 * sent / both.best},
            {"both_ways_median", 2 * sent / both.median}};
}

std::string library() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    return text; // some count the zero at its end
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Latency and bandwidth of messages between two ranks.");
    std::vector<int> sizes;
    int batches = 11;
    std::int64_t amount = 1 << 24;
    for (int bytes = 1; bytes <= 1 << 22; bytes *= 4) sizes.push_back(bytes);
    app.add_option("--sizes", sizes, "sizes of messages [B]")->check(CLI::PositiveNumber);
    app.add_option("--batches", batches, "batches, of which the fastest counts")->check(CLI::PositiveNumber);
    app.add_option("--amount", amount, "approximate bytes per batch")->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    MPI_Init(&argc, &argv);
    int ranks = 0;
    Pair pair;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &pair.rank);
    if (ranks != 2) {
        if (pair.rank == 0) std::cerr << "squall-pair: started on " << ranks << " ranks; it needs two\n";
        MPI_Finalize();
        return 1;
    }
    const auto most = static_cast<std::size_t>(*std::ranges::max_element(sizes)) * window;
    pair.out.assign(most, 1), pair.in.assign(most, 0);
    auto rows = nlohmann::ordered_json::array();
    for (const int bytes : sizes) rows.push_back(measure(pair, bytes, batches, amount));
    if (pair.rank == 0)
        std::cout << nlohmann::ordered_json{{"library", library()}, {"sizes", rows}} << std::endl;
    MPI_Finalize();
    return 0;
}
