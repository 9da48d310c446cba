/// Flags of the rows of a patch, which tell where a scalar is, as kernels hold them (active_rows.hpp).
#pragma once

#include <algorithm>

#include "core/array.hpp"
#include "core/real.hpp"

namespace squall {

/// Whether any of q[i0] ... q[i1 - 1] is other than zero, as NaN is.
inline bool any_of_row(const real *q, int i0, int i1) {
    int found = 0;
#pragma omp simd reduction(| : found)
    for (int i = i0; i < i1; ++i) found |= q[i] != 0;
    return found != 0;
}

inline bool holds_any(const real *q, int i0, int i1) {
    return q[(i0 + i1) / 2] != 0 || any_of_row(q, i0, i1); // the middle: as in all rows of vapour
}

/// Flags of rows as kernels set them.
struct RowFlags {
    unsigned char *flags;
    int nz;
    unsigned char *line(int j) const { return flags + (j + halo_width) * nz; }
};

/// Marks the rows of a line that a stencil around their cells joins with an active one. Row by row of
/// levels, which vectorises: most of them are far from anything.
inline void mark_around(int j, int ny, RowFlags active, RowFlags marked) {
    const int nz = active.nz;
    unsigned char *near = marked.line(j);
    std::fill_n(near, nz, static_cast<unsigned char>(0));
    const int end = std::min(j + halo_width + 1, ny + halo_width);
    for (int n = std::max(j - halo_width, -halo_width); n < end; ++n)
        for (int k = 0; k < nz; ++k) near[k] |= active.line(n)[k];
    const unsigned char *here = active.line(j);
    for (int distance = 1; distance <= halo_width; ++distance)
        for (int k = distance; k < nz; ++k) {
            near[k] |= here[k - distance];
            near[k - distance] |= here[k];
        }
}

/// ActiveRows as kernels hold it.
struct ActiveRowsView {
    const unsigned char *rows = nullptr;
    int nz = 0;
    /// Whether a stencil around the cells of a row may meet anything. j from -halo_width to ny + 2.
    bool near(int k, int j) const { return rows[(j + halo_width) * nz + k]; }
};

} // namespace squall
