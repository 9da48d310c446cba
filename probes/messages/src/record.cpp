#include "record.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace squall::messages {
namespace {

int &depth() {
    thread_local int calls_under_way = 0;
    return calls_under_way;
}

constexpr std::array kinds{"sent", "received", "collective", "waiting"};

/// The number of the bin.
std::size_t bin_of(double bytes) {
    if (bytes < 1) return 0;
    return std::min(bins - 1, static_cast<std::size_t>(std::ilogb(bytes)) + 1);
}

/// A rank's: messages, bytes, and seconds by kind.
struct Sums {
    double messages = 0, bytes = 0;
    std::array<double, kinds.size()> seconds{};
};

Sums sums_of(const Counts &counts) {
    Sums sums;
    for (std::size_t c = 0; c < calls.size(); ++c)
        for (const Bin &bin : counts[c]) {
            sums.seconds[static_cast<std::size_t>(calls[c].kind)] += bin.seconds;
            if (calls[c].kind == Kind::sent) sums.messages += bin.count, sums.bytes += bin.bytes;
        }
    return sums;
}

void write_calls(std::ostream &out, const Counts &counts) {
    const char *between = "";
    for (std::size_t c = 0; c < calls.size(); ++c)
        for (std::size_t b = 0; b < bins; ++b) {
            const Bin &bin = counts[c][b];
            if (bin.count == 0) continue;
            out << between << "\n  {\"call\": \"MPI_" << calls[c].name << "\", \"kind\": \""
                << kinds[static_cast<std::size_t>(calls[c].kind)]
                << "\", \"below\": " << std::ldexp(1.0, static_cast<int>(b)) << ", \"count\": " << bin.count
                << ", \"bytes\": " << bin.bytes << ", \"seconds\": " << bin.seconds << "}";
            between = ",";
        }
}

void write_ranks(std::ostream &out, const std::vector<Sums> &ranks) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        out << (r ? "," : "") << "\n  {\"rank\": " << r << ", \"messages\": " << ranks[r].messages
            << ", \"bytes\": " << ranks[r].bytes << ", \"seconds\": {";
        for (std::size_t k = 0; k < kinds.size(); ++k)
            out << (k ? ", " : "") << "\"" << kinds[k] << "\": " << ranks[r].seconds[k];
        out << "}}";
    }
}

} // namespace

Record &Record::ours() {
    static Record record;
    return record;
}

void Record::begin() { begun_ = PMPI_Wtime(); }

void Record::count(std::size_t call, double bytes, double seconds) {
    const std::lock_guard lock(mutex_);
    Bin &bin = counts_[call][bin_of(bytes)];
    bin.count += 1, bin.bytes += bytes, bin.seconds += seconds;
}

void Record::write() {
    const char *file = std::getenv("SQUALL_MESSAGES");
    if (!file || written_) return;
    written_ = true;
    int rank = 0, ranks = 1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const double seconds = PMPI_Wtime() - begun_;
    Counts all{};
    PMPI_Reduce(&counts_, &all, sizeof all / sizeof(double), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    const Sums mine = sums_of(counts_);
    std::vector<Sums> each(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
    PMPI_Gather(&mine, sizeof mine / sizeof(double), MPI_DOUBLE, each.data(), sizeof mine / sizeof(double),
                MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank != 0) return;
    std::ofstream out(file);
    out.precision(12);
    out << "{\"seconds\": " << seconds << ", \"calls\": [";
    write_calls(out, all);
    out << "],\n \"ranks\": [";
    write_ranks(out, each);
    out << "]}\n";
    if (!out.flush()) std::fprintf(stderr, "squall: cannot write the counts of messages to %s\n", file);
}

Counted::Counted(std::size_t call, double bytes) : call_(call), bytes_(bytes) {
    if (depth()++ == 0) begun_ = PMPI_Wtime();
}

Counted::~Counted() {
    if (--depth() == 0) Record::ours().count(call_, bytes_, PMPI_Wtime() - begun_);
}

double size_of(const void *buffer, int count, MPI_Datatype type) {
    if (buffer == MPI_IN_PLACE || type == MPI_DATATYPE_NULL || count <= 0) return 0;
    int size = 0;
    PMPI_Type_size(type, &size);
    return double(count) * size;
}

double sum_of(const int *counts, MPI_Comm comm) {
    int between = 0, ranks = 0;
    PMPI_Comm_test_inter(comm, &between);
    between ? PMPI_Comm_remote_size(comm, &ranks) : PMPI_Comm_size(comm, &ranks);
    double sum = 0;
    for (int r = 0; r < ranks; ++r) sum += counts[r];
    return sum;
}

} // namespace squall::messages
