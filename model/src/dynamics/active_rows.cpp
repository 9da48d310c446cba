#include "dynamics/active_rows.hpp"

#include <algorithm>

namespace squall {

void ActiveRows::find(const GridView &g, ConstField3 old, ConstField3 stage, ConstField3 held) {
    const auto any = [](const real *q, int i0, int i1) {
        return q[(i0 + i1) / 2] != 0 || any_of_row(q, i0, i1); // the middle: as in all rows of vapour
    };
#pragma omp parallel for schedule(static)
    for (int j = -halo_width; j < ny_ + halo_width; ++j)
        for (int k = 0; k < nz_; ++k) {
            bool found = any(stage.row(k, j), -halo_width, g.nx + halo_width);
            if (j >= -1 && j <= ny_) found = found || any(old.row(k, j), -1, g.nx + 1);
            if (held.origin && j >= 0 && j < ny_) found = found || any(held.row(k, j), 0, g.nx);
            active_[index(k, j)] = found;
        }
    for (int j = -halo_width; j < ny_ + halo_width; ++j)
        for (int k = 0; k < nz_; ++k) near_[index(k, j)] = any_around(k, j);
}

bool ActiveRows::any_around(int k, int j) const {
    bool found = false;
    for (int n = std::max(k - halo_width, 0); n < std::min(k + halo_width + 1, nz_); ++n)
        found = found || active_[index(n, j)];
    const int end = std::min(j + halo_width + 1, ny_ + halo_width);
    for (int n = std::max(j - halo_width, -halo_width); n < end; ++n) found = found || active_[index(k, n)];
    return found;
}

} // namespace squall
