/// Where in a patch a scalar is.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// Whether any of q[i0] ... q[i1 - 1] is other than zero, as NaN is.
inline bool any_of_row(const real *q, int i0, int i1) {
    int found = 0;
#pragma omp simd reduction(| : found)
    for (int i = i0; i < i1; ++i) found |= q[i] != 0;
    return found != 0;
}

/// Which rows of a patch (all i of a level k and a line j) hold anything of a scalar: rows far from any
/// need no transport, and most of the clouds and tracers of a domain are such.
class ActiveRows {
  public:
    explicit ActiveRows(Shape shape)
        : ny_(shape.ny), nz_(shape.nz), active_(static_cast<std::size_t>((ny_ + 2 * halo_width) * nz_)),
          carried_(active_), near_(active_) {}

    /// Looks for values that are not zero in what all stages of a step read, halo included; `held` may be
    /// without data.
    void begin_step(const GridView &grid, ConstField3 old, ConstField3 held);
    /// The same in a stage; without data where it is `old`.
    void find(const GridView &grid, ConstField3 stage);
    /// Whether a stencil around the cells of a row may meet anything. j from -halo_width to ny + 2.
    bool near(int k, int j) const { return near_[index(k, j)]; }

  private:
    void mark_around(int j);
    std::size_t index(int k, int j) const { return static_cast<std::size_t>((j + halo_width) * nz_ + k); }

    int ny_, nz_;
    std::vector<unsigned char> active_;  ///< rows that hold something
    std::vector<unsigned char> carried_; ///< those of them that do so in all stages
    std::vector<unsigned char> near_;
};

} // namespace squall
