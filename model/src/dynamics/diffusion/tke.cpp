#include "dynamics/diffusion/tke.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/constants.hpp"
#include "dynamics/diffusion/numbers.hpp"

namespace squall::diffusion {
namespace {

/// Length in stable air over sqrt(e) / N (Deardorff 1980).
constexpr real stable_length = real(0.76);
/// Dissipation next to the surface and the top (Deardorff 1980).
constexpr real wall_dissipation = real(3.9);

/// To the last bits for normal x > 0, with operations that vectorise: a third of the exponent (the
/// guess of fdlibm, good to 5 bits), then Halley's iteration, which triples the bits.
inline real cube_root(real x) {
    using Bits = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits offset = sizeof(real) == 4 ? Bits(709958130) : Bits(715094163) << (8 * sizeof(Bits) - 32);
    real t = std::bit_cast<real>(std::bit_cast<Bits>(x) / 3 + offset);
    for (int n = 0; n < 3; ++n) {
        const real cube = t * t * t;
        t *= (cube + 2 * x) / (2 * cube + x);
    }
    return t;
}

/// K [m2 s-1] within its bounds, for a squared length.
inline real bounded(real k, real l2, real dt) {
    return std::min(std::max(k, min_rate * l2), max_diffusion_number / dt * l2);
}

/// K in one row of layers whose gradient of theta [K m-1] is gradient(i).
template <class Gradient>
auto viscosity_in_row(int k, int j, const GridView &grid, const Metrics &m, ConstField3 tke,
                      ConstField3 theta, const TkeSettings &s, const Viscosity &v, Gradient gradient) {
    return [gradient, s, e = tke.row(k, j), theta = theta.row(k, j), rdzw = m.rdzw.row(k, j),
            mx = grid.msftx.row(j), my = grid.msfty.row(j), dx = grid.dx, dy = grid.dy,
            momentum_h = v.momentum_h.row(k, j), momentum_v = v.momentum_v.row(k, j),
            scalar_h = v.scalar_h.row(k, j), scalar_v = v.scalar_v.row(k, j)](int i) {
        const real speed = std::sqrt(std::max(e[i], s.seed));
        const real dz = 1 / rdzw[i], lh2 = dx / mx[i] * (dy / my[i]);
        const real steep = gradient(i);
        const real n = std::sqrt(constants::g / theta[i] * std::max(steep, real(1e-30)));
        const real lv = steep > 0 ? std::min(dz, stable_length * speed / n) : dz;
        momentum_h[i] = bounded(s.c_k * speed * std::sqrt(lh2), lh2, s.dt);
        momentum_v[i] = bounded(s.c_k * speed * lv, dz * dz, s.dt);
        scalar_h[i] = momentum_h[i] / s.prandtl;
        scalar_v[i] = momentum_v[i] * (1 + 2 * lv * rdzw[i]);
    };
}

/// Sums of squares of a deformation component over the points around a cell, over their number.
inline real mean_square(real a, real b, real c, real d) { return quarter * (a * a + b * b + c * c + d * d); }

/// Callable (i): production by shear over the mass, in one row [m2 s-3].
auto shear_production(int k, int j, const SymmetricTensor &d, const Viscosity &v) {
    return [xx = d.xx.row(k, j), yy = d.yy.row(k, j), zz = d.zz.row(k, j), xy = d.xy.row(k, j),
            xy_north = d.xy.row(k, j + 1), xz = d.xz.row(k, j), xz_up = d.xz.row(k + 1, j),
            yz = d.yz.row(k, j), yz_north = d.yz.row(k, j + 1), yz_up = d.yz.row(k + 1, j),
            yz_up_north = d.yz.row(k + 1, j + 1), k_h = v.momentum_h.row(k, j),
            k_v = v.momentum_v.row(k, j)](int i) {
        const real horizontal = half * (square(xx[i]) + square(yy[i])) +
                                mean_square(xy[i], xy[i + 1], xy_north[i], xy_north[i + 1]);
        const real vertical = half * square(zz[i]) + mean_square(xz[i], xz[i + 1], xz_up[i], xz_up[i + 1]) +
                              mean_square(yz[i], yz_north[i], yz_up[i], yz_up_north[i]);
        return k_h[i] * horizontal + k_v[i] * vertical;
    };
}

void find_cell_length(Range cells, const GridView &grid, ConstField3 rdzw, Field3 length) {
    for_each_row(cells, [=](int k, int j) {
        return
            [out = length.row(k, j), rdzw = rdzw.row(k, j), mx = grid.msftx.row(j), my = grid.msfty.row(j),
             dx = grid.dx, dy = grid.dy](int i) { out[i] = cube_root(dx * dy / (mx[i] * my[i] * rdzw[i])); };
    });
}

constexpr auto none = [](int) { return real(0); };

/// Callable (i): production by the surface in the lowest layer of row j [m2 s-3].
auto production_at_surface(int j, const SymmetricTensor &d, ConstField3 theta, const SurfaceProduction &s) {
    return [u = s.u.row(0, j), v = s.v.row(0, j), v_north = s.v.row(0, j + 1), xz = d.xz.row(1, j),
            yz = d.yz.row(1, j), yz_north = d.yz.row(1, j + 1), drag = s.friction_velocity.row(j),
            heat = s.sensible_heat.row(j), alt = s.alt.row(0, j), theta = theta.row(0, j),
            q = s.vapour.origin ? s.vapour.row(0, j) : nullptr](int i) {
        const real east = half * (u[i] + u[i + 1]), north = half * (v[i] + v_north[i]);
        const real wind = std::sqrt(east * east + north * north) + real(1e-10);
        const real shear = half * (east * (xz[i] + xz[i + 1]) + north * (yz[i] + yz_north[i]));
        const real vapour = q ? q[i] : real(0);
        const real warming = heat[i] * alt[i] / (constants::c_p * (1 + real(0.8) * vapour) * (1 + vapour));
        return square(drag[i]) / wind * shear + half * constants::g / theta[i] * warming;
    };
}

/// What add_tke_sources adds in one row, `from_below` (i) included [m2 s-3].
template <class Production>
auto sources_in_row(int k, int j, const GridView &grid, const Turbulence &air,
                    const SymmetricTensor &deformation, const Viscosity &v, const TkeSettings &s,
                    ConstField3 length, Production from_below, Field3 tend) {
    const bool wall = k == 0 || k == grid.nz - 1;
    const real c_1 = real(1.9) * s.c_k, c_2 = std::max(real(0), real(0.93) - c_1);
    return [shear = shear_production(k, j, deformation, v), from_below, n2 = air.n2.row(k, j),
            k_v = v.scalar_v.row(k, j), e = air.tke.row(k, j), cell = length.row(k, j), mub = grid.mub.row(j),
            mu = air.mu.row(j), my = grid.msfty.row(j), tend = tend.row(k, j), c1h = grid.c1h[k],
            c2h = grid.c2h[k], part = k == 0 ? half : real(1), seed = s.seed,
            c_fixed = wall ? wall_dissipation : c_1, c_length = wall ? real(0) : c_2, dt = s.dt](int i) {
        const real energy = std::max(e[i], seed), speed = std::sqrt(energy);
        const real stable = stable_length * speed / std::sqrt(std::max(n2[i], real(1e-6)));
        const real shortened = std::max(std::min(stable, cell[i]), real(0.001) * cell[i]);
        const real l = n2[i] > real(1e-6) ? shortened : cell[i];
        const real dissipation = (c_fixed + c_length * l / cell[i]) * energy * speed / l;
        const real rate = shear(i) + from_below(i) - part * k_v[i] * n2[i] - dissipation;
        const real mass = c1h * (mub[i] + mu[i]) + c2h;
        tend[i] += mass * std::max(rate, -std::max(e[i], real(0)) / dt) / my[i];
    };
}

} // namespace

void find_tke_viscosity(Range cells, const GridView &grid, const Metrics &m, ConstField3 tke,
                        const Thermodynamics &t, ConstField3 p, const TkeSettings &settings,
                        const Viscosity &viscosity) {
    const int top = grid.nz - 1;
    const ConstField3 theta = t.theta, temperature = t.temperature;
    const auto find = [&](int k, int j, auto gradient) {
        return viscosity_in_row(k, j, grid, m, tke, theta, settings, viscosity, gradient);
    };
    for_each_row(cells.with_k(1, top), [&](int k, int j) {
        return find(k, j,
                    [above = theta.row(k + 1, j), below = theta.row(k - 1, j), rdz = m.rdz.row(k, j),
                     rdz_above = m.rdz.row(k + 1, j)](int i) {
                        return (above[i] - below[i]) * rdz_above[i] * rdz[i] / (rdz_above[i] + rdz[i]);
                    });
    });
    // As in WRF, from the surface to the middle of the second layer counts as the depth of both.
    for_each_row(cells.with_k(0, 1), [&](int k, int j) {
        return find(k, j, [=, &grid, &m](int i) {
            return (theta(i, 1, j) - surface_theta(grid, m, temperature, p, i, j)) /
                   (1 / m.rdzw(i, 1, j) + 1 / m.rdzw(i, 0, j));
        });
    });
    for_each_row(cells.with_k(top, top + 1), [&](int k, int j) {
        return find(k, j, [=, &grid, &m](int i) {
            return (top_theta(grid, m, temperature, p, i, j) - theta(i, top - 1, j)) /
                   (1 / m.rdz(i, top, j) + half / m.rdzw(i, top, j));
        });
    });
}

void find_tke_viscosity_on_surfaces(Range cells, const GridView &grid, ConstField3 tke,
                                    const TkeSettings &settings, const Viscosity &viscosity) {
    for_each_row(cells.with_k(0, grid.nz), [&](int k, int j) {
        return [s = settings, e = tke.row(k, j), mx = grid.msftx.row(j), my = grid.msfty.row(j), dx = grid.dx,
                dy = grid.dy, momentum = viscosity.momentum_h.row(k, j),
                scalar = viscosity.scalar_h.row(k, j)](int i) {
            const real l2 = dx / mx[i] * (dy / my[i]);
            momentum[i] = bounded(s.c_k * std::sqrt(std::max(e[i], s.seed)) * std::sqrt(l2), l2, s.dt);
            scalar[i] = momentum[i] / s.prandtl;
        };
    });
}

void add_tke_sources(Range cells, const GridView &grid, const Metrics &m, const Turbulence &air,
                     const SymmetricTensor &deformation, const Viscosity &v, const TkeSettings &s,
                     const SurfaceProduction &surface, Field3 length, Field3 tend) {
    find_cell_length(cells.with_k(0, grid.nz), grid, m.rdzw, length);
    const auto sources = [&](int k, int j, auto from_below) {
        return sources_in_row(k, j, grid, air, deformation, v, s, length, from_below, tend);
    };
    if (surface.friction_velocity.origin)
        for_each_row(cells.with_k(0, 1), [&](int k, int j) {
            return sources(k, j, production_at_surface(j, deformation, air.theta, surface));
        });
    else
        for_each_row(cells.with_k(0, 1), [&](int k, int j) { return sources(k, j, none); });
    for_each_row(cells.with_k(1, grid.nz), [&](int k, int j) { return sources(k, j, none); });
}

} // namespace squall::diffusion
