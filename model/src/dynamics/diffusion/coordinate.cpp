#include "dynamics/diffusion/coordinate.hpp"

#include <algorithm>

#include "core/constants.hpp"
#include "dynamics/diffusion/interfaces.hpp"
#include "dynamics/diffusion/numbers.hpp"

namespace squall::diffusion {
namespace {

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
auto mass(const GridView &grid, const StateView &s, ConstProfile c1, ConstProfile c2) {
    return [c1, c2, mub = grid.mub, mu = s.mu](int i, int k, int j) {
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

void mix_u(Range faces, const GridView &grid, const StateView &s, ConstField3 km, Field3 tend) {
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
    add_laplacian(faces.with_k(0, grid.nz), grid, ux, s.u, west, south, tend);
}

/// `as_wrf`: without the mass in the fluxes along y, as WRF's horizontal_diffusion has it.
void mix_v(Range faces, const GridView &grid, const StateView &s, ConstField3 km, bool as_wrf, Field3 tend) {
    const auto m = mass(grid, s, grid.c1h, grid.c2h);
    const ConstField2 tx = grid.msftx, ty = grid.msfty;
    const ConstField2 vx = grid.msfvx, vy = grid.msfvy;
    const auto west = [=](int i, int k, int j) {
        return (vx(i, j) + vx(i - 1, j)) / (vy(i, j) + vy(i - 1, j)) * on_edge(m, i, k, j) *
               on_edge(km, i, k, j);
    };
    const auto mix = [&](auto mass_of_cell) {
        const auto south = [=](int i, int k, int j) {
            return ty(i, j - 1) / tx(i, j - 1) * mass_of_cell(i, k, j - 1) * km(i, k, j - 1);
        };
        add_laplacian(faces.with_k(0, grid.nz), grid, vy, s.v, west, south, tend);
    };
    if (as_wrf)
        mix([](int, int, int) { return real(1); });
    else
        mix(m);
}

void mix_w(Range cells, const GridView &grid, const StateView &s, ConstField3 km, Field3 tend) {
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
    add_laplacian(cells.with_k(1, grid.nz), grid, grid.msftx, s.w, west, south, tend);
}

/// tend += M d/dz(K dq/dz) / map for a variable on layers: with d/dz = -(g / (M alt)) d/d(eta).
/// jump(i, k, j) is q(k) - q(k-1), inverse_density(i, k, j) on layers, M(i, k, j) likewise.
template <class Jump, class Alt, class Mass>
void mix_layers(Range points, const GridView &grid, real viscosity, ConstField2 map, Jump jump,
                Alt inverse_density, Mass m, bool as_wrf, Field3 tend) {
    constexpr real g2 = constants::g * constants::g;
    const ConstProfile rdn = grid.rdn, rdnw = grid.rdnw;
    const auto flux = [=](int i, int k, int j) {
        const real alt = half * (inverse_density(i, k, j) + inverse_density(i, k - 1, j));
        return viscosity * rdn[k] * jump(i, k, j) / alt;
    };
    const auto mix = [=](int i, int k, int j, real difference) {
        tend(i, k, j) += g2 * rdnw[k] * difference / (m(i, k, j) * inverse_density(i, k, j) * map(i, j));
    };
    if (as_wrf)
        for_each(points.with_k(1, grid.nz - 1),
                 [=](int i, int k, int j) { mix(i, k, j, flux(i, k + 1, j) - flux(i, k, j)); });
    else
        with_flux_differences(points, grid, flux, mix);
}

/// The same for w, on interfaces.
void mix_w_vertically(Range cells, const GridView &grid, const StateView &s, ConstField3 alt, real viscosity,
                      bool as_wrf, Field3 tend) {
    constexpr real g2 = constants::g * constants::g;
    const auto m = mass(grid, s, grid.c1f, grid.c2f);
    const ConstProfile rdn = grid.rdn, rdnw = grid.rdnw;
    const ConstField3 w = s.w;
    const ConstField2 map = grid.msfty;
    const auto flux = [=](int i, int k, int j) { // in layer k
        return viscosity * rdnw[k] * (w(i, k + 1, j) - w(i, k, j)) / alt(i, k, j);
    };
    const auto mix = [=](int i, int k, int j, real difference) {
        const real inverse_density = half * (alt(i, k, j) + alt(i, k - 1, j));
        tend(i, k, j) += g2 * rdn[k] * difference / (m(i, k, j) * inverse_density * map(i, j));
    };
    const int top = grid.nz - 1;
    for_each(cells.with_k(1, as_wrf ? top : grid.nz),
             [=](int i, int k, int j) { mix(i, k, j, flux(i, k, j) - flux(i, k - 1, j)); });
    if (as_wrf)
        for_each(cells.with_k(top, grid.nz), [=](int i, int k, int j) { mix(i, k, j, -flux(i, k - 1, j)); });
}

/// Callable: q(k) - q(k-1) less the same of a profile.
auto jump_from_profile(ConstField3 q, ConstProfile base) {
    return [=](int i, int k, int j) { return (q(i, k, j) - q(i, k - 1, j)) - (base[k] - base[k - 1]); };
}

} // namespace

void add_wind_mixing_on_surfaces(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                 const StateView &s, ConstField3 k_momentum, bool as_wrf,
                                 const TendencyFields &t) {
    mix_u(u_faces, grid, s, k_momentum, t.u);
    mix_v(v_faces, grid, s, k_momentum, as_wrf, t.v);
    mix_w(cells, grid, s, k_momentum, t.w);
}

void add_constant_vertical_wind_mixing(Range u_faces, Range v_faces, Range cells, const GridView &grid,
                                       const StateView &s, ConstField3 alt, real k_momentum,
                                       ConstProfile u_base, ConstProfile v_base, bool as_wrf,
                                       const TendencyFields &t) {
    const auto m = mass(grid, s, grid.c1h, grid.c2h);
    const auto m_u = [=](int i, int k, int j) { return on_west_face(m, i, k, j); };
    const auto m_v = [=](int i, int k, int j) { return on_south_face(m, i, k, j); };
    const auto alt_u = [=](int i, int k, int j) { return on_west_face(alt, i, k, j); };
    const auto alt_v = [=](int i, int k, int j) { return on_south_face(alt, i, k, j); };
    mix_layers(u_faces, grid, k_momentum, grid.msfuy, jump_from_profile(s.u, u_base), alt_u, m_u, as_wrf,
               t.u);
    mix_layers(v_faces, grid, k_momentum, grid.msfvx, jump_from_profile(s.v, v_base), alt_v, m_v, as_wrf,
               t.v);
    mix_w_vertically(cells, grid, s, alt, k_momentum, as_wrf, t.w);
}

void find_surface_fluxes(Range cells, Range part, const GridView &grid, ConstField2 mu, ConstField3 k_h,
                         const SurfaceMixing &m) {
    const Range layers = cells.with_k(0, grid.nz), some = part.with_k(0, grid.nz);
    // Between a point and its neighbour: in the same row or `down` rows before, `back` points before.
    const auto between = [&](int k, int j, int down, int back, ConstField2 along, ConstField2 across, real rd,
                             Field3 out) {
        return [along = along.row(j), across = across.row(j), mub = grid.mub.row(j), mu = mu.row(j),
                mub_low = grid.mub.row(j - down) - back, mu_low = mu.row(j - down) - back,
                k_h = k_h.row(k, j), k_low = k_h.row(k, j - down) - back, c1 = grid.c1h[k], c2 = grid.c2h[k],
                rd2 = rd * rd, out = out.row(k, j)](int i) {
            const real mass = c1 * (half * ((mub_low[i] + mu_low[i]) + (mub[i] + mu[i]))) + c2;
            out[i] = rd2 * (along[i] / across[i]) * mass * (half * (k_low[i] + k_h[i]));
        };
    };
    for_each_row(layers.with_i(cells.i0, cells.i1 + 1).within(some),
                 [&](int k, int j) { return between(k, j, 0, 1, grid.msfux, grid.msfuy, grid.rdx, m.west); });
    for_each_row(layers.with_j(cells.j0, cells.j1 + 1).within(some), [&](int k, int j) {
        return between(k, j, 1, 0, grid.msfvy, grid.msfvx, grid.rdy, m.south);
    });
}

void find_constant_vertical_fluxes(Range cells, const GridView &grid, ConstField2 mu, ConstField3 alt,
                                   real k_v, bool as_wrf, const SurfaceMixing &m) {
    const int nz = grid.nz;
    const real g2 = constants::g * constants::g;
    for_each_row(cells.with_k(0, nz), [&](int k, int j) {
        return [mub = grid.mub.row(j), mu = mu.row(j), my = grid.msfty.row(j), alt = alt.row(k, j),
                out = m.convergence.row(k, j), c1 = grid.c1h[k], c2 = grid.c2h[k],
                per_eta = as_wrf && k == 0 ? 0 : g2 * grid.rdnw[k]](int i) {
            out[i] = per_eta / ((c1 * (mub[i] + mu[i]) + c2) * alt[i] * my[i]);
        };
    });
    for_each_row(cells.with_k(1, nz), [&](int k, int j) {
        return [alt = alt.row(k, j), below = alt.row(k - 1, j), up = m.up.row(k, j),
                k_eta = k_v * grid.rdn[k]](int i) { up[i] = k_eta / (half * (alt[i] + below[i])); };
    });
    for (const int closed : {0, nz})
        for_each_row(cells.with_k(closed, closed + 1),
                     [&](int k, int j) { return [up = m.up.row(k, j)](int i) { up[i] = 0; }; });
}

void add_scalar_mixing_on_surfaces(Range cells, const GridView &grid, const SurfaceMixing &m,
                                   const Departure &departure, Field3 tend) {
    const ConstField3 west = m.west, south = m.south;
    const auto mix = [&](auto departure_row) {
        for_each_row(cells.with_k(0, grid.nz), [&](int k, int j) {
            return [q = departure_row(k, j), q_south = departure_row(k, j - 1),
                    q_north = departure_row(k, j + 1), x = west.row(k, j), y = south.row(k, j),
                    y_north = south.row(k, j + 1), mx = grid.msftx.row(j), tend = tend.row(k, j)](int i) {
                const real here = q(i);
                const real in_x = x[i + 1] * (q(i + 1) - here) - x[i] * (here - q(i - 1));
                const real in_y = y_north[i] * (q_north(i) - here) - y[i] * (here - q_south(i));
                tend[i] += mx[i] * (in_x + in_y);
            };
        });
    };
    if (departure.base.origin)
        mix([d = departure](int k, int j) {
            return [q = d.q.row(k, j), b = d.base.row(k, j), w = d.weight](int i) { return q[i] - w * b[i]; };
        });
    else
        mix([d = departure](int k, int j) { return [q = d.q.row(k, j)](int i) { return q[i]; }; });
}

void add_vertical_scalar_mixing(Range cells, const GridView &grid, const SurfaceMixing &m, const Departure &d,
                                Field3 tend) {
    const int top = grid.nz - 1;
    const ConstField3 base = d.base.origin ? d.base : d.q; // else times 0
    const real weight = d.base.origin ? d.weight : real(0);
    for_each_row(cells.with_k(0, grid.nz), [&](int k, int j) {
        const int below = std::max(k - 1, 0), above = std::min(k + 1, top);
        return [weight, q = d.q.row(k, j), q_below = d.q.row(below, j), q_above = d.q.row(above, j),
                b = base.row(k, j), b_below = base.row(below, j), b_above = base.row(above, j),
                step = d.profile[k] - d.profile[below], step_above = d.profile[above] - d.profile[k],
                up = m.up.row(k, j), up_above = m.up.row(k + 1, j), convergence = m.convergence.row(k, j),
                tend = tend.row(k, j)](int i) {
            const real jump = (q[i] - q_below[i]) - weight * (b[i] - b_below[i]) - step;
            const real jump_above = (q_above[i] - q[i]) - weight * (b_above[i] - b[i]) - step_above;
            tend[i] += convergence[i] * (up_above[i] * jump_above - up[i] * jump);
        };
    });
}

} // namespace squall::diffusion
