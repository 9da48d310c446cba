/// Coriolis and curvature terms (Skamarock et al. 2019, eqs 2.36-2.38 and 3.22-3.24).
///
/// The part with the vertical component of the Earth's rotation is apart, because a plane has no
/// other; the rest are the terms with 2 Omega cos(lat), with the change of map factors, and with
/// the Earth's radius.
///
/// The change of map factors turns the wind: on any map of right angles
///     du/dt = v T,   dv/dt = -u T,   T = u (m_y/m_x) dm_x/dy - v (m_x/m_y) dm_y/dx
/// which on a conformal map is u dm/dy - v dm/dx, and where m_y = 1, m_x = 1 / cos(phi), as on a
/// latitude-longitude map, u tan(phi) / a.
#pragma once

#include <algorithm>

#include "core/axis.hpp"
#include "core/constants.hpp"
#include "core/loop.hpp"
#include "dynamics/flow_view.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// tend += m_x/m_y f mu_d v / m_x on u faces.
inline void add_coriolis_u(Range range, const GridView &g, const FlowView &s, Field3 tend) {
    for_each_row(range, [=, &g, &s](int k, int j) {
        return [t = tend.row(k, j), v = s.rv.row(k, j), vn = s.rv.row(k, j + 1), f = g.f.row(j),
                mx = g.msfux.row(j), my = g.msfuy.row(j)](int i) {
            const real rv = real(0.25) * (vn[i - 1] + vn[i] + v[i - 1] + v[i]);
            t[i] += mx[i] / my[i] * real(0.5) * (f[i] + f[i - 1]) * rv;
        };
    });
}

/// tend -= m_y/m_x f mu_d u / m_y on v faces.
inline void add_coriolis_v(Range range, const GridView &g, const FlowView &s, Field3 tend) {
    for_each_row(range, [=, &g, &s](int k, int j) {
        return [t = tend.row(k, j), u = s.ru.row(k, j), us = s.ru.row(k, j - 1), f = g.f.row(j),
                fs = g.f.row(j - 1), mx = g.msfvx.row(j), my = g.msfvy.row(j)](int i) {
            const real ru = real(0.25) * (u[i] + u[i + 1] + us[i] + us[i + 1]);
            t[i] -= my[i] / mx[i] * real(0.5) * (f[i] + fs[i]) * ru;
        };
    });
}

/// The wind that rotation does not turn, a profile over height on nz layers (Grid::z_base): as in a sounding
/// whose pressure gradient nothing in the domain balances (WRF's pert_coriolis).
struct BaseWind {
    ConstProfile u, v, z;
    int nz;

    /// `wind` at the height z of layer k, between the profile's layers around it; at most one layer away.
    real at(ConstProfile wind, int k, real height) const {
        const auto share = [&](int to) {
            return std::clamp((height - z[k]) / (z[to] - z[k]), real(0), real(1));
        };
        const real up = k + 1 < nz ? share(k + 1) : real(0), down = k > 0 ? share(k - 1) : real(0);
        return (1 - up - down) * wind[k] + (up > 0 ? up * wind[k + 1] : real(0)) +
               (down > 0 ? down * wind[k - 1] : real(0));
    }
};

/// Takes from add_coriolis_u() what it makes of the base wind.
inline void subtract_base_coriolis_u(Range range, const GridView &g, const FlowView &s, BaseWind base,
                                     Field3 tend) {
    for_each_row(range, [=, &g, &s](int k, int j) {
        return [=, t = tend.row(k, j), b = g.phb.row(k, j), ba = g.phb.row(k + 1, j), p = s.ph.row(k, j),
                pa = s.ph.row(k + 1, j), f = g.f.row(j), my = g.msfuy.row(j), muu = s.muu.row(j),
                c1 = g.c1h[k], c2 = g.c2h[k]](int i) {
            const real eight = b[i - 1] + ba[i - 1] + b[i] + ba[i] + p[i - 1] + pa[i - 1] + p[i] + pa[i];
            const real v = base.at(base.v, k, real(0.25) * eight / constants::g);
            t[i] -= real(0.5) * (f[i] + f[i - 1]) * (c1 * muu[i] + c2) * v / my[i];
        };
    });
}

