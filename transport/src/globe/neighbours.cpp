#include "globe/neighbours.hpp"

#include <algorithm>

namespace squall::transport {
namespace {

std::size_t at(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }

void set_polar_row(Block &block, int j) {
    std::fill_n(block.row(0, 0, j), block.row_stride(), 0.0);
    for (int k = 0; k < block.shape().nz; ++k) std::fill_n(block.row(0, k, j), block.shape().nx, 1.0);
}

} // namespace

Neighbours::Neighbours(MPI_Comm comm, const Patch &patch) : patch_(patch) {
    MPI_Comm_dup(comm, &comm_);
    MPI_Comm_split(comm_, patch.cy, patch.cx, &row_comm_);
}

Neighbours::~Neighbours() {
    MPI_Comm_free(&row_comm_);
    MPI_Comm_free(&comm_);
}

void Neighbours::fill_rows(Block &block) {
    const int ny = block.shape().ny;
    const auto size = static_cast<int>(block.row_stride()); // a row of all fields and layers is one piece
    MPI_Sendrecv(block.row(0, 0, ny - 1), size, MPI_DOUBLE, patch_.north, 1, block.row(0, 0, -1), size,
                 MPI_DOUBLE, patch_.south, 1, comm_, MPI_STATUS_IGNORE);
    MPI_Sendrecv(block.row(0, 0, 0), size, MPI_DOUBLE, patch_.south, 2, block.row(0, 0, ny), size, MPI_DOUBLE,
                 patch_.north, 2, comm_, MPI_STATUS_IGNORE);
    if (patch_.at_south()) set_polar_row(block, -1);
    if (patch_.at_north()) set_polar_row(block, ny);
}

void Neighbours::largest_in_rows(std::span<double> numbers) const {
    if (patch_.px > 1)
        MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, MPI_MAX,
                      row_comm_);
}

double Neighbours::largest(double number) const {
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_MAX, comm_);
    return number;
}

double *Neighbours::side(int j, int place, int f, int k) {
    return &sides_[offsets_[at(j)] + at((f * nz_ + k) * 2 * wanted_.reach(j) + place)];
}

void Neighbours::pack_for(int rank, const Block &block, Scratch<double> &message) const {
    wanted_.for_each_wanted(rank, patch_.cx, [&](int j, int, int column) {
        for (int f = 0; f < fields_; ++f)
            for (int k = 0; k < nz_; ++k) message.push_back(block.row(f, k, j)[column - patch_.x0]);
    });
}

void Neighbours::unpack_from(int rank, const double *message) {
    wanted_.for_each_wanted(patch_.cx, rank, [&](int j, int place, int) {
        for (int f = 0; f < fields_; ++f)
            for (int k = 0; k < nz_; ++k) *side(j, place, f, k) = *message++;
    });
}

void Neighbours::fetch_sides(const Block &block, const std::vector<int> &reach) {
    wanted_.reach_to(patch_, reach);
    if (patch_.px == 1) return;
    nz_ = block.shape().nz, fields_ = block.fields();
    offsets_.clear();
    std::size_t cells = 0;
    for (const int h : reach) offsets_.push_back(cells), cells += at(2 * h * nz_ * fields_);
    sides_.resize(cells);

    Scratch<int> sent, received, send_begins, receive_begins;
    Scratch<double> outgoing;
    int total = 0;
    for (int rank = 0; rank < patch_.px; ++rank) {
        send_begins.push_back(static_cast<int>(outgoing.size()));
        pack_for(rank, block, outgoing);
        sent.push_back(static_cast<int>(outgoing.size()) - send_begins.back());
        const auto wanted = static_cast<int>(wanted_.wanted(patch_.cx, rank)) * nz_ * fields_;
        receive_begins.push_back(total), received.push_back(wanted);
        total += wanted;
    }
    Scratch<double> incoming(at(total));
    MPI_Alltoallv(outgoing.data(), sent.data(), send_begins.data(), MPI_DOUBLE, incoming.data(),
                  received.data(), receive_begins.data(), MPI_DOUBLE, row_comm_);
    for (int rank = 0; rank < patch_.px; ++rank)
        unpack_from(rank, incoming.data() + receive_begins[at(rank)]);
}

void Neighbours::copy_row(const Block &block, int f, int k, int j, double *cells) const {
    std::copy_n(block.row(f, k, j), block.shape().nx, cells + wanted_.reach(j));
    copy_sides(block, f, k, j, cells);
}

void Neighbours::copy_sides(const Block &block, int f, int k, int j, double *cells) const {
    const int h = wanted_.reach(j), n = block.shape().nx;
    const double *row = block.row(f, k, j);
    const double *fetched = patch_.px > 1 ? &sides_[offsets_[at(j)] + at((f * nz_ + k) * 2 * h)] : nullptr;
    for (int place = 0; place < h; ++place) {
        cells[place] = fetched ? fetched[place] : row[n - h + place];
        cells[h + n + place] = fetched ? fetched[h + place] : row[place];
    }
}

} // namespace squall::transport
