#include "dynamics/active_rows.hpp"

#include "parallel/launch.hpp"

namespace squall {

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
                   carried.line(j)[k] = holds_any(old.row(k, j), -halo_width, nx + halo_width) ||
                                        (held.origin && j >= 0 && j < ny && holds_any(held.row(k, j), 0, nx));
           });
}

void ActiveRows::find(ConstField3 stage) {
    const RowFlags active{active_.data(), grid_.nz};
    launch(rows_, *scratch_,
           [=, carried = RowFlags{carried_.data(), grid_.nz}, nx = grid_.nx](const Range &rows,
                                                                             const Scratch &) {
               const int j = rows.j0;
               for (int k = rows.i0; k < rows.i1; ++k)
                   active.line(j)[k] =
                       carried.line(j)[k] ||
                       (stage.origin && holds_any(stage.row(k, j), -halo_width, nx + halo_width));
           });
    launch(lines_, *scratch_,
           [=, near = RowFlags{near_.data(), grid_.nz}, ny = grid_.ny](const Range &line, const Scratch &) {
               mark_around(line.j0, ny, active, near);
           });
}

} // namespace squall
