/// From the ranks that read rows of winds to all patches.
#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include "parallel/decomposition.hpp"

namespace squall::transport {

/// To other ranks.
struct Sent {
    std::int64_t messages = 0, bytes = 0;
};

/// Who reads which rows, and how they come to the patches: each patch's cells alone, without a halo, by
/// derived types of MPI.
class HandOut {
  public:
    /// `by_rows`: the first rank of each row of patches reads these rows; else the first of all reads all.
    /// Collective.
    HandOut(MPI_Comm comm, const Patch &patch, bool by_rows);
    ~HandOut();
    HandOut(const HandOut &) = delete;
    HandOut &operator=(const HandOut &) = delete;

    bool reads() const { return rank_ == 0; }
    /// What this rank reads if it does.
    int first_row() const { return first_row_; }
    int rows() const { return rows_; }

    /// `read`: (rows(), layers, nlon), i fastest; not looked at on ranks that do not read. Returns the
    /// patch's (ny, layers, nx), and adds what this rank sends to `sent`. Collective.
    std::vector<double> operator()(const std::vector<double> &read, int layers, Sent &sent) const;

  private:
    Patch patch_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, ranks_ = 1;
    int first_row_ = 0, rows_ = 0;
};

} // namespace squall::transport
