#include "dynamics/acoustic.hpp"

#include "core/constants.hpp"
#include "dynamics/damping.hpp"

namespace squall {
namespace {

/// al and p of the departure in one layer (Skamarock et al. 2019, eqs 3.13 and 3.15, linearised
/// about the reference).
struct LinearState {
    real al, p;
};

inline LinearState linear_state(real c1, real mass, real rdnw, real mu, real d_ph, real theta, real theta_ref,
                                real alt, real c2a) {
    const real mu_layer = c1 * mu;
    const real inv_mass = 1 / mass;
    const real al = -inv_mass * (alt * mu_layer + rdnw * d_ph);
    const real warming = (theta - mu_layer * theta_ref) * inv_mass / (constants::theta0 + theta_ref);
    return {al, c2a * (alt * warming - al)};
}

/// c2a d_eta^-1 / mass of a layer: how its pressure answers a change of its thickness.
inline real stiffness(const GridView &g, int k, real mu, real c2a) {
    return c2a * g.rdnw[k] / (g.c1h[k] * mu + g.c2h[k]);
}

} // namespace

int acoustic_scratch_rows(int nz) { return 4 * (nz + 1) + 6; }

void prepare_departure(Range range, const GridView &g, const StageReference &ref, ConstField3 u_now, ConstField3 v_now,
                       ConstField3 w_now, ConstField3 theta_now, ConstField3 ph_now, ConstField2 mu_now,
                       ConstField2 muu_now, ConstField2 muv_now, AcousticState &state) {
    const Field3 u = state.u.view(), v = state.v.view(), w = state.w.view(), theta = state.theta.view(),
                 ph = state.ph.view(), p = state.p.view(), p_previous = state.p_previous.view(),
                 al = state.al.view(), c2a = state.c2a.view();
    const Field2 mu = state.mu.view();
    const StageReference r = ref;
    for_each_column(range, [=](int i, int j) { mu(i, j) = mu_now(i, j) - r.mu(i, j); });
    for (int j = range.j0; j < range.j1; ++j) {
        for (int k = 0; k <= g.nz; ++k) {
            const real c1 = g.c1f[k], c2 = g.c2f[k];
            for_each_i(range.i0, range.i1, [=](int i) {
                const real mub = g.mub(i, j);
                w(i, k, j) = ((c1 * (mub + mu_now(i, j)) + c2) * w_now(i, k, j) -
                              (c1 * (mub + r.mu(i, j)) + c2) * r.w(i, k, j)) /
                             g.msfty(i, j);
                ph(i, k, j) = ph_now(i, k, j) - r.ph(i, k, j);
            });
        }
        for (int k = 0; k < g.nz; ++k) {
            const real c1 = g.c1h[k], c2 = g.c2h[k], rdnw = g.rdnw[k];
            for_each_i(range.i0, range.i1, [=](int i) {
                const real mass = c1 * (g.mub(i, j) + mu_now(i, j)) + c2;
                u(i, k, j) = ((c1 * muu_now(i, j) + c2) * u_now(i, k, j) - (c1 * r.muu(i, j) + c2) * r.u(i, k, j)) /
                             g.msfuy(i, j);
                v(i, k, j) = ((c1 * muv_now(i, j) + c2) * v_now(i, k, j) - (c1 * r.muv(i, j) + c2) * r.v(i, k, j)) /
                             g.msfvx(i, j);
                const real t = mass * theta_now(i, k, j) -
                               (c1 * (g.mub(i, j) + r.mu(i, j)) + c2) * r.theta(i, k, j);
                theta(i, k, j) = t;
                const real c = constants::cp_over_cv * (g.pb(i, k, j) + r.p(i, k, j)) / r.alt(i, k, j);
                c2a(i, k, j) = c;
                const LinearState lin = linear_state(c1, mass, rdnw, mu(i, j), ph(i, k + 1, j) - ph(i, k, j), t,
                                                     r.theta(i, k, j), r.alt(i, k, j), c);
                al(i, k, j) = lin.al;
                p(i, k, j) = lin.p;
                p_previous(i, k, j) = lin.p;
            });
        }
    }
}

void factor_vertical_solver(Range range, const GridView &g, const AcousticSettings &s, ConstField2 mu_ref,
                            AcousticState &state) {
    const Field3 alpha = state.alpha.view(), gamma = state.gamma.view(), c2a = state.c2a.view();
    const real half = real(0.5) * s.dts * constants::g * (1 + s.off_centring);
    const real cof = half * half;
    const int top = g.nz;
    for (int j = range.j0; j < range.j1; ++j) {
        for_each_i(range.i0, range.i1, [=](int i) { gamma(i, 0, j) = 0; });
        for (int k = 1; k < top; ++k) {
            const bool first = k == 1;
            for_each_i(range.i0, range.i1, [=](int i) {
                const real mu = g.mub(i, j) + mu_ref(i, j);
                const real below = stiffness(g, k - 1, mu, c2a(i, k - 1, j));
                const real above = stiffness(g, k, mu, c2a(i, k, j));
                const real weight = cof * g.rdn[k];
                const real a = first ? real(0) : -weight * below / (g.c1f[k - 1] * mu + g.c2f[k - 1]);
                const real b = 1 + weight * (above + below) / (g.c1f[k] * mu + g.c2f[k]);
                const real c = -weight * above / (g.c1f[k + 1] * mu + g.c2f[k + 1]);
                alpha(i, k, j) = 1 / (b - a * gamma(i, k - 1, j));
                gamma(i, k, j) = c * alpha(i, k, j);
            });
        }
        const bool lid = s.top_lid;
        for_each_i(range.i0, range.i1, [=](int i) {
            const real mu = g.mub(i, j) + mu_ref(i, j);
            const real below = 2 * cof * g.rdnw[top - 1] * stiffness(g, top - 1, mu, c2a(i, top - 1, j));
            const real a = lid ? real(0) : -below / (g.c1f[top - 1] * mu + g.c2f[top - 1]);
            const real b = 1 + below / (g.c1f[top] * mu + g.c2f[top]);
            alpha(i, top, j) = 1 / (b - a * gamma(i, top - 1, j));
            gamma(i, top, j) = 0;
        });
    }
}

namespace {

/// u (or v) += dts (slow tendency - pressure gradient) + external-mode filter on `faces`.
void advance_wind(Range faces, const GridView &g, const AcousticSettings &s, const Direction &dir,
                  const PressureFields &fields, ConstField2 muf, ConstField3 tend, ConstField2 dmudt, Field3 wind,
                  Scratch &scratch) {
    const std::ptrdiff_t back = dir.back(dmudt.sj);
    const real filter = s.external_mode / dir.rd, dts = s.dts;
    const ConstField2 across = dir.across;
    const ConstProfile c1h = g.c1h;
    pressure_gradient(faces, g, dir, s.top_lid, fields, muf, scratch.row(0, faces.i0), scratch.row(1, faces.i0),
                      [=](int i, int k, int j, real gradient) {
                          const real *d = &dmudt(i, j);
                          const real external = filter * (d[0] - d[back]) / across(i, j);
                          wind(i, k, j) += dts * (tend(i, k, j) - gradient) - c1h[k] * external;
                      });
}

void apply_tendency(Range faces, real dts, ConstField3 tend, Field3 wind) {
    for_each(faces, [=](int i, int k, int j) { wind(i, k, j) += dts * tend(i, k, j); });
}

/// The faces of cells [c0, c1) among [begin, end): the last cell's upper face belongs to it only
/// where no further cell follows.
std::pair<int, int> clip(int c0, int c1, int n, int begin, int end) {
    return {std::max(c0, begin), std::min(c1 == n ? n + 1 : c1, end)};
}

} // namespace

void advance_momentum(Range cells, const GridView &g, const AcousticSettings &s, const StageReference &ref,
                      FaceRange uf, FaceRange vf, AcousticState &a, Scratch &scratch) {
    const PressureFields fields{a.p.view(), a.al.view(), a.ph.view(), a.mu.view(), ref.alt, ref.php};
    const Range layers = cells.with_k(0, g.nz);
    const auto [u0, u1] = clip(cells.i0, cells.i1, g.nx, uf.begin, uf.end);
    const auto [v0, v1] = clip(cells.j0, cells.j1, g.ny, vf.begin, vf.end);
    const Field3 u = a.u.view(), v = a.v.view();
    for (int j = cells.j0; j < std::max(cells.j1, v1); ++j) {
        if (j < cells.j1 && u0 < u1)
            advance_wind(layers.with_i(u0, u1).with_j(j, j + 1), g, s, Direction::west_east(g), fields, ref.muu,
                         ref.tend_u, a.dmudt.view(), u, scratch);
        if (j >= v0 && j < v1)
            advance_wind(layers.with_j(j, j + 1), g, s, Direction::south_north(g), fields, ref.muv, ref.tend_v,
                         a.dmudt.view(), v, scratch);
    }
    const auto [ut0, ut1] = clip(cells.i0, cells.i1, g.nx, uf.tend_begin, uf.tend_end);
    const auto [vt0, vt1] = clip(cells.j0, cells.j1, g.ny, vf.tend_begin, vf.tend_end);
    apply_tendency(layers.with_i(ut0, std::min(ut1, uf.begin)), s.dts, ref.tend_u, u);
    apply_tendency(layers.with_i(std::max(ut0, uf.end), ut1), s.dts, ref.tend_u, u);
    apply_tendency(layers.with_j(vt0, std::min(vt1, vf.begin)), s.dts, ref.tend_v, v);
    apply_tendency(layers.with_j(std::max(vt0, vf.end), vt1), s.dts, ref.tend_v, v);
}

namespace {

/// The rows that one column slab hands from step to step.
struct ColumnRows {
    Scratch &scratch;
    int i0, levels;
    real *omega(int k) { return scratch.row(k, i0); }                ///< eta velocity of the departure
    real *divergence(int k) { return scratch.row(levels + k, i0); }  ///< of the departure's fluxes
    real *force(int k) { return scratch.row(2 * levels + k, i0); }   ///< pressure answer of layer k
    real *ph(int k) { return scratch.row(3 * levels + k, i0); }      ///< explicit part of new phi
    real *one(int n) { return scratch.row(4 * levels + n, i0); }     ///< single rows
};

/// Column mass and eta velocity by integrating the divergence (eqs 3.9 and 3.16).
void advance_mass(int i0, int i1, int j, const GridView &g, const AcousticSettings &s, const StageReference &r,
                  ConstField3 u, ConstField3 v, Field2 mu, Field2 dmudt, ColumnRows rows) {
    real *sum = rows.one(0), *mu_mean = rows.one(1);
    for_each_i(i0, i1, [=](int i) { sum[i] = 0; });
    for (int k = 0; k < g.nz; ++k) {
        real *div = rows.divergence(k);
        const real dnw = g.dnw[k];
        for_each_i(i0, i1, [=](int i) {
            div[i] = g.msftx(i, j) * g.msfty(i, j) *
                     (g.rdx * (u(i + 1, k, j) - u(i, k, j)) + g.rdy * (v(i, k, j + 1) - v(i, k, j)));
            sum[i] += dnw * div[i];
        });
    }
    const real forward = real(0.5) * (1 + s.off_centring), backward = real(0.5) * (1 - s.off_centring), dts = s.dts;
    for_each_i(i0, i1, [=](int i) {
        const real rate = sum[i] + r.dmudt(i, j), old = mu(i, j);
        dmudt(i, j) = rate;
        mu(i, j) = old + dts * rate;
        mu_mean[i] = forward * mu(i, j) + backward * old;
    });
    real *bottom = rows.omega(0), *top = rows.omega(g.nz);
    for_each_i(i0, i1, [=](int i) { bottom[i] = top[i] = 0; });
    for (int k = 0; k < g.nz - 1; ++k) {
        const real *here = rows.omega(k), *div = rows.divergence(k);
        real *above = rows.omega(k + 1);
        const real dnw = g.dnw[k], c1 = g.c1h[k];
        for_each_i(i0, i1, [=](int i) { above[i] = here[i] - dnw * (c1 * sum[i] + div[i]) / g.msfty(i, j); });
    }
}

/// Theta (eq. 3.10) and, for w, the time-averaged warming c2a alpha theta''/theta of each layer.
void advance_theta(int i0, int i1, int j, const GridView &g, const AcousticSettings &s, const StageReference &r,
                   ConstField3 u, ConstField3 v, ConstField3 c2a, ConstField2 mu, Field3 theta, ColumnRows rows) {
    const real forward = real(0.5) * (1 + s.off_centring), backward = real(0.5) * (1 - s.off_centring), dts = s.dts;
    const real *mu_mean = rows.one(1);
    real *low = rows.one(2), *high = rows.one(3);
    const ConstField3 t = r.theta, tend = r.tend_theta, alt = r.alt;
    for_each_i(i0, i1, [=](int i) { low[i] = 0; });
    for (int k = 0; k < g.nz; ++k) {
        const real *omega = rows.omega(k + 1);
        if (k + 1 < g.nz) {
            const real above = g.fnm[k + 1], below = g.fnp[k + 1];
            for_each_i(i0, i1, [=](int i) { high[i] = omega[i] * (above * t(i, k + 1, j) + below * t(i, k, j)); });
        } else {
            for_each_i(i0, i1, [=](int i) { high[i] = 0; });
        }
        const real rdnw = g.rdnw[k], c1 = g.c1h[k], c2 = g.c2h[k];
        real *force = rows.force(k);
        for_each_i(i0, i1, [=](int i) {
            const real here = t(i, k, j), old = theta(i, k, j);
            const real fy = v(i, k, j + 1) * (t(i, k, j + 1) + here) - v(i, k, j) * (here + t(i, k, j - 1));
            const real fx = u(i + 1, k, j) * (t(i + 1, k, j) + here) - u(i, k, j) * (here + t(i - 1, k, j));
            const real transport =
                g.msftx(i, j) * real(0.5) * (g.rdy * fy + g.rdx * fx) + rdnw * (high[i] - low[i]);
            const real updated = old + dts * g.msfty(i, j) * (tend(i, k, j) - transport);
            theta(i, k, j) = updated;
            const real mass = c1 * (g.mub(i, j) + r.mu(i, j) + mu(i, j)) + c2;
            force[i] = c2a(i, k, j) * alt(i, k, j) *
                       (forward * updated + backward * old + c1 * mu_mean[i] * constants::theta0) /
                       (mass * (constants::theta0 + here));
        });
        std::swap(low, high);
    }
}

/// The explicit part of the new geopotential (eq. 3.12): advection by the departure's eta velocity,
/// the slow tendency, and the backward share of g w.
void predict_geopotential(int i0, int i1, int j, const GridView &g, const AcousticSettings &s,
                          const StageReference &r, ConstField3 w, ConstField3 ph, ColumnRows rows) {
    const real backward = real(0.5) * constants::g * (1 - s.off_centring), dts = s.dts;
    const ConstField3 phr = r.ph, phb = g.phb, tend = r.tend_ph;
    real *below = rows.one(2), *above = rows.one(3);
    const auto descent = [&](int k, real *row) {
        const real *low = rows.omega(k), *high = rows.omega(k + 1);
        const real half_rdnw = real(0.5) * g.rdnw[k];
        for_each_i(i0, i1, [=](int i) {
            row[i] = half_rdnw * (high[i] + low[i]) *
                     ((phr(i, k + 1, j) - phr(i, k, j)) + (phb(i, k + 1, j) - phb(i, k, j)));
        });
    };
    real *surface = rows.ph(0);
    for_each_i(i0, i1, [=](int i) { surface[i] = 0; });
    descent(0, below);
    for (int k = 1; k <= g.nz; ++k) {
        real *out = rows.ph(k);
        const bool top = k == g.nz;
        const real wa = top ? 0 : g.fnm[k], wb = top ? 0 : g.fnp[k];
        if (!top) descent(k, above);
        const real c1 = g.c1f[k], c2 = g.c2f[k];
        const bool held = top && s.top_lid;
        for_each_i(i0, i1, [=](int i) {
            const real rate = tend(i, k, j) + backward * w(i, k, j) - (wa * above[i] + wb * below[i]);
            const real mass = c1 * (g.mub(i, j) + r.mu(i, j)) + c2;
            out[i] = held ? real(0) : ph(i, k, j) + g.msfty(i, j) * dts * rate / mass;
        });
        std::swap(below, above);
    }
}

/// w at the surface follows the terrain (eq. 3.14 with the departure's winds).
void surface_w(int i0, int i1, int j, const GridView &g, ConstField3 u, ConstField3 v, Field3 w) {
    const auto lowest = [=](ConstField3 q, int i, int jj) {
        return g.cf1 * q(i, 0, jj) + g.cf2 * q(i, 1, jj) + g.cf3 * q(i, 2, jj);
    };
    const ConstField2 h = g.terrain;
    for_each_i(i0, i1, [=](int i) {
        w(i, 0, j) = g.msfty(i, j) * real(0.5) * g.rdy *
                         ((h(i, j + 1) - h(i, j)) * lowest(v, i, j + 1) + (h(i, j) - h(i, j - 1)) * lowest(v, i, j)) +
                     g.msftx(i, j) * real(0.5) * g.rdx *
                         ((h(i + 1, j) - h(i, j)) * lowest(u, i + 1, j) + (h(i, j) - h(i - 1, j)) * lowest(u, i, j));
    });
}

/// Adds the pressure answer to the layer's thickness: force(k) becomes all of what layer k pushes.
void add_thickness_force(int i0, int i1, int j, const GridView &g, const AcousticSettings &s,
                         const StageReference &r, ConstField3 ph, ConstField3 c2a, ColumnRows rows) {
    const real forward = real(0.5) * (1 + s.off_centring), backward = real(0.5) * (1 - s.off_centring);
    for (int k = 0; k < g.nz; ++k) {
        const real *low = rows.ph(k), *high = rows.ph(k + 1);
        real *force = rows.force(k);
        for_each_i(i0, i1, [=](int i) {
            force[i] += stiffness(g, k, g.mub(i, j) + r.mu(i, j), c2a(i, k, j)) *
                        (forward * (high[i] - low[i]) + backward * (ph(i, k + 1, j) - ph(i, k, j)));
        });
    }
}

/// w by the tridiagonal solver, the sponge on w, then the new geopotential (eqs 3.11-3.12).
void solve_w(int i0, int i1, int j, const GridView &g, const AcousticSettings &s, const StageReference &r,
             ConstField3 c2a, ConstField3 alpha, ConstField3 gamma, ConstField2 mu, Field3 w, Field3 ph,
             ColumnRows rows) {
    const int top = g.nz;
    const real dts = s.dts, gdts = dts * constants::g;
    const real half = real(0.5) * gdts * (1 + s.off_centring), cof = half * half;
    const real *mu_mean = rows.one(1);
    const ConstField3 tend = r.tend_w;
    // Downward sweep of row k: the gradient of the layers' push, less the weight of the column, then
    // the elimination of w(k-1) with the factor `weight` of the layer below.
    const auto eliminate = [&](int k, real weight, auto gradient) {
        const real c1 = g.c1f[k], c1b = g.c1f[k - 1], c2b = g.c2f[k - 1];
        for_each_i(i0, i1, [=](int i) {
            const real mut = g.mub(i, j) + r.mu(i, j);
            const real pushed = w(i, k, j) + dts * tend(i, k, j) +
                                gdts / g.msfty(i, j) * (gradient(i) - c1 * mu_mean[i]);
            const real a = -weight * stiffness(g, k - 1, mut, c2a(i, k - 1, j)) / (c1b * mut + c2b);
            w(i, k, j) = (pushed - a * w(i, k - 1, j)) * alpha(i, k, j);
        });
    };
    for (int k = 1; k < top; ++k) {
        const real *below = rows.force(k - 1), *above = rows.force(k);
        const real rd = g.rdn[k];
        eliminate(k, k == 1 ? 0 : cof * rd, [=](int i) { return rd * (above[i] - below[i]); });
    }
    if (s.top_lid) {
        for_each_i(i0, i1, [=](int i) { w(i, top, j) = 0; });
    } else { // no pressure departure at the top: the gradient is over half a layer
        const real *below = rows.force(top - 1);
        const real rd = -2 * g.rdnw[top - 1];
        eliminate(top, -cof * rd, [=](int i) { return rd * below[i]; });
    }
    for (int k = top - 1; k >= 1; --k)
        for_each_i(i0, i1, [=](int i) { w(i, k, j) -= gamma(i, k, j) * w(i, k + 1, j); });
    if (s.w_damping_depth > 0) {
        for (int k = 1; k <= top; ++k) {
            const real c1 = g.c1f[k], c2 = g.c2f[k];
            for_each_i(i0, i1, [=](int i) {
                const real height = (r.ph(i, k, j) + g.phb(i, k, j)) / constants::g;
                const real height_top = (r.ph(i, top, j) + g.phb(i, top, j)) / constants::g;
                const real rate = dts * implicit_w_damping_rate(height, height_top, s.w_damping_depth,
                                                                s.w_damping_coefficient);
                const real mass = c1 * (g.mub(i, j) + r.mu(i, j)) + c2;
                w(i, k, j) = (w(i, k, j) - rate * mass * r.w(i, k, j)) / (1 + rate);
            });
        }
    }
    for (int k = 1; k <= top; ++k) {
        const real *explicit_ph = rows.ph(k);
        const real c1 = g.c1f[k], c2 = g.c2f[k];
        for_each_i(i0, i1, [=](int i) {
            const real mass = c1 * (g.mub(i, j) + r.mu(i, j) + mu(i, j)) + c2;
            ph(i, k, j) = explicit_ph[i] + g.msfty(i, j) * half * w(i, k, j) / mass;
        });
    }
}

/// p and al of the new departure, p with divergence damping: p + smdiv (p - p_previous)
/// (Skamarock et al. 2019, eq. 3.19).
void update_pressure(int i0, int i1, int j, const GridView &g, const AcousticSettings &s, const StageReference &r,
                     AcousticState &a) {
    const Field3 p = a.p.view(), p_previous = a.p_previous.view(), al = a.al.view();
    const ConstField3 theta = a.theta.view(), ph = a.ph.view(), c2a = a.c2a.view();
    const ConstField2 mu = a.mu.view();
    const real smdiv = s.divergence_damping;
    for (int k = 0; k < g.nz; ++k) {
        const real c1 = g.c1h[k], c2 = g.c2h[k], rdnw = g.rdnw[k];
        for_each_i(i0, i1, [=](int i) {
            const real mass = c1 * (g.mub(i, j) + r.mu(i, j) + mu(i, j)) + c2;
            const LinearState lin =
                linear_state(c1, mass, rdnw, mu(i, j), ph(i, k + 1, j) - ph(i, k, j), theta(i, k, j),
                             r.theta(i, k, j), r.alt(i, k, j), c2a(i, k, j));
            al(i, k, j) = lin.al;
            p(i, k, j) = lin.p + smdiv * (lin.p - p_previous(i, k, j));
            p_previous(i, k, j) = lin.p;
        });
    }
}

} // namespace

void advance_columns(Range range, const GridView &g, const AcousticSettings &s, const StageReference &ref,
                     bool last, AcousticState &a, Scratch &scratch) {
    const int i0 = range.i0, i1 = range.i1;
    ColumnRows rows{scratch, i0, g.nz + 1};
    const ConstField3 u = a.u.view(), v = a.v.view(), c2a = a.c2a.view();
    for (int j = range.j0; j < range.j1; ++j) {
        advance_mass(i0, i1, j, g, s, ref, u, v, a.mu.view(), a.dmudt.view(), rows);
        advance_theta(i0, i1, j, g, s, ref, u, v, c2a, a.mu.view(), a.theta.view(), rows);
        predict_geopotential(i0, i1, j, g, s, ref, a.w.view(), a.ph.view(), rows);
        add_thickness_force(i0, i1, j, g, s, ref, a.ph.view(), c2a, rows);
        surface_w(i0, i1, j, g, u, v, a.w.view());
        solve_w(i0, i1, j, g, s, ref, c2a, a.alpha.view(), a.gamma.view(), a.mu.view(), a.w.view(), a.ph.view(),
                rows);
        if (!last) update_pressure(i0, i1, j, g, s, ref, a);
    }
}

} // namespace squall
