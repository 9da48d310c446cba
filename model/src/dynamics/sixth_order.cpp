#include "dynamics/sixth_order.hpp"

#include <algorithm>
#include <limits>

namespace squall {
namespace {

constexpr int reach = 3;

Range within(Range range, Range limits, int more_i, int more_j) {
    return {std::max(range.i0, limits.i0),
            std::min(range.i1, limits.i1 + more_i),
            std::max(range.j0, limits.j0),
            std::min(range.j1, limits.j1 + more_j),
            range.k0,
            range.k1};
}

/// tend += coefficient times the difference of fluxes along (di, dj), each between a point and the one before
/// it: 10 first differences less 5 of three grid lengths and 1 of five (their equation 4), with the mean of
/// both points' `mass(i, k, j)`.
template <class Mass>
void add_along(int di, int dj, Range range, ConstField3 q, Mass mass, real coefficient, bool monotonic,
               Field3 tend) {
    for_each(range, [=](int i0, int k, int j0) {
        const auto flux = [&](int i, int j) {
            const auto at = [&](int n) { return q(i + n * di, k, j + n * dj); };
            const real near = at(0) - at(-1);
            const real f = 10 * near - 5 * (at(1) - at(-2)) + (at(2) - at(-3));
            if (monotonic && f * near <= 0) return real(0);
            return real(0.5) * (mass(i, k, j) + mass(i - di, k, j - dj)) * f;
        };
        tend(i0, k, j0) += coefficient * (flux(i0 + di, j0 + dj) - flux(i0, j0));
    });
}

} // namespace

SixthOrderFilter::SixthOrderFilter(const DiffusionConfig &config, const Boundaries &sides, const Patch &patch,
                                   real dt)
    : factor_(static_cast<real>(config.sixth_order_factor)), coefficient_(factor_ / 64 / (2 * dt)),
      monotonic_(config.sixth_order == "monotonic") {
    constexpr int far = std::numeric_limits<int>::max() / 2;
    const auto left_alone = [](bool edge, Boundary side) {
        return edge && (side == Boundary::open || side == Boundary::specified);
    };
    inner_ = {left_alone(patch.at_west(), sides.west) ? reach : -far,
              left_alone(patch.at_east(), sides.east) ? patch.shape.nx - reach : far,
              left_alone(patch.at_south(), sides.south) ? reach : -far,
              left_alone(patch.at_north(), sides.north) ? patch.shape.ny - reach : far,
              0,
              patch.shape.nz};
}

void SixthOrderFilter::add(Range tile, Range u_faces, Range v_faces, const GridView &g, const State &s,
                           ConstField2 muu, ConstField2 muv, Tendencies &t) const {
    const auto both = [&](Range range, const Array3 &q, auto mass, Array3 &tend) {
        add_along(1, 0, range, q.view(), mass, coefficient_, monotonic_, tend.view());
        add_along(0, 1, range, q.view(), mass, coefficient_, monotonic_, tend.view());
    };
    const auto on_faces = [](const GridView &grid, ConstField2 mu, ConstField2 metric) {
        return [=, c1 = grid.c1h, c2 = grid.c2h](int i, int k, int j) {
            return (c1[k] * mu(i, j) + c2[k]) / metric(i, j);
        };
    };
    const auto on_cells = [&](ConstProfile c1, ConstProfile c2) {
        return [=, mub = g.mub, mu = s.mu.view(), metric = g.msfty](int i, int k, int j) {
            return (c1[k] * (mub(i, j) + mu(i, j)) + c2[k]) / metric(i, j);
        };
    };
    both(within(u_faces.with_k(0, g.nz), inner_, 1, 0), s.u, on_faces(g, muu, g.msfuy), t.u);
    both(within(v_faces.with_k(0, g.nz), inner_, 0, 1), s.v, on_faces(g, muv, g.msfvx), t.v);
    both(within(tile.with_k(1, g.nz), inner_, 0, 0), s.w, on_cells(g.c1f, g.c2f), t.w);
    const Range cells = within(tile.with_k(0, g.nz), inner_, 0, 0);
    both(cells, s.theta, on_cells(g.c1h, g.c2h), t.theta);
    for (std::size_t n = 0; n < s.scalars.size(); ++n)
        both(cells, s.scalars[n], on_cells(g.c1h, g.c2h), t.scalars[n]);
}

} // namespace squall
