#include "grid/grid_view.hpp"
#include "grid/surface_wind.hpp"
#include "initial/initial.hpp"

namespace squall {

// From the surface up, decaying with the square of eta.
void set_initial_w(InitialState &s) {
    const Shape n = s.grid.shape;
    const Range cells{0, n.nx, 0, n.ny, 0, n.nz};
    const Field3 w = s.state.w.view();
    set_surface_w(cells, GridView(s.grid), s.state.u.view(), s.state.v.view(), w);
    for_each_row(cells.with_k(1, n.nz + 1), [&](int k, int j) {
        return [w = w.row(k, j), surface = w.row(0, j), eta = s.grid.vertical.znw[k]](int i) {
            w[i] = surface[i] * eta * eta;
        };
    });
}

} // namespace squall
