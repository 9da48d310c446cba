/// The slow terms other than transport and diffusion: Coriolis, curvature, vertical pressure
/// gradient and buoyancy, and the right-hand side of the geopotential equation.
/// Skamarock et al. (2019), eqs 2.30-2.35 with the map factors of 2.36-2.43.
#pragma once

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "dynamics/grid_view.hpp"

namespace squall {

/// What the slow terms read: the state at this stage and its mass fluxes.
struct FlowView {
    ConstField3 u, v, w, ph;
    ConstField2 mu;
    ConstField3 ru, rv, omega; ///< mass fluxes, see mass_flux.hpp
    ConstField2 muu, muv;      ///< full column mass on faces
};

/// Weights that bring layers to interface k: interpolated inside, extrapolated at the top.
struct InterfaceWeights {
    int upper, lower; ///< layers
    real wu, wl;
    InterfaceWeights(const GridView &g, int k)
        : upper(k < g.nz ? k : g.nz - 1), lower(upper - 1), wu(k < g.nz ? g.fnm[k] : 2 - g.fnm[g.nz - 1]),
          wl(k < g.nz ? g.fnp[k] : -g.fnp[g.nz - 1]) {}
    template <class F> real operator()(F f) const { return wu * f(upper) + wl * f(lower); }
};

/// mu_d w / m_y at layer k, averaged from its interfaces.
inline real layer_rw(const GridView &g, const FlowView &s, int i, int k, int j) {
    const real mu = g.mub(i, j) + s.mu(i, j);
    return real(0.5) *
           ((g.c1f[k] * mu + g.c2f[k]) * s.w(i, k, j) + (g.c1f[k + 1] * mu + g.c2f[k + 1]) * s.w(i, k + 1, j)) /
           g.msfty(i, j);
}

/// The part of Coriolis and curvature that turns the horizontal wind, f + u dm/dy - v dm/dx, at a
/// mass point [s-1].
inline real turning_rate(const GridView &g, const FlowView &s, bool curvature, int i, int k, int j) {
    real rate = g.f(i, j);
    if (curvature)
        rate += real(0.5) * (s.u(i, k, j) + s.u(i + 1, k, j)) * (g.msfvx(i, j + 1) - g.msfvx(i, j)) * g.rdy -
                real(0.5) * (s.v(i, k, j) + s.v(i, k, j + 1)) * (g.msfuy(i + 1, j) - g.msfuy(i, j)) * g.rdx;
    return rate;
}

/// tend += Coriolis and, where asked for, curvature, on u faces.
inline void rotate_u(Range range, const GridView &g, const FlowView &s, bool curvature, Field3 tend) {
    const real inv_a = curvature ? 1 / constants::earth_radius : 0;
    for_each(range, [=](int i, int k, int j) {
        const real rv = real(0.25) * (s.rv(i - 1, k, j + 1) + s.rv(i, k, j + 1) + s.rv(i - 1, k, j) + s.rv(i, k, j));
        const real rw = real(0.5) * (layer_rw(g, s, i - 1, k, j) + layer_rw(g, s, i, k, j));
        const real turning =
            real(0.5) * (turning_rate(g, s, curvature, i, k, j) + turning_rate(g, s, curvature, i - 1, k, j));
        const real e_cos = real(0.5) * (g.e(i, j) + g.e(i - 1, j)) * real(0.5) * (g.cosa(i, j) + g.cosa(i - 1, j));
        tend(i, k, j) += g.msfux(i, j) / g.msfuy(i, j) * turning * rv - (e_cos + s.u(i, k, j) * inv_a) * rw;
    });
}

/// tend += Coriolis and curvature on v faces.
inline void rotate_v(Range range, const GridView &g, const FlowView &s, bool curvature, Field3 tend) {
    const real inv_a = curvature ? 1 / constants::earth_radius : 0;
    for_each(range, [=](int i, int k, int j) {
        const real ru = real(0.25) * (s.ru(i, k, j) + s.ru(i + 1, k, j) + s.ru(i, k, j - 1) + s.ru(i + 1, k, j - 1));
        const real rw = real(0.5) * (layer_rw(g, s, i, k, j - 1) + layer_rw(g, s, i, k, j));
        const real turning =
            real(0.5) * (turning_rate(g, s, curvature, i, k, j) + turning_rate(g, s, curvature, i, k, j - 1));
        const real e_sin = real(0.5) * (g.e(i, j) + g.e(i, j - 1)) * real(0.5) * (g.sina(i, j) + g.sina(i, j - 1));
        tend(i, k, j) += g.msfvy(i, j) / g.msfvx(i, j) * (-turning * ru + (e_sin - s.v(i, k, j) * inv_a) * rw);
    });
}

/// tend += Coriolis and curvature on interfaces 1 to nz - 1.
inline void rotate_w(Range range, const GridView &g, const FlowView &s, bool curvature, Field3 tend) {
    const real inv_a = curvature ? 1 / constants::earth_radius : 0;
    for_each(range, [=](int i, int k, int j) {
        const InterfaceWeights at(g, k);
        const auto mean_x = [=](ConstField3 q) {
            return real(0.5) * at([=](int l) { return q(i, l, j) + q(i + 1, l, j); });
        };
        const auto mean_y = [=](ConstField3 q) {
            return real(0.5) * at([=](int l) { return q(i, l, j) + q(i, l, j + 1); });
        };
        const real ratio = g.msftx(i, j) / g.msfty(i, j);
        const real ru = mean_x(s.ru), rv = ratio * mean_y(s.rv);
        tend(i, k, j) += g.e(i, j) * (g.cosa(i, j) * ru - g.sina(i, j) * rv) +
                         inv_a * (ru * mean_x(s.u) + rv * mean_y(s.v));
    });
}

/// tend += g (dp/d_eta - c1 mu') / m_y on interfaces 1 to nz; at the top p' = 0.
inline void vertical_pressure_gradient_and_buoyancy(Range range, const GridView &g, ConstField3 p, ConstField2 mu,
                                                    Field3 tend) {
    const int top = g.nz;
    for_each(range.with_k(range.k0, std::min(range.k1, top)), [=](int i, int k, int j) {
        tend(i, k, j) += constants::g / g.msfty(i, j) *
                         (g.rdn[k] * (p(i, k, j) - p(i, k - 1, j)) - g.c1f[k] * mu(i, j));
    });
    for_each_column(range, [=](int i, int j) {
        tend(i, top, j) += constants::g / g.msfty(i, j) *
                           (-2 * g.rdnw[top - 1] * p(i, top - 1, j) - g.c1f[top] * mu(i, j));
    });
}

} // namespace squall
