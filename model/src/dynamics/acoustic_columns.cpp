// The vertically implicit half of an acoustic substep: mass, theta, w and geopotential of columns.
#include <algorithm>
#include <utility>

#include "core/constants.hpp"
#include "dynamics/acoustic.hpp"
#include "dynamics/damping.hpp"
#include "dynamics/geopotential.hpp"
#include "dynamics/linear_state.hpp"
#include "dynamics/mass_flux.hpp"
#include "grid/surface_wind.hpp"

namespace squall {
namespace {

/// One row of columns, i0 <= i < i1, on its way through a substep: what its steps share, and the
/// rows that they hand on.
struct RowOfColumns {
    int i0, i1, j;
    const GridView &g;
    const AcousticSettings &s;
    const StageReference &r;
    const AcousticFields &a;
    const Scratch &scratch;

    real forward() const { return real(0.5) * (1 + s.off_centring); }
    real backward() const { return real(0.5) * (1 - s.off_centring); }
    template <class F> void each(F f) const { for_each_i(i0, i1, f); }
    /// Full column mass of the reference, and at the new time: functions of i.
    auto mass_ref() const {
        return [mub = g.mub.row(j), mu = r.mu.row(j)](int i) { return mub[i] + mu[i]; };
    }
    auto mass_new() const {
        return [old = mass_ref(), mu = a.mu.row(j)](int i) { return old(i) + mu[i]; };
    }
    real *row(int n) const { return scratch.row(n, i0); }
    real *omega(int k) const { return row(k); }                 ///< eta velocity of the departure
    real *divergence(int k) const { return row(g.nz + 1 + k); } ///< of the departure's fluxes
    real *push(int k) const { return row(2 * (g.nz + 1) + k); } ///< by which layer k acts on w
    real *explicit_ph(int k) const { return row(3 * (g.nz + 1) + k); }
    real *mu_mean() const { return row(4 * (g.nz + 1)); }            ///< time-averaged departure of mu
    real *spare(int n) const { return row(4 * (g.nz + 1) + 1 + n); } ///< n = 0, 1
};

/// Column mass and eta velocity by integrating the divergence (eqs 3.9 and 3.16).
void advance_mass(const RowOfColumns &c) {
    const GridView &g = c.g;
    real *sum = c.spare(0);
    c.each([=](int i) { sum[i] = 0; });
    for (int k = 0; k < g.nz; ++k)
        c.each([=, div = c.divergence(k), dnw = g.dnw[k],
                flux = flux_divergence(g, c.a.u, c.a.v, k, c.j)](int i) {
            div[i] = flux(i);
            sum[i] = multiply_add(dnw, div[i], sum[i]);
        });
    if (c.r.tend_mu.origin) // as if the column had more divergence
        c.each([=, tend = c.r.tend_mu.row(c.j), my = g.msfty.row(c.j)](int i) { sum[i] += tend[i] / my[i]; });
    c.each([=, mu = c.a.mu.row(c.j), dmudt = c.a.dmudt.row(c.j), slow = c.r.dmudt.row(c.j),
            my = g.msfty.row(c.j), mean = c.mu_mean(), dts = c.s.dts, forward = c.forward(),
            backward = c.backward()](int i) {
        const real rate = my[i] * sum[i] + slow[i], old = mu[i];
        dmudt[i] = rate;
        mu[i] = old + dts * rate;
        mean[i] = forward * mu[i] + backward * old;
    });
    c.each([bottom = c.omega(0), top = c.omega(g.nz)](int i) { bottom[i] = top[i] = 0; });
    for (int k = 0; k < g.nz - 1; ++k)
        c.each([=, here = c.omega(k), above = c.omega(k + 1), div = c.divergence(k), dnw = g.dnw[k],
                c1 = g.c1h[k]](int i) { above[i] = here[i] - dnw * multiply_add(c1, sum[i], div[i]); });
}

/// Theta (eq. 3.10) and, for w, the time-averaged warming c2a alpha theta''/theta of each layer.
void advance_theta(const RowOfColumns &c) {
    const GridView &g = c.g;
    const int j = c.j;
    const ConstField3 t = c.r.theta, u = c.a.u, v = c.a.v;
    real *low = c.spare(0), *high = c.spare(1); // fluxes through the interfaces of the layer
    c.each([=](int i) { low[i] = 0; });
    for (int k = 0; k < g.nz; ++k) {
        const int upper = std::min(k + 1, g.nz - 1); // at the top omega is zero
        c.each([=, omega = c.omega(k + 1), above = t.row(upper, j), wa = g.fnm[upper], wb = g.fnp[upper],
                t = t.row(k, j), ts = t.row(k, j - 1), tn = t.row(k, j + 1), u = u.row(k, j), v = v.row(k, j),
                vn = v.row(k, j + 1), theta = c.a.theta.row(k, j), tend = c.r.tend_theta.row(k, j),
                alt = c.r.alt.row(k, j), stiffness = c.a.stiffness.row(k, j), push = c.push(k),
                mean = c.mu_mean(), mass_ref = c.mass_ref(), mass_new = c.mass_new(), mx = g.msftx.row(j),
                my = g.msfty.row(j), half_rdx = real(0.5) * g.rdx, half_rdy = real(0.5) * g.rdy,
                dts = c.s.dts, rdnw = g.rdnw[k], dnw = g.dnw[k], c1 = g.c1h[k], c2 = g.c2h[k],
                forward = c.forward(), backward = c.backward()](int i) {
            const real here = t[i], old = theta[i];
            const real up = omega[i] * multiply_add(wa, above[i], wb * here);
            // Not fused, which would tell east from west, and x from y.
            const real fy = vn[i] * (tn[i] + here) - v[i] * (here + ts[i]);
            const real fx = u[i + 1] * (t[i + 1] + here) - u[i] * (here + t[i - 1]);
            const real transport = mx[i] * (half_rdy * fy + half_rdx * fx) + rdnw * (up - low[i]);
            const real updated = multiply_add(dts * my[i], tend[i] - transport, old);
            high[i] = up;
            theta[i] = updated;
            const real c2a = stiffness[i] * dnw * multiply_add(c1, mass_ref(i), c2);
            const real mean_theta =
                multiply_add(forward, updated, backward * old) + c1 * mean[i] * constants::theta0;
            push[i] =
                c2a * alt[i] * mean_theta / (multiply_add(c1, mass_new(i), c2) * (constants::theta0 + here));
        });
        std::swap(low, high);
    }
}

/// The explicit part of the new geopotential (eq. 3.12): advection by the departure's eta velocity,
/// the slow tendency, and the backward share of g w. It completes the push of the layers: by the answer
/// of their pressure to their thickness.
void predict_geopotential(const RowOfColumns &c) {
    const GridView &g = c.g;
    const int j = c.j;
    real *below = c.spare(0), *above = c.spare(1); // descent in the layers around an interface
    const auto omega = [&](int k) { return c.omega(k); };
    c.each([=, surface = c.explicit_ph(0), descent = descent(g, c.r.ph, omega, 0, j)](int i) {
        surface[i] = 0;
        below[i] = descent(i);
    });
    for (int k = 1; k <= g.nz; ++k) {
        const auto predict = [&](auto explicit_part) {
            c.each([=, low = c.explicit_ph(k - 1), high = c.explicit_ph(k), push = c.push(k - 1),
                    ph = c.a.ph.row(k, j), ph_below = c.a.ph.row(k - 1, j),
                    stiffness = c.a.stiffness.row(k - 1, j), forward = c.forward(),
                    backward = c.backward()](int i) {
                const real now = explicit_part(i, ph[i]);
                high[i] = now;
                push[i] = multiply_add(stiffness[i],
                                       multiply_add(forward, now - low[i], backward * (ph[i] - ph_below[i])),
                                       push[i]);
            });
        };
        const auto lifted = [&](auto advection) {
            return [=, tend = c.r.tend_ph.row(k, j), w = c.a.w.row(k, j), m = g.msfty.row(j),
                    mass = c.mass_ref(), c1 = g.c1f[k], c2 = g.c2f[k], dts = c.s.dts,
                    backward = constants::g * c.backward()](int i, real ph) {
                const real rate = multiply_add(backward, w[i], tend[i]) - advection(i);
                return ph + m[i] * dts * rate / multiply_add(c1, mass(i), c2);
            };
        };
        if (k < g.nz)
            predict(
                lifted([=, descent = descent(g, c.r.ph, omega, k, j), wa = g.fnm[k], wb = g.fnp[k]](int i) {
                    const real here = descent(i);
                    above[i] = here;
                    return multiply_add(wa, here, wb * below[i]);
                }));
        else if (c.s.top_lid)
            predict([](int, real) { return real(0); });
        else
            predict(lifted([](int) { return real(0); }));
        std::swap(below, above);
    }
}

/// w by the tridiagonal solver (eq. 3.11): the gradient of the layers' push less the weight of the
/// column, elimination upward, substitution downward.
void solve_w(const RowOfColumns &c) {
    const GridView &g = c.g;
    const int j = c.j, top = g.nz;
    const Field3 w = c.a.w;
    const real dts = c.s.dts, gdts = dts * constants::g, half = gdts * c.forward(), cof = half * half;
    real *push_scale = c.spare(0); // g dt / m_y
    c.each([=, m = g.msfty.row(j)](int i) { push_scale[i] = gdts / m[i]; });
    const auto eliminate = [&](int k, real weight, auto moist, auto gradient) {
        c.each([=, w = w.row(k, j), w_below = w.row(k - 1, j), tend = c.r.tend_w.row(k, j),
                mean = c.mu_mean(), mass = c.mass_ref(), stiffness = c.a.stiffness.row(k - 1, j),
                alpha = c.a.alpha.row(k, j), c1 = g.c1f[k], c1b = g.c1f[k - 1], c2b = g.c2f[k - 1]](int i) {
            const real weighed = multiply_add(moist(i), gradient(i), -c1 * mean[i]);
            const real pushed = multiply_add(push_scale[i], weighed, multiply_add(dts, tend[i], w[i]));
            const real factor = weight * moist(i) * stiffness[i] / multiply_add(c1b, mass(i), c2b);
            w[i] = multiply_add(factor, w_below[i], pushed) * alpha[i];
        });
    };
    with_factor(c.r.moisture.w, [&](auto moist) {
        for (int k = 1; k < top; ++k)
            eliminate(k, k == 1 ? 0 : cof * g.rdn[k], moist(k, j),
                      [below = c.push(k - 1), above = c.push(k), rd = g.rdn[k]](int i) {
                          return rd * (above[i] - below[i]);
                      });
    });
    if (c.s.top_lid) // held
        c.each([w = w.row(top, j)](int i) { w[i] = 0; });
    else // no pressure departure at the top: the gradient is over half a layer
        eliminate(
            top, 2 * cof * g.rdnw[top - 1], [](int) { return real(1); },
            [below = c.push(top - 1), rd = -2 * g.rdnw[top - 1]](int i) { return rd * below[i]; });
    for (int k = top - 1; k >= 1; --k)
        c.each([w = w.row(k, j), above = w.row(k + 1, j), gamma = c.a.gamma.row(k, j)](int i) {
            w[i] = multiply_add(-gamma[i], above[i], w[i]);
        });
}

/// The implicit sponge on w (Klemp, Dudhia and Hassiotis 2008).
void damp_w(const RowOfColumns &c) {
    const GridView &g = c.g;
    const int j = c.j, top = g.nz;
    const auto height = [&](int k) {
        return
            [ph = c.r.ph.row(k, j), phb = g.phb.row(k, j)](int i) { return (ph[i] + phb[i]) / constants::g; };
    };
    for (int k = 1; k <= top; ++k)
        c.each([=, z = height(k), z_top = height(top), w = c.a.w.row(k, j), w_ref = c.r.w.row(k, j),
                mass = c.mass_ref(), c1 = g.c1f[k], c2 = g.c2f[k], dts = c.s.dts, depth = c.s.w_damping_depth,
                coefficient = c.s.w_damping_coefficient](int i) {
            const real rate = dts * implicit_w_damping_rate(z(i), z_top(i), depth, coefficient);
            w[i] = (w[i] - rate * (c1 * mass(i) + c2) * w_ref[i]) / (1 + rate);
        });
}

/// p and al of the new departure in layer k, p with divergence damping: p + smdiv (p - p_previous)
/// (Skamarock et al. 2019, eq. 3.19): a function of i and of the departure of the layer's thickness.
auto new_pressure(const RowOfColumns &c, int k) {
    const GridView &g = c.g;
    const int j = c.j;
    const AcousticFields &a = c.a;
    return [=, p = a.p.row(k, j), p_previous = a.p_previous.row(k, j),
            al = g.level_base ? c.spare(0) : a.al.row(k, j), // where nobody reads it
            theta = a.theta.row(k, j), theta_ref = c.r.theta.row(k, j), stiffness = a.stiffness.row(k, j),
            alt = c.r.alt.row(k, j), mu = a.mu.row(j), mass_ref = c.mass_ref(), mass_new = c.mass_new(),
            c1 = g.c1h[k], c2 = g.c2h[k], rdnw = g.rdnw[k], dnw = g.dnw[k],
            smdiv = c.s.divergence_damping](int i, real thickness) {
        const real c2a = stiffness[i] * dnw * multiply_add(c1, mass_ref(i), c2);
        const LinearState lin = linear_state(c1, multiply_add(c1, mass_new(i), c2), rdnw, mu[i], thickness,
                                             theta[i], theta_ref[i], alt[i], c2a);
        al[i] = lin.al;
        p[i] = multiply_add(smdiv, lin.p - p_previous[i], lin.p);
        p_previous[i] = lin.p;
    };
}

/// The new geopotential: its explicit part and the forward share of g w (eq. 3.12). Then pressure, unless
/// it is the last substep.
void update_geopotential(const RowOfColumns &c, bool last) {
    const int j = c.j;
    for (int k = 1; k <= c.g.nz; ++k) {
        const auto lifted = [=, explicit_ph = c.explicit_ph(k), w = c.a.w.row(k, j), m = c.g.msfty.row(j),
                             mass = c.mass_new(), c1 = c.g.c1f[k], c2 = c.g.c2f[k],
                             half = c.s.dts * constants::g * c.forward()](int i) {
            return explicit_ph[i] + m[i] * half * w[i] / multiply_add(c1, mass(i), c2);
        };
        real *ph = c.a.ph.row(k, j);
        if (last)
            c.each([=](int i) { ph[i] = lifted(i); });
        else
            c.each([=, below = c.a.ph.row(k - 1, j), update = new_pressure(c, k - 1)](int i) {
                ph[i] = lifted(i);
                update(i, ph[i] - below[i]);
            });
    }
}

} // namespace

void update_pressure(Range range, const GridView &g, const AcousticSettings &s, const StageReference &ref,
                     const AcousticFields &a, const Scratch &scratch) {
    for (int j = range.j0; j < range.j1; ++j) {
        const RowOfColumns columns{range.i0, range.i1, j, g, s, ref, a, scratch};
        for (int k = 0; k < g.nz; ++k)
            columns.each([ph = a.ph.row(k, j), above = a.ph.row(k + 1, j),
                          update = new_pressure(columns, k)](int i) { update(i, above[i] - ph[i]); });
    }
}

void advance_columns(Range range, const GridView &g, const AcousticSettings &s, const StageReference &ref,
                     bool last, const AcousticFields &a, const Scratch &scratch) {
    for (int j = range.j0; j < range.j1; ++j) {
        const RowOfColumns columns{range.i0, range.i1, j, g, s, ref, a, scratch};
        advance_mass(columns);
        advance_theta(columns);
        predict_geopotential(columns);
        set_surface_w(range.with_j(j, j + 1), g, a.u, a.v, a.w); // of the departure
        solve_w(columns);
        if (s.w_damping_depth > 0) damp_w(columns);
        update_geopotential(columns, last);
    }
}

} // namespace squall
