#include "patch.hpp"

namespace squall::bench {

Patch::Patch(const Contents &contents, io::Box part, Order order) : box(std::move(part)) {
    const std::ptrdiff_t halo = order == Order::model ? 3 : 0;
    const auto nk = box.count[0], nj = box.count[1] + 2 * halo, ni = box.count[2] + 2 * halo;
    strides = order == Order::model ? io::Strides{ni, nk * ni, 1} : io::Strides{nj * ni, ni, 1};
    offset = halo * (strides[1] + 1);
    if (points() == 0) return;
    for (int f = 0; f < contents.fields(); ++f) {
        values.emplace_back(static_cast<std::size_t>(nk * nj * ni));
        contents.fill(f, box, values[f].data() + offset, strides);
    }
}

io::Box part_of(const Contents &contents, MPI_Comm comm) {
    int rank = 0, size = 1, parts[2] = {0, 0};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Dims_create(size, 2, parts);
    const int at[2] = {rank / parts[1], rank % parts[1]};
    io::Box box{{0, 0, 0}, {contents.shape[0], 0, 0}};
    for (int d = 0; d < 2; ++d) {
        const auto n = contents.shape[d + 1];
        box.start[d + 1] = n * at[d] / parts[d];
        box.count[d + 1] = n * (at[d] + 1) / parts[d] - box.start[d + 1];
    }
    return box;
}

io::Box whole(const Contents &contents) { return {{0, 0, 0}, contents.shape}; }

} // namespace squall::bench
