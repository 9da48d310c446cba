#include "dynamics/damping.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "core/constants.hpp"

namespace squall {
namespace {

constexpr real half = real(0.5);
constexpr real critical_courant = 1;
constexpr real w_deceleration = real(0.3); // [m s-2] per unit of excess

/// Heights of interfaces [m]: on cells, or averaged to the face between two.
struct Heights {
    ConstField3 phb, ph;
    int di, dj; // to the other cell of the face; 0, 0 for cells

    real interface(int i, int k, int j) const {
        return half * ((phb(i, k, j) + ph(i, k, j)) + (phb(i - di, k, j - dj) + ph(i - di, k, j - dj))) /
               constants::g;
    }
    real layer(int i, int k, int j) const { return half * (interface(i, k, j) + interface(i, k + 1, j)); }
};

/// The lowest interface that is in the sponge in any of the columns.
int lowest_interface(Range columns, Heights z, int nz, real depth) {
    int lowest = nz;
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i = columns.i0; i < columns.i1; ++i) {
            const real bottom = z.interface(i, nz, j) - depth;
            while (lowest > 0 && z.interface(i, lowest - 1, j) >= bottom) --lowest;
        }
    return lowest;
}

/// tend -= rate M (q - base(z)) / map for a variable on layers.
template <class Mass>
void relax_layers(Range points, const GridView &grid, Heights z, ConstField3 q, ConstProfile z_base,
                  ConstProfile q_base, int n, real depth, real coefficient, ConstField2 map, Mass m,
                  Field3 tend) {
    const int nz = grid.nz;
    const int first = std::max(lowest_interface(points, z, nz, depth) - 1, 0);
    for_each(points.with_k(first, nz), [=](int i, int k, int j) {
        const real height = z.layer(i, k, j);
        const real rate = implicit_w_damping_rate(height, z.interface(i, nz, j), depth, coefficient);
        const real base = interpolate_profile(z_base, q_base, n, height);
        tend(i, k, j) -= rate * m(i, k, j) * (q(i, k, j) - base) / map(i, j);
    });
}

} // namespace

RayleighBase::RayleighBase(const Grid &grid)
    : z(grid.z_base.data()), u(grid.u_base.data()), v(grid.v_base.data()), theta(grid.theta_base.data()),
      n(grid.vertical.nz) {
    for (const std::vector<real> *p : {&grid.z_base, &grid.u_base, &grid.v_base, &grid.theta_base})
        if (p->size() != static_cast<std::size_t>(n))
            throw std::invalid_argument(fmt::format(
                "Rayleigh damping needs base profiles (U_BASE, V_BASE, T_BASE, Z_BASE) of {} layers; one "
                "has {}",
                n, p->size()));
    for (int k = 1; k < n; ++k)
        if (!(z[k] > z[k - 1]))
            throw std::invalid_argument(fmt::format(
                "Rayleigh damping needs the heights of the base profiles (Z_BASE); those of layers {} and {} "
                "are {} m and {} m",
                k - 1, k, z[k - 1], z[k]));
}

void add_rayleigh_damping(Range u_faces, Range v_faces, Range cells, const GridView &grid, const State &s,
                          RayleighBase base, real depth, real coefficient, Tendencies &t) {
    const ConstField2 mub = grid.mub, mu = s.mu.view(), my = grid.msfty;
    const ConstProfile c1h = grid.c1h, c2h = grid.c2h, c1f = grid.c1f, c2f = grid.c2f;
    const auto column = [=](int i, int j) { return mub(i, j) + mu(i, j); };
    const auto on_cell = [=](int i, int k, int j) { return c1h[k] * column(i, j) + c2h[k]; };
    const auto on_u = [=](int i, int k, int j) { return half * (on_cell(i - 1, k, j) + on_cell(i, k, j)); };
    const auto on_v = [=](int i, int k, int j) { return half * (on_cell(i, k, j - 1) + on_cell(i, k, j)); };
    const Heights cell{grid.phb, s.ph.view(), 0, 0};
    const Heights west{cell.phb, cell.ph, 1, 0}, south{cell.phb, cell.ph, 0, 1};

    relax_layers(u_faces, grid, west, s.u.view(), base.z, base.u, base.n, depth, coefficient, grid.msfuy,
                 on_u, t.u.view());
    relax_layers(v_faces, grid, south, s.v.view(), base.z, base.v, base.n, depth, coefficient, grid.msfvx,
                 on_v, t.v.view());
    relax_layers(cells, grid, cell, s.theta.view(), base.z, base.theta, base.n, depth, coefficient, my,
                 on_cell, t.theta.view());

    const int nz = grid.nz;
    const ConstField3 w = s.w.view();
    const Field3 tend = t.w.view();
    for_each(cells.with_k(lowest_interface(cells, cell, nz, depth), nz + 1), [=](int i, int k, int j) {
        const real rate =
            implicit_w_damping_rate(cell.interface(i, k, j), cell.interface(i, nz, j), depth, coefficient);
        tend(i, k, j) -= rate * (c1f[k] * column(i, j) + c2f[k]) * w(i, k, j) / my(i, j);
    });
}

void add_w_damping(Range cells, const GridView &grid, ConstField3 w, ConstField3 omega, ConstField2 mu,
                   real dt, Field3 tend_w) {
    const ConstField2 mub = grid.mub, my = grid.msfty;
    const ConstProfile c1f = grid.c1f, c2f = grid.c2f, rdnw = grid.rdnw;
    for_each(cells.with_k(1, grid.nz), [=](int i, int k, int j) {
        const real mass = c1f[k] * (mub(i, j) + mu(i, j)) + c2f[k];
        const real courant = std::abs(omega(i, k, j) * my(i, j) / mass * rdnw[k] * dt);
        const real excess = std::max(courant - critical_courant, real(0));
        tend_w(i, k, j) -= std::copysign(w_deceleration, w(i, k, j)) * excess * mass / my(i, j);
    });
}

} // namespace squall