/// Likewise of add_coriolis_v().
inline void subtract_base_coriolis_v(Range range, const GridView &g, const FlowView &s, BaseWind base,
                                     Field3 tend) {
    for_each_row(range, [=, &g, &s](int k, int j) {
        return
            [=, t = tend.row(k, j), b = g.phb.row(k, j), ba = g.phb.row(k + 1, j), bs = g.phb.row(k, j - 1),
             bsa = g.phb.row(k + 1, j - 1), p = s.ph.row(k, j), pa = s.ph.row(k + 1, j),
             ps = s.ph.row(k, j - 1), psa = s.ph.row(k + 1, j - 1), f = g.f.row(j), fs = g.f.row(j - 1),
             mx = g.msfvx.row(j), muv = s.muv.row(j), c1 = g.c1h[k], c2 = g.c2h[k]](int i) {
                const real eight = b[i] + ba[i] + bs[i] + bsa[i] + p[i] + pa[i] + ps[i] + psa[i];
                const real u = base.at(base.u, k, real(0.25) * eight / constants::g);
                t[i] += real(0.5) * (f[i] + fs[i]) * (c1 * muv[i] + c2) * u / mx[i];
            };
    });
}

/// What the curvature terms of u and v need on mass points: mu_d w / m_y on layers, and
/// u dm/dy - v dm/dx [s-1].
struct CurvatureFields {
    Field3 rw, turning;
};

/// Sets them on `range` (layers); u at i + 1 and v at j + 1 are read.
inline void diagnose_curvature(Range range, const GridView &g, const FlowView &s, CurvatureFields out) {
    for_each_row(range, [=, &g, &s](int k, int j) {
        return [w = s.w.row(k, j), wa = s.w.row(k + 1, j), u = s.u.row(k, j), v = s.v.row(k, j),
                vn = s.v.row(k, j + 1), mub = g.mub.row(j), mu = s.mu.row(j), m = g.msfty.row(j),
                mx = g.msfvx.row(j), mxn = g.msfvx.row(j + 1), my = g.msfuy.row(j), c1 = g.c1f[k],
                c2 = g.c2f[k], c1a = g.c1f[k + 1], c2a = g.c2f[k + 1], rdx = g.rdx, rdy = g.rdy,
                rw = out.rw.row(k, j), turning = out.turning.row(k, j)](int i) {
            const real mass = mub[i] + mu[i];
            rw[i] = real(0.5) * ((c1 * mass + c2) * w[i] + (c1a * mass + c2a) * wa[i]) / m[i];
            turning[i] = real(0.5) * (u[i] + u[i + 1]) * (mxn[i] - mx[i]) * rdy -
                         real(0.5) * (v[i] + vn[i]) * (my[i + 1] - my[i]) * rdx;
        };
    });
}

/// How a conformal map turns the wind at faces, as on_u(k, j)(i) and on_v(k, j)(i) [s-1]: T of the
/// opening comment, of u times m_x / m_y and of v times m_y / m_x.
struct ConformalTurning {
    ConstField3 on_cells; ///< CurvatureFields::turning

    auto on_u(int k, int j) const {
        return [t = on_cells.row(k, j)](int i) { return real(0.5) * (t[i] + t[i - 1]); };
    }
    auto on_v(int k, int j) const {
        return
            [t = on_cells.row(k, j), s = on_cells.row(k, j - 1)](int i) { return real(0.5) * (t[i] + s[i]); };
    }
};

/// The same of a latitude-longitude map.
struct LatLonTurning {
    ConstField3 u;
    ConstField2 tan_u, tan_v; ///< tan(phi) / a on u and v points, of the latitude on the map [m-1]
    ConstField2 msfux, msfuy, msfvx, msfvy;

