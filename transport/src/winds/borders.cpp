#include "winds/borders.hpp"

#include <algorithm>

namespace squall::transport {

Bordered::Bordered(const std::vector<double> &values, int layers, const Patch &patch, MPI_Comm comm)
    : nx_(patch.shape.nx), ny_(patch.shape.ny), layers_(layers), values_(index(nx_, layers - 1, ny_) + 1) {
    for (int j = 0; j < ny_; ++j)
        for (int k = 0; k < layers_; ++k)
            std::copy_n(values.begin() + (j * layers_ + k) * nx_, nx_,
                        values_.begin() + static_cast<std::ptrdiff_t>(index(0, k, j)));
    exchange_columns(patch, comm);
    exchange_rows(patch, comm);
}

void Bordered::exchange_columns(const Patch &patch, MPI_Comm comm) {
    const auto column = [&](int i) {
        std::vector<double> message;
        for (int j = 0; j < ny_; ++j)
            for (int k = 0; k < layers_; ++k) message.push_back(values_[index(i, k, j)]);
        return message;
    };
    const auto put = [&](int i, const std::vector<double> &message) {
        auto next = message.begin();
        for (int j = 0; j < ny_; ++j)
            for (int k = 0; k < layers_; ++k) values_[index(i, k, j)] = *next++;
    };
    const std::vector<double> first = column(0), last = column(nx_ - 1);
    const auto size = static_cast<int>(first.size());
    std::vector<double> from_west(first.size()), from_east(first.size());
    MPI_Sendrecv(last.data(), size, MPI_DOUBLE, patch.east, 1, from_west.data(), size, MPI_DOUBLE, patch.west,
                 1, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(first.data(), size, MPI_DOUBLE, patch.west, 2, from_east.data(), size, MPI_DOUBLE,
                 patch.east, 2, comm, MPI_STATUS_IGNORE);
    put(-1, from_west), put(nx_, from_east);
}

void Bordered::exchange_rows(const Patch &patch, MPI_Comm comm) {
    const int size = (nx_ + 2) * layers_;
    const auto row = [&](int j) { return &values_[index(-1, 0, j)]; };
    MPI_Sendrecv(row(ny_ - 1), size, MPI_DOUBLE, patch.north, 1, row(-1), size, MPI_DOUBLE, patch.south, 1,
                 comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(0), size, MPI_DOUBLE, patch.south, 2, row(ny_), size, MPI_DOUBLE, patch.north, 2, comm,
                 MPI_STATUS_IGNORE);
}

} // namespace squall::transport
