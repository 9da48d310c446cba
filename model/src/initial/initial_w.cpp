#include "initial/initial.hpp"

namespace squall {

// The wind along the surface (extrapolated from three layers) up the slope on either side of the
// cell, halved and summed over x and y; above, decaying with the square of eta.
void set_initial_w(InitialState &s) {
    const Grid &g = s.grid;
    const VerticalGrid &v = g.vertical;
    const auto surface = [&](const Array3 &x, int i, int j) {
        return v.cf1 * x(i, 0, j) + v.cf2 * x(i, 1, j) + v.cf3 * x(i, 2, j);
    };
    const Array2 &h = g.terrain;
    for (int j = 0; j < g.shape.ny; ++j)
        for (int i = 0; i < g.shape.nx; ++i) {
            const real across = g.msfty(i, j) * real(0.5) * g.rdy *
                                ((h(i, j + 1) - h(i, j)) * surface(s.state.v, i, j + 1) +
                                 (h(i, j) - h(i, j - 1)) * surface(s.state.v, i, j));
            const real along = g.msftx(i, j) * real(0.5) * g.rdx *
                               ((h(i + 1, j) - h(i, j)) * surface(s.state.u, i + 1, j) +
                                (h(i, j) - h(i - 1, j)) * surface(s.state.u, i, j));
            s.state.w(i, 0, j) = across + along;
            for (int k = 1; k <= v.nz; ++k) s.state.w(i, k, j) = s.state.w(i, 0, j) * v.znw[k] * v.znw[k];
        }
}

} // namespace squall
