/// A patch of an atmosphere with layers of equal thickness, moving or not, for monitor tests.
#pragma once

#include "parallel/tiles.hpp"
#include "run/monitor.hpp"

namespace squall::test {

inline constexpr double layer_thickness = 500; ///< [m]

/// dx = 10 km, dy = 20 km, dt = 60 s, fifth- and third-order advection.
inline Stepping monitor_stepping() {
    Stepping s;
    s.time_step = 60;
    s.acoustic_substeps = 4;
    s.dx = 10e3, s.dy = 20e3;
    return s;
}

struct MonitorCase {
    explicit MonitorCase(const Patch &p, MPI_Comm comm = MPI_COMM_NULL, int tile = 5)
        : patch(p), state(p.shape, 2),
          monitor(comm, p, Boundaries{}, grid, monitor_stepping(), tiles(tile), {"QVAPOR", "smoke"}) {
        grid.shape = p.shape;
        grid.dx = 10e3, grid.dy = 20e3;
        grid.rdx = 1 / grid.dx, grid.rdy = 1 / grid.dy;
        for (Array2 *m : {&grid.msftx, &grid.msfty, &grid.msfux, &grid.msfvy})
            *m = Array2(p.shape), m->fill(1);
        grid.phb = Array3(p.shape);
        set_height([](int, int) { return 0.0; });
    }

    /// Lifts every interface by height(i, j) [m] of global indices, halo included.
    template <class F> void set_height(F height) {
        for (int j = -1; j <= patch.shape.ny; ++j)
            for (int k = 0; k <= patch.shape.nz; ++k)
                for (int i = -1; i <= patch.shape.nx; ++i)
                    grid.phb(i, k, j) =
                        real(9.81 * (k * layer_thickness + height(i + patch.x0, j + patch.y0)));
    }

    std::vector<Range> tiles(int size) const {
        return make_tiles({0, patch.shape.nx, 0, patch.shape.ny, 0, patch.shape.nz}, size, size);
    }

    /// Sets one value by global indices where this patch owns the point.
    void set(Array3 &a, GridPoint at, real value) {
        const int i = at.i - patch.x0, j = at.j - patch.y0;
        if (i >= 0 && i < patch.shape.nx && j >= 0 && j < patch.shape.ny) a(i, at.k, j) = value;
    }

    Patch patch;
    Grid grid;
    State state;
    Monitor monitor;
};

} // namespace squall::test
