#include "dynamics/damping.hpp"

#include <limits>

#include "core/constants.hpp"

namespace squall {
namespace {

constexpr real half = real(0.5);

/// Heights of interfaces and layers [m], as functions of i: on cells, or averaged to the face between two.
struct Heights {
    ConstField3 phb, ph;
    std::ptrdiff_t to_other; // from a cell of the face to the other; 0 for cells

    auto interface(int k, int j) const {
        return [phb = phb.row(k, j), ph = ph.row(k, j), phb_other = phb.row(k, j) + to_other,
                ph_other = ph.row(k, j) + to_other](int i) {
            return half * ((phb[i] + ph[i]) + (phb_other[i] + ph_other[i])) / constants::g;
        };
    }
    auto layer(int k, int j) const {
        return [below = interface(k, j), above = interface(k + 1, j)](int i) {
            return half * (below(i) + above(i));
        };
    }
};

struct Extent {
    real low, high;
};

/// Of the values of a row.
template <class Values> Extent extent(int i0, int i1, Values value) {
    real low = value(i0), high = low;
#pragma omp simd reduction(min : low) reduction(max : high)
    for (int i = i0; i < i1; ++i) {
        const real x = value(i);
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    return {low, high};
}

/// Calls f(k, j, height, heights' extent) for the rows of levels `highest` and below that are in the sponge
/// anywhere. height(k, j)(i) is that of a level, top(j)(i) that of the model's top. Below them all rates are
/// exactly 0.
template <class Height, class Top, class F>
void for_each_row_in_sponge(Range points, int highest, Height height, Top top, real depth, F f) {
    for (int j = points.j0; j < points.j1; ++j) {
        const real bottom = extent(points.i0, points.i1, top(j)).low - depth;
        for (int k = highest; k >= 0; --k) {
            const Extent e = extent(points.i0, points.i1, height(k, j));
            if (e.high < bottom) break;
            f(k, j, height(k, j), e);
        }
    }
}

/// A profile q on heights z[0] < ... < z[n - 1], n >= 2: linear between the two nearest values, continued
/// linearly beyond the ends.
struct AtRest {
    ConstProfile z, q;
    int n;

    /// The interval that a height belongs to: from z[m] to z[m + 1], the outer ones without end.
    int interval(real height) const {
        int m = n - 2;
        while (m > 0 && z[m] > height) --m;
        return m;
    }
    real from(int m) const { return m == 0 ? -std::numeric_limits<real>::infinity() : z[m]; }
    real to(int m) const { return m == n - 2 ? std::numeric_limits<real>::infinity() : z[m + 1]; }
};

/// tend -= rate M (q - base(z)) / map for a variable on layers.
template <class Mass>
void relax_layers(Range points, const GridView &grid, Heights z, ConstField3 q, AtRest base, real depth,
                  real coefficient, ConstField2 map, Mass m, Field3 tend) {
    const auto layer = [=](int k, int j) { return z.layer(k, j); };
    const auto top = [=, nz = grid.nz](int j) { return z.interface(nz, j); };
    const auto relax = [=](int k, int j, auto height, Extent heights) {
        // Those in one interval of the profile after the other: mostly there are but two.
        for (int n = base.interval(heights.low); n <= base.interval(heights.high); ++n)
            for_each_i(points.i0, points.i1,
                       [=, top = top(j), m = m(k, j), q = q.row(k, j), map = map.row(j),
                        tend = tend.row(k, j), from = base.from(n), to = base.to(n), z_n = base.z[n],
                        q_n = base.q[n], dz = base.z[n + 1] - base.z[n],
                        dq = base.q[n + 1] - base.q[n]](int i) {
                           const real h = height(i);
                           const real rate = implicit_w_damping_rate(h, top(i), depth, coefficient);
                           const real departure = q[i] - (q_n + dq * (h - z_n) / dz);
                           const real relaxed = tend[i] - rate * m(i) * departure / map[i];
                           tend[i] = (h >= from) & (h < to) ? relaxed : tend[i];
                       });
    };
    for_each_row_in_sponge(points, grid.nz - 1, layer, top, depth, relax);
}

/// A height's value; in the layers of a column that rises, `at` follows it.
struct Follower {
    AtRest base;
    int at = 0;
    real operator()(real height) {
        while (at < base.n - 2 && base.z[at + 1] <= height) ++at;
        const real share = (height - base.z[at]) / (base.z[at + 1] - base.z[at]);
        return base.q[at] + share * (base.q[at + 1] - base.q[at]);
    }
};

/// tend -= rate M w / map.
template <class Mass>
void relax_w(Range cells, const GridView &grid, Heights z, ConstField3 w, real depth, real coefficient,
             ConstField2 map, Mass m, Field3 tend) {
    const auto interface = [=](int k, int j) { return z.interface(k, j); };
    const auto top = [=, nz = grid.nz](int j) { return z.interface(nz, j); };
    const auto relax = [=](int k, int j, auto height, Extent) {
        for_each_i(
            cells.i0, cells.i1,
            [=, top = top(j), m = m(k, j), w = w.row(k, j), map = map.row(j), tend = tend.row(k, j)](int i) {
                const real rate = implicit_w_damping_rate(height(i), top(i), depth, coefficient);
                tend[i] -= rate * m(i) * w[i] / map[i];
            });
    };
    for_each_row_in_sponge(cells, grid.nz, interface, top, depth, relax);
}

} // namespace

void add_rayleigh_damping(Range u_faces, Range v_faces, Range cells, const GridView &grid, const StateView &s,
                          RayleighBase base, real depth, real coefficient, const TendencyFields &t) {
    const ConstField2 mub = grid.mub, mu = s.mu;
    const auto mass = [=](ConstProfile c1, ConstProfile c2, int k, int j) {
        return [c1 = c1[k], c2 = c2[k], mub = mub.row(j), mu = mu.row(j)](int i) {
            return c1 * (mub[i] + mu[i]) + c2;
        };
    };
    const auto on_cell = [=, &grid](int k, int j) { return mass(grid.c1h, grid.c2h, k, j); };
    const auto on_interface = [=, &grid](int k, int j) { return mass(grid.c1f, grid.c2f, k, j); };
    const auto on_u = [=](int k, int j) {
        return [m = on_cell(k, j)](int i) { return half * (m(i - 1) + m(i)); };
    };
    const auto on_v = [=](int k, int j) {
        return [south = on_cell(k, j - 1), m = on_cell(k, j)](int i) { return half * (south(i) + m(i)); };
    };
    const Heights cell{grid.phb, s.ph, 0};
    const Heights west{cell.phb, cell.ph, -1}, south{cell.phb, cell.ph, -cell.ph.sj};

    relax_layers(u_faces, grid, west, s.u, {base.z, base.u, base.n}, depth, coefficient, grid.msfuy, on_u,
                 t.u);
    relax_layers(v_faces, grid, south, s.v, {base.z, base.v, base.n}, depth, coefficient, grid.msfvx, on_v,
                 t.v);
    relax_layers(cells, grid, cell, s.theta, {base.z, base.theta, base.n}, depth, coefficient, grid.msfty,
                 on_cell, t.theta);
    relax_w(cells, grid, cell, s.w, depth, coefficient, grid.msfty, on_interface, t.w);
}

void add_newtonian_cooling(Range cells, const GridView &grid, const StateView &s, const RayleighBase &base,
                           Field3 tend_theta) {
    constexpr real hours = 12 * 3600, most = real(2) / 86400; // [s], [K s-1]
    const Heights z{grid.phb, s.ph, 0};
    for_each_column(cells, [&](int i, int j) {
        Follower at_rest{{base.z, base.theta, base.n}};
        for (int k = 0; k < grid.nz; ++k) {
            const real rate = std::clamp((at_rest(z.layer(k, j)(i)) - s.theta(i, k, j)) / hours, -most, most);
            tend_theta(i, k, j) +=
                (grid.c1h[k] * (grid.mub(i, j) + s.mu(i, j)) + grid.c2h[k]) * rate / grid.msfty(i, j);
        }
    });
}

} // namespace squall
