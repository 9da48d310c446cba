#include "dynamics/active_rows.hpp"

#include <algorithm>

#include "parallel/launch.hpp"

namespace squall {
namespace {

bool any(const real *q, int i0, int i1) {
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
void mark_around(int j, int ny, RowFlags active, RowFlags marked) {
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

} // namespace

ActiveRows::ActiveRows(const GridView &grid, std::vector<ScratchMemory> &scratch)
    : grid_(grid), scratch_(&scratch),
      active_(static_cast<std::size_t>((grid.ny + 2 * halo_width) * grid.nz)), carried_(active_),
      near_(active_) {
    const Range lines{0, 1, -halo_width, grid.ny + halo_width, 0, 1};
    lines_ = make_tiles(lines, 1, 1);
    rows_ = make_tiles(lines.with_i(0, grid.nz), grid.nz, 1);
}

void ActiveRows::begin_step(ConstField3 old, ConstField3 held) {
    launch(rows_, *scratch_,
           [=, carried = RowFlags{carried_.data(), grid_.nz}, nx = grid_.nx, ny = grid_.ny](const Range &rows,
                                                                                            const Scratch &) {
               const int j = rows.j0;
               for (int k = rows.i0; k < rows.i1; ++k)
                   carried.line(j)[k] = any(old.row(k, j), -halo_width, nx + halo_width) ||
                                        (held.origin && j >= 0 && j < ny && any(held.row(k, j), 0, nx));
           });
}

void ActiveRows::find(ConstField3 stage) {
    const RowFlags active{active_.data(), grid_.nz};
    launch(rows_, *scratch_,
           [=, carried = RowFlags{carried_.data(), grid_.nz}, nx = grid_.nx](const Range &rows,
                                                                             const Scratch &) {
               const int j = rows.j0;
               for (int k = rows.i0; k < rows.i1; ++k)
                   active.line(j)[k] = carried.line(j)[k] ||
                                       (stage.origin && any(stage.row(k, j), -halo_width, nx + halo_width));
           });
    launch(lines_, *scratch_,
           [=, near = RowFlags{near_.data(), grid_.nz}, ny = grid_.ny](const Range &line, const Scratch &) {
               mark_around(line.j0, ny, active, near);
           });
}

} // namespace squall
