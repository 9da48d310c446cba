#include "dynamics/diffusion/sponge.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "core/constants.hpp"
#include "core/elementary.hpp"

namespace squall::diffusion {

void raise_in_sponge(Range around, const GridView &grid, ConstField3 ph, const Sponge &sponge, real dt,
                     const Viscosity &viscosity) {
    const int top = grid.nz;
    const auto height = [phb = grid.phb, ph](int i, int k, int j) {
        return (phb(i, k, j) + ph(i, k, j)) / constants::g;
    };
    const auto middle = [=](int i, int k, int j) {
        return real(0.5) * (height(i, k, j) + height(i, k + 1, j));
    };
    const auto distance = [=, as_wrf = sponge.as_wrf](int i, int k, int j) {
        if (!as_wrf || k == top - 1) return height(i, top, j) - middle(i, k, j);
        if (k == 0) return std::numeric_limits<real>::max();
        return height(i, top, j) - middle(i, top - 1, j) + middle(i, top - 2, j) - middle(i, k - 1, j);
    };
    const Range cells{std::max(around.i0, sponge.cells.i0),
                      std::min(around.i1, sponge.cells.i1),
                      std::max(around.j0, sponge.cells.j0),
                      std::min(around.j1, sponge.cells.j1),
                      0,
                      top};
    const ConstField2 mx = grid.msftx, my = grid.msfty;
    const real depth = sponge.depth, number = sponge.number;
    for_each(cells, [=, dx = grid.dx, dy = grid.dy, out = viscosity](int i, int k, int j) {
        const real from_top = std::min(distance(i, k, j) / depth, real(1));
        if (from_top >= 1) return;
        const real cosine = sine(real(std::numbers::pi / 2) * (1 - from_top));
        const real rate = number * cosine * cosine / dt;
        const real l = std::min(dx / mx(i, j), dy / my(i, j)), dz = height(i, k + 1, j) - height(i, k, j);
        const real horizontal = rate * l * l, vertical = std::min(rate * dz * dz, horizontal);
        const auto raise = [=](const Field3 &q, real least) {
            if (q.origin) q(i, k, j) = std::max(q(i, k, j), least);
        };
        raise(out.momentum_h, horizontal);
        raise(out.scalar_h, horizontal);
        if (out.momentum_v.origin != out.momentum_h.origin) raise(out.momentum_v, vertical);
        if (out.scalar_v.origin != out.scalar_h.origin) raise(out.scalar_v, vertical);
    });
}

} // namespace squall::diffusion