    auto on_u(int k, int j) const {
        return [u = u.row(k, j), tan = tan_u.row(j), mx = msfux.row(j), my = msfuy.row(j)](int i) {
            return mx[i] / my[i] * u[i] * tan[i];
        };
    }
    auto on_v(int k, int j) const {
        return [u = u.row(k, j), us = u.row(k, j - 1), tan = tan_v.row(j), mx = msfvx.row(j),
                my = msfvy.row(j)](int i) {
            return my[i] / mx[i] * real(0.25) * (u[i] + u[i + 1] + us[i] + us[i + 1]) * tan[i];
        };
    }
};

/// tend += the curvature and cosine terms on u faces.
template <class Turning>
void add_curvature_u(Range range, const GridView &g, const FlowView &s, ConstField3 rw, Turning turning,
                     Field3 tend) {
    for_each_row(range, [=, &g, &s](int k, int j) {
        return [t = tend.row(k, j), u = s.u.row(k, j), v = s.rv.row(k, j), vn = s.rv.row(k, j + 1),
                rw = rw.row(k, j), turn = turning.on_u(k, j), e = g.e.row(j), cosa = g.cosa.row(j),
                inv_a = 1 / constants::earth_radius](int i) {
            const real rv = real(0.25) * (vn[i - 1] + vn[i] + v[i - 1] + v[i]);
            const real e_cos = real(0.25) * (e[i] + e[i - 1]) * (cosa[i] + cosa[i - 1]);
            t[i] += turn(i) * rv - (e_cos + u[i] * inv_a) * real(0.5) * (rw[i - 1] + rw[i]);
        };
    });
}

/// tend += the curvature and cosine terms on v faces.
template <class Turning>
void add_curvature_v(Range range, const GridView &g, const FlowView &s, ConstField3 rw, Turning turning,
                     Field3 tend) {
    for_each_row(range, [=, &g, &s](int k, int j) {
        return [t = tend.row(k, j), v = s.v.row(k, j), u = s.ru.row(k, j), us = s.ru.row(k, j - 1),
                rws = rw.row(k, j - 1), rw = rw.row(k, j), turn = turning.on_v(k, j), e = g.e.row(j),
                es = g.e.row(j - 1), sina = g.sina.row(j), sina_s = g.sina.row(j - 1), mx = g.msfvx.row(j),
                my = g.msfvy.row(j), inv_a = 1 / constants::earth_radius](int i) {
            const real ru = real(0.25) * (u[i] + u[i + 1] + us[i] + us[i + 1]);
            const real e_sin = real(0.25) * (e[i] + es[i]) * (sina[i] + sina_s[i]);
            t[i] += my[i] / mx[i] * (e_sin - v[i] * inv_a) * real(0.5) * (rws[i] + rw[i]) - turn(i) * ru;
        };
    });
}

/// tend += the curvature and cosine terms on interfaces 1 to nz - 1.
inline void add_curvature_w(Range range, const GridView &g, const FlowView &s, Field3 tend) {
    for_each_row(range, [=, &g, &s](int k, int j) {
        // A cell's mean of a face field, interpolated to interface k; `next` is the opposite face.
        const auto mean = [k, j, wu = real(0.5) * g.fnm[k], wl = real(0.5) * g.fnp[k]](ConstField3 q,
                                                                                       Axis axis) {
            const auto next = [=](int level) {
                return axis == Axis::x ? q.row(level, j) + 1 : q.row(level, j + 1);
            };
            return [=, a = q.row(k, j), an = next(k), b = q.row(k - 1, j), bn = next(k - 1)](int i) {
                return wu * (a[i] + an[i]) + wl * (b[i] + bn[i]);
            };
        };
        return
            [t = tend.row(k, j), ru = mean(s.ru, Axis::x), rv = mean(s.rv, Axis::y), u = mean(s.u, Axis::x),
             v = mean(s.v, Axis::y), e = g.e.row(j), cosa = g.cosa.row(j), sina = g.sina.row(j),
             mx = g.msftx.row(j), my = g.msfty.row(j), inv_a = 1 / constants::earth_radius](int i) {
                const real x = ru(i), y = mx[i] / my[i] * rv(i);
                t[i] += e[i] * (cosa[i] * x - sina[i] * y) + inv_a * (x * u(i) + y * v(i));
            };
    });
}

} // namespace squall
