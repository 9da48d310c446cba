#include "dynamics/diffusion/metrics.hpp"

#include "core/constants.hpp"

namespace squall::diffusion {

void compute_metrics(Range cells, const GridView &grid, ConstField3 ph, const Metrics &m) {
    constexpr real g = constants::g;
    const int nz = grid.nz;
    const ConstField3 phb = grid.phb;
    const real per_x = grid.rdx / g, per_y = grid.rdy / g;

    for_each(cells.with_k(0, nz), [=](int i, int k, int j) {
        m.rdzw(i, k, j) = g / ((phb(i, k + 1, j) - phb(i, k, j)) + (ph(i, k + 1, j) - ph(i, k, j)));
    });
    for_each(cells.with_k(1, nz), [=](int i, int k, int j) {
        m.rdz(i, k, j) =
            2 * g / ((phb(i, k + 1, j) - phb(i, k - 1, j)) + (ph(i, k + 1, j) - ph(i, k - 1, j)));
    });
    // Base state and perturbation apart: over flat ground the large term cancels exactly.
    for_each(cells.with_k(0, nz + 1), [=](int i, int k, int j) {
        m.zx(i, k, j) = per_x * ((phb(i, k, j) - phb(i - 1, k, j)) + (ph(i, k, j) - ph(i - 1, k, j)));
        m.zy(i, k, j) = per_y * ((phb(i, k, j) - phb(i, k, j - 1)) + (ph(i, k, j) - ph(i, k, j - 1)));
    });
}

} // namespace squall::diffusion
