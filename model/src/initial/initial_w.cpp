#include <cmath>

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

bool keeps_given_w(const InitialConfig &config, const InitialState &s, MPI_Comm comm) {
    if (config.vertical_wind != "file") return false;
    const Shape n = s.grid.shape;
    int there = 0;
    for (int j = 0; j < n.ny; ++j)
        for (int k = 0; k <= n.nz; ++k)
            for (int i = 0; i < n.nx; ++i) there |= std::abs(s.state.w(i, k, j)) >= real(1e-6);
    if (comm != MPI_COMM_NULL) MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_INT, MPI_LOR, comm);
    return there != 0;
}

} // namespace squall
