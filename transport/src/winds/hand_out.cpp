#include "winds/hand_out.hpp"

#include <array>
#include <cstddef>

namespace squall::transport {
namespace {

/// The cells of a patch among those that are read, as MPI describes a part of an array.
MPI_Datatype part_of(const Region &patch, int first_row, int rows, int layers, int nlon) {
    const std::array<int, 3> all{rows, layers, nlon}, size{patch.j1 - patch.j0, layers, patch.i1 - patch.i0},
        begin{patch.j0 - first_row, 0, patch.i0};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(3, all.data(), size.data(), begin.data(), MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

} // namespace

HandOut::HandOut(MPI_Comm comm, const Patch &patch, bool by_rows)
    : patch_(patch), first_row_(by_rows ? patch.y0 : 0), rows_(by_rows ? patch.shape.ny : patch.ny_domain) {
    MPI_Comm_split(comm, by_rows ? patch.cy : 0, patch.cx + patch.px * patch.cy, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &ranks_);
}

HandOut::~HandOut() { MPI_Comm_free(&comm_); }

std::vector<double> HandOut::operator()(const std::vector<double> &read, int layers, Sent &sent) const {
    const Shape &s = patch_.shape;
    std::vector<double> mine(static_cast<std::size_t>(s.nx * s.ny) * static_cast<std::size_t>(layers));
    std::vector<MPI_Request> requests(1);
    MPI_Irecv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, 0, 1, comm_, requests.data());
    if (reads())
        for (int rank = 0; rank < ranks_; ++rank) {
            const int first = rows_ == patch_.ny_domain ? 0 : patch_.px * patch_.cy;
            const Region region = region_of(patch_, first + rank);
            MPI_Datatype part = part_of(region, first_row_, rows_, layers, patch_.nx_domain);
            MPI_Isend(read.data(), 1, part, rank, 1, comm_, &requests.emplace_back());
            if (rank > 0) {
                int size = 0;
                MPI_Type_size(part, &size);
                ++sent.messages, sent.bytes += size;
            }
            MPI_Type_free(&part);
        }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return mine;
}

} // namespace squall::transport
