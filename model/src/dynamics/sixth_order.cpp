#include "dynamics/sixth_order.hpp"

#include <algorithm>

namespace squall {
namespace {

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

/// The same along x and y.
template <class Mass>
void add_along_both(Range range, ConstField3 q, Mass mass, real coefficient, bool monotonic, Field3 tend) {
    add_along(1, 0, range, q, mass, coefficient, monotonic, tend);
    add_along(0, 1, range, q, mass, coefficient, monotonic, tend);
}

/// Callable: mass per unit eta over the map factor, on faces and on cells.
auto mass_on_faces(const GridView &g, ConstField2 mu, ConstField2 metric) {
    return [=, c1 = g.c1h, c2 = g.c2h](int i, int k, int j) {
        return (c1[k] * mu(i, j) + c2[k]) / metric(i, j);
    };
}

auto mass_on_cells(const GridView &g, ConstField2 mu, ConstProfile c1, ConstProfile c2) {
    return [=, mub = g.mub, metric = g.msfty](int i, int k, int j) {
        return (c1[k] * (mub(i, j) + mu(i, j)) + c2[k]) / metric(i, j);
    };
}

} // namespace

void SixthOrderFilter::add(Range tile, Range u_faces, Range v_faces, const GridView &g, const StateView &s,
                           ConstField2 muu, ConstField2 muv, const TendencyFields &t) const {
    const auto both = [&](Range range, ConstField3 q, auto mass, Field3 tend) {
        add_along_both(range, q, mass, coefficient_, monotonic_, tend);
    };
    both(within(u_faces.with_k(0, g.nz), inner_, 1, 0), s.u, mass_on_faces(g, muu, g.msfuy), t.u);
    both(within(v_faces.with_k(0, g.nz), inner_, 0, 1), s.v, mass_on_faces(g, muv, g.msfvx), t.v);
    both(within(tile.with_k(1, g.nz), inner_, 0, 0), s.w, mass_on_cells(g, s.mu, g.c1f, g.c2f), t.w);
    add_to_scalar(tile, g, s.mu, s.theta, t.theta);
}

void SixthOrderFilter::add_to_scalar(Range tile, const GridView &g, ConstField2 mu, ConstField3 q,
                                     Field3 tend) const {
    add_along_both(within(tile.with_k(0, g.nz), inner_, 0, 0), q, mass_on_cells(g, mu, g.c1h, g.c2h),
                   coefficient_, monotonic_, tend);
}

} // namespace squall
