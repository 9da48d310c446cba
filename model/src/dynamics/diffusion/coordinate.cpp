#include "dynamics/diffusion/coordinate.hpp"

#include "core/constants.hpp"
#include "dynamics/diffusion/interfaces.hpp"

namespace squall::diffusion {
namespace {

constexpr real half = real(0.5), quarter = real(0.25);

/// tend += outer (d/dx(X dq/dx) + d/dy(Y dq/dy)). X(i, k, j) and Y(i, k, j) weigh the flux between
/// the point and its western or southern neighbour; `outer` is a map factor at the point.
template <class Q, class X, class Y>
void add_laplacian(Range points, const GridView &grid, ConstField2 outer, Q q, X west, Y south, Field3 tend) {
    const real rdx2 = grid.rdx * grid.rdx, rdy2 = grid.rdy * grid.rdy;
    for_each(points, [=](int i, int k, int j) {
        const real in_x =
            west(i + 1, k, j) * (q(i + 1, k, j) - q(i, k, j)) - west(i, k, j) * (q(i, k, j) - q(i - 1, k, j));
        const real in_y = south(i, k, j + 1) * (q(i, k, j + 1) - q(i, k, j)) -
                          south(i, k, j) * (q(i, k, j) - q(i, k, j - 1));
        tend(i, k, j) += outer(i, j) * (rdx2 * in_x + rdy2 * in_y);
    });
}

/// Callable: dry mass of layers or interfaces per unit eta.
auto mass(const GridView &grid, const State &s, ConstProfile c1, ConstProfile c2) {
    return [c1, c2, mub = grid.mub, mu = s.mu.view()](int i, int k, int j) {
        return c1[k] * (mub(i, j) + mu(i, j)) + c2[k];
    };
}

/// Averages over two cells (from the west or the south) and over the four around a vertical edge.
template <class F> real on_west_face(F f, int i, int k, int j) {
    return half * (f(i - 1, k, j) + f(i, k, j));
}
template <class F> real on_south_face(F f, int i, int k, int j) {
    return half * (f(i, k, j - 1) + f(i, k, j));
}
template <class F> real on_edge(F f, int i, int k, int j) {
    return quarter * (f(i - 1, k, j - 1) + f(i, k, j - 1) + f(i - 1, k, j) + f(i, k, j));
}

void mix_u(Range faces, const GridView &grid, const State &s, ConstField3 km, Field3 tend) {
    const auto m = mass(grid, s, grid.c1h, grid.c2h);
    const ConstField2 tx = grid.msftx, ty = grid.msfty;
    const ConstField2 ux = grid.msfux, uy = grid.msfuy;
    const auto west = [=](int i, int k, int j) { // at the cell between faces i - 1 and i
        return tx(i - 1, j) / ty(i - 1, j) * m(i - 1, k, j) * km(i - 1, k, j);
    };
    const auto south = [=](int i, int k, int j) {
        return (uy(i, j) + uy(i, j - 1)) / (ux(i, j) + ux(i, j - 1)) * on_edge(m, i, k, j) *
               on_edge(km, i, k, j);
    };
    add_laplacian(faces.with_k(0, grid.nz), grid, ux, s.u.view(), west, south, tend);
}

void mix_v(Range faces, const GridView &grid, const State &s, ConstField3 km, Field3 tend) {
    const auto m = mass(grid, s, grid.c1h, grid.c2h);
    const ConstField2 tx = grid.msftx, ty = grid.msfty;
    const ConstField2 vx = grid.msfvx, vy = grid.msfvy;
    const auto west = [=](int i, int k, int j) {
        return (vx(i, j) + vx(i - 1, j)) / (vy(i, j) + vy(i - 1, j)) * on_edge(m, i, k, j) *
               on_edge(km, i, k, j);
    };
    const auto south = [=](int i, int k, int j) {
        return ty(i, j - 1) / tx(i, j - 1) * m(i, k, j - 1) * km(i, k, j - 1);
    };
    add_laplacian(faces.with_k(0, grid.nz), grid, vy, s.v.view(), west, south, tend);
}

void mix_w(Range cells, const GridView &grid, const State &s, ConstField3 km, Field3 tend) {
    const auto m = mass(grid, s, grid.c1f, grid.c2f);
    const auto k_at = [=](int i, int k, int j) { return half * (km(i, k, j) + km(i, k - 1, j)); };
    const ConstField2 ux = grid.msfux, uy = grid.msfuy;
    const ConstField2 vx = grid.msfvx, vy = grid.msfvy;
    const auto west = [=](int i, int k, int j) {
        return ux(i, j) / uy(i, j) * on_west_face(m, i, k, j) * on_west_face(k_at, i, k, j);
    };
    const auto south = [=](int i, int k, int j) {
        return vy(i, j) / vx(i, j) * on_south_face(m, i, k, j) * on_south_face(k_at, i, k, j);
    };
    add_laplacian(cells.with_k(1, grid.nz), grid, grid.msftx, s.w.view(), west, south, tend);
}

void mix_theta(Range cells, const GridView &grid, const State &s, ConstField3 kh, Field3 tend) {
    const auto m = mass(grid, s, grid.c1h, grid.c2h);
    const ConstField2 ux = grid.msfux, uy = grid.msfuy;
    const ConstField2 vx = grid.msfvx, vy = grid.msfvy;
    const auto west = [=](int i, int k, int j) {
        return ux(i, j) / uy(i, j) * on_west_face(m, i, k, j) * on_west_face(kh, i, k, j);
    };
    const auto south = [=](int i, int k, int j) {
        return vy(i, j) / vx(i, j) * on_south_face(m, i, k, j) * on_south_face(kh, i, k, j);
    };
    const auto departure = [theta = s.theta.view(), base = grid.theta_init](int i, int k, int j) {
        return theta(i, k, j) - base(i, k, j);
    };
    add_laplacian(cells.with_k(0, grid.nz), grid, grid.msftx, departure, west, south, tend);
}

/// tend += M d/dz(K dq/dz) / map for a variable on layers: with d/dz = -(g / (M alt)) d/d(eta).
/// jump(i, k, j) is q(k) - q(k-1), inverse_density(i, k, j) on layers, M(i, k, j) likewise.
template <class Jump, class Alt, class Mass>
void mix_layers(Range points, const GridView &grid, real viscosity, ConstField2 map, Jump jump,
                Alt inverse_density, Mass m, Field3 tend) {
    constexpr real g2 = constants::g * constants::g;
    const ConstProfile rdn = grid.rdn, rdnw = grid.rdnw;
    const auto flux = [=](int i, int k, int j) {
        const real alt = half * (inverse_density(i, k, j) + inverse_density(i, k - 1, j));
        return viscosity * rdn[k] * jump(i, k, j) / alt;
    };
    with_flux_differences(points, grid, flux, [=](int i, int k, int j, real difference) {
        tend(i, k, j) += g2 * rdnw[k] * difference / (m(i, k, j) * inverse_density(i, k, j) * map(i, j));
    });
}

/// The same for w, on interfaces.
void mix_w_vertically(Range cells, const GridView &grid, const State &s, ConstField3 alt, real viscosity,
                      Field3 tend) {
    constexpr real g2 = constants::g * constants::g;
    const auto m = mass(grid, s, grid.c1f, grid.c2f);
    const ConstProfile rdn = grid.rdn, rdnw = grid.rdnw;
    const ConstField3 w = s.w.view();
    const ConstField2 map = grid.msfty;
    const auto flux = [=](int i, int k, int j) { // in layer k
        return viscosity * rdnw[k] * (w(i, k + 1, j) - w(i, k, j)) / alt(i, k, j);
    };
    for_each(cells.with_k(1, grid.nz), [=](int i, int k, int j) {
        const real inverse_density = half * (alt(i, k, j) + alt(i, k - 1, j));
        tend(i, k, j) +=
            g2 * rdn[k] * (flux(i, k, j) - flux(i, k - 1, j)) / (m(i, k, j) * inverse_density * map(i, j));
    });
}

/// Callable: q(k) - q(k-1) less the same of a profile.
auto jump_from_profile(ConstField3 q, ConstProfile base) {
    return [=](int i, int k, int j) { return (q(i, k, j) - q(i, k - 1, j)) - (base[k] - base[k - 1]); };
}

} // namespace

void add_mixing_on_surfaces(Range u_faces, Range v_faces, Range cells, const GridView &grid, const State &s,
                            ConstField3 k_momentum, ConstField3 k_scalar, Tendencies &t) {
    mix_u(u_faces, grid, s, k_momentum, t.u.view());
    mix_v(v_faces, grid, s, k_momentum, t.v.view());
    mix_w(cells, grid, s, k_momentum, t.w.view());
    mix_theta(cells, grid, s, k_scalar, t.theta.view());
}

void add_constant_vertical_mixing(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                  const State &s, ConstField3 alt, real k_momentum, real k_scalar,
                                  MixingBase base, Tendencies &t) {
    const auto m = mass(grid, s, grid.c1h, grid.c2h);
    const auto m_u = [=](int i, int k, int j) { return on_west_face(m, i, k, j); };
    const auto m_v = [=](int i, int k, int j) { return on_south_face(m, i, k, j); };
    const auto alt_u = [=](int i, int k, int j) { return on_west_face(alt, i, k, j); };
    const auto alt_v = [=](int i, int k, int j) { return on_south_face(alt, i, k, j); };
    const auto theta_jump = [q = s.theta.view(), b = grid.theta_init,
                             weight = base.theta_weight](int i, int k, int j) {
        return (q(i, k, j) - q(i, k - 1, j)) - weight * (b(i, k, j) - b(i, k - 1, j));
    };
    mix_layers(u_faces, grid, k_momentum, grid.msfuy, jump_from_profile(s.u.view(), base.u), alt_u, m_u,
               t.u.view());
    mix_layers(v_faces, grid, k_momentum, grid.msfvx, jump_from_profile(s.v.view(), base.v), alt_v, m_v,
               t.v.view());
    mix_layers(cells, grid, k_scalar, grid.msfty, theta_jump, alt, m, t.theta.view());
    mix_w_vertically(cells, grid, s, alt, k_momentum, t.w.view());
}

} // namespace squall::diffusion
