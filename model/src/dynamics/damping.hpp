/// Upper-boundary sponges and the damping of runaway vertical wind.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/array.hpp"
#include "core/elementary.hpp"
#include "core/kernel_memory.hpp"
#include "core/loop.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid_view.hpp"
#include "grid/state_view.hpp"

namespace squall {

/// Damping rate [s-1] in a sponge that fills the uppermost `depth` metres below `height_top`:
/// coefficient * sin^2(pi/2 (1 - (height_top - height) / depth)), 0 below; heights in m. The
/// implicit damping of w (Klemp, Dudhia and Hassiotis 2008) and Rayleigh damping share it
/// (NCAR/TN-556, sections 4.4.2 and 4.4.3).
inline real implicit_w_damping_rate(real height, real height_top, real depth, real coefficient) {
    const real below = std::min((height_top - height) / depth, real(1));
    const real s = sine(real(0.5 * std::numbers::pi) * (1 - below));
    return coefficient * s * s;
}

/// What Rayleigh damping and Newtonian cooling relax to, n layers: winds, theta - 300 K and w = 0 at heights
/// z [m].
struct RayleighBase {
    ConstProfile z, u, v, theta;
    int n;
    /// Views of the grid's base profiles. Throws std::invalid_argument unless all have a value per
    /// layer and the heights rise; `what` needs them.
    explicit RayleighBase(const Grid &grid, const char *what = "Rayleigh damping");

    /// The same with profiles that `memory` keeps, where kernels can read them.
    RayleighBase kept_in(KernelMemory &memory) const;
};

/// Adds the relaxation of u, v, w and theta within `depth` [m] of the top towards the base
/// profiles at the same height (NCAR/TN-556, section 4.4.3; WRF damp_opt = 2), at `coefficient`
/// [s-1] times the profile above. u_faces and v_faces are the faces to compute (i and j; whole
/// columns); the state must be set in the cells on both sides of them.
void add_rayleigh_damping(Range u_faces, Range v_faces, Range cells, const GridView &grid, const StateView &s,
                          RayleighBase base, real depth, real coefficient, const TendencyFields &t);

/// Adds to `tend_theta` the relaxation of theta in `cells` towards the base profile at the same height over
/// 12 hours, by not more than 2 K a day: what radiation does, as Rotunno and Emanuel (1987, JAS 44, 542-561)
/// have it (WRF's rad_nudge).
void add_newtonian_cooling(Range cells, const GridView &grid, const StateView &s, const RayleighBase &base,
                           Field3 tend_theta);

/// Adds to tend_w, on the inner interfaces of `cells`, a deceleration where the vertical Courant
/// number |d(eta)/dt dt / d_eta| exceeds 1: 0.3 m s-2 times the excess, against w (NCAR/TN-556,
/// section 4.5.1). `omega` is M d(eta)/dt / msfty [Pa s-1]; mu the perturbation column mass.
inline void add_w_damping(Range cells, const GridView &grid, ConstField3 w, ConstField3 omega, ConstField2 mu,
                          real dt, Field3 tend_w) {
    constexpr real critical_courant = 1, w_deceleration = real(0.3); // [m s-2] per unit of excess
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
