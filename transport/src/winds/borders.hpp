/// A field of a patch with the cells next to it, which the faces between patches need.
#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include "parallel/decomposition.hpp"

namespace squall::transport {

class Bordered {
  public:
    /// `values`: (ny, layers, nx), i fastest. Beyond a pole there are zeros, and corners are not filled.
    /// Collective over `comm`, whose rank r computes make_patch(r, ...).
    Bordered(const std::vector<double> &values, int layers, const Patch &patch, MPI_Comm comm);

    /// i from -1 to nx, j from -1 to ny.
    double operator()(int i, int k, int j) const { return values_[index(i, k, j)]; }

  private:
    std::size_t index(int i, int k, int j) const {
        return static_cast<std::size_t>(((j + 1) * layers_ + k) * (nx_ + 2) + i + 1);
    }
    void exchange_columns(const Patch &patch, MPI_Comm comm);
    void exchange_rows(const Patch &patch, MPI_Comm comm);

    int nx_, ny_, layers_;
    std::vector<double> values_;
};

} // namespace squall::transport
