#include "dynamics/active_rows.hpp"

#include <algorithm>

namespace squall {

namespace {

bool any(const real *q, int i0, int i1) {
    return q[(i0 + i1) / 2] != 0 || any_of_row(q, i0, i1); // the middle: as in all rows of vapour
}

} // namespace

void ActiveRows::begin_step(const GridView &g, ConstField3 old, ConstField3 held) {
#pragma omp parallel for schedule(static)
    for (int j = -halo_width; j < ny_ + halo_width; ++j)
        for (int k = 0; k < nz_; ++k)
            carried_[index(k, j)] = any(old.row(k, j), -halo_width, g.nx + halo_width) ||
                                    (held.origin && j >= 0 && j < ny_ && any(held.row(k, j), 0, g.nx));
}

void ActiveRows::find(const GridView &g, ConstField3 stage) {
#pragma omp parallel for schedule(static)
    for (int j = -halo_width; j < ny_ + halo_width; ++j)
        for (int k = 0; k < nz_; ++k)
            active_[index(k, j)] = carried_[index(k, j)] ||
                                   (stage.origin && any(stage.row(k, j), -halo_width, g.nx + halo_width));
#pragma omp parallel for schedule(static)
    for (int j = -halo_width; j < ny_ + halo_width; ++j) mark_around(j);
}

/// Row by row of levels, which vectorises: most of them are far from anything.
void ActiveRows::mark_around(int j) {
    unsigned char *near = &near_[index(0, j)];
    std::fill_n(near, nz_, 0);
    const int end = std::min(j + halo_width + 1, ny_ + halo_width);
    for (int n = std::max(j - halo_width, -halo_width); n < end; ++n) {
        const unsigned char *active = &active_[index(0, n)];
        for (int k = 0; k < nz_; ++k) near[k] |= active[k];
    }
    const unsigned char *active = &active_[index(0, j)];
    for (int distance = 1; distance <= halo_width; ++distance)
        for (int k = distance; k < nz_; ++k) {
            near[k] |= active[k - distance];
            near[k - distance] |= active[k];
        }
}

} // namespace squall
