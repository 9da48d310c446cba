// Where the substeps of a stage begin, and their horizontal half: the wind.
#include "dynamics/acoustic.hpp"

#include <algorithm>
#include <utility>

#include "core/constants.hpp"
#include "dynamics/linear_state.hpp"

namespace squall {
namespace {

/// mass q - mass_ref q_ref, by the departure of the mass. Rounding is that of departures and not of the
/// products: winds at open sides keep its errors, which would fill or empty the domain.
inline real departure_of_product(real mass, real mass_departure, real q, real q_ref) {
    return mass * (q - q_ref) + mass_departure * q_ref;
}

/// cp/cv p / alpha of the reference in a layer.
inline real squared_sound_speed_over_alpha2(real pb, real p, real alt) {
    return constants::cp_over_cv * (pb + p) / alt;
}

} // namespace

int acoustic_scratch_rows(int nz) { return 4 * (nz + 1) + 3; }

void prepare_departure(Range range, const GridView &g, const StageReference &r, const PresentState &now,
                       const AcousticFields &state) {
    for_each_column(range, [=, mu = state.mu, mu_now = now.mu, mu_ref = r.mu](int i, int j) {
        mu(i, j) = mu_now(i, j) - mu_ref(i, j);
    });
    for_each_row(range.with_k(0, g.nz + 1), [&](int k, int j) {
        return
            [c1 = g.c1f[k], c2 = g.c2f[k], mub = g.mub.row(j), mu_now = now.mu.row(j), mu_ref = r.mu.row(j),
             m = g.msfty.row(j), w_now = now.w.row(k, j), w_ref = r.w.row(k, j), ph_now = now.ph.row(k, j),
             ph_ref = r.ph.row(k, j), w = state.w.row(k, j), ph = state.ph.row(k, j)](int i) {
                const real mass = c1 * (mub[i] + mu_now[i]) + c2;
                w[i] = departure_of_product(mass, c1 * (mu_now[i] - mu_ref[i]), w_now[i], w_ref[i]) / m[i];
                ph[i] = ph_now[i] - ph_ref[i];
            };
    });
    const Range layers = range.with_k(0, g.nz);
    for_each_row(layers, [&](int k, int j) {
        return [c1 = g.c1h[k], c2 = g.c2h[k], muu_now = now.muu.row(j), muv_now = now.muv.row(j),
                mu_now = now.mu.row(j), mu_ref = r.mu.row(j), south_now = now.mu.row(j - 1),
                south_ref = r.mu.row(j - 1), my = g.msfuy.row(j), mx = g.msfvx.row(j),
                u_now = now.u.row(k, j), u_ref = r.u.row(k, j), v_now = now.v.row(k, j),
                v_ref = r.v.row(k, j), u = state.u.row(k, j), v = state.v.row(k, j)](int i) {
            const real half_c1 = real(0.5) * c1, here = mu_now[i] - mu_ref[i];
            const real in_u = half_c1 * (here + (mu_now[i - 1] - mu_ref[i - 1]));
            const real in_v = half_c1 * (here + (south_now[i] - south_ref[i]));
            u[i] = departure_of_product(c1 * muu_now[i] + c2, in_u, u_now[i], u_ref[i]) / my[i];
            v[i] = departure_of_product(c1 * muv_now[i] + c2, in_v, v_now[i], v_ref[i]) / mx[i];
        };
    });
    for_each_row(layers, [&](int k, int j) {
        return [c1 = g.c1h[k], c2 = g.c2h[k], rdnw = g.rdnw[k], mub = g.mub.row(j), mu_now = now.mu.row(j),
                mu_ref = r.mu.row(j), mu = state.mu.row(j), pb = g.pb.row(k, j), p_ref = r.p.row(k, j),
                alt = r.alt.row(k, j), t_now = now.theta.row(k, j), t_ref = r.theta.row(k, j),
                ph = state.ph.row(k, j), ph_above = state.ph.row(k + 1, j), theta = state.theta.row(k, j),
                stiffness = state.stiffness.row(k, j), al = state.al.row(k, j), p = state.p.row(k, j),
                p_previous = state.p_previous.row(k, j)](int i) {
            const real mass = c1 * (mub[i] + mu_now[i]) + c2, mass_ref = c1 * (mub[i] + mu_ref[i]) + c2;
            const real t = departure_of_product(mass, c1 * (mu_now[i] - mu_ref[i]), t_now[i], t_ref[i]);
            const real c2a = squared_sound_speed_over_alpha2(pb[i], p_ref[i], alt[i]);
            const LinearState lin =
                linear_state(c1, mass, rdnw, mu[i], ph_above[i] - ph[i], t, t_ref[i], alt[i], c2a);
            theta[i] = t;
            stiffness[i] = c2a * rdnw / mass_ref;
            al[i] = lin.al;
            p[i] = lin.p;
            p_previous[i] = lin.p;
        };
    });
}

void clear_departure(Range range, const GridView &g, const StageReference &r, const AcousticFields &state) {
    for_each_column(range, [mu = state.mu](int i, int j) { mu(i, j) = 0; });
    for_each_row(range.with_k(0, g.nz + 1), [&](int k, int j) {
        return [u = state.u.row(k, j), v = state.v.row(k, j), w = state.w.row(k, j),
                theta = state.theta.row(k, j),
                ph = state.ph.row(k, j)](int i) { u[i] = v[i] = w[i] = theta[i] = ph[i] = 0; };
    });
    for_each_row(range.with_k(0, g.nz), [&](int k, int j) {
        return [c1 = g.c1h[k], c2 = g.c2h[k], rdnw = g.rdnw[k], mub = g.mub.row(j), mu_ref = r.mu.row(j),
                pb = g.pb.row(k, j), p_ref = r.p.row(k, j), alt = r.alt.row(k, j),
                stiffness = state.stiffness.row(k, j)](int i) {
            stiffness[i] = squared_sound_speed_over_alpha2(pb[i], p_ref[i], alt[i]) * rdnw /
                           (c1 * (mub[i] + mu_ref[i]) + c2);
        };
    });
}

void factor_vertical_solver(Range range, const GridView &g, const AcousticSettings &s,
                            const StageReference &ref, const AcousticFields &state) {
    const Field3 alpha = state.alpha, gamma = state.gamma;
    const ConstField3 stiffness = state.stiffness;
    const real half = real(0.5) * s.dts * constants::g * (1 + s.off_centring);
    const real cof = half * half;
    const int top = g.nz;
    for (int j = range.j0; j < range.j1; ++j) {
        const auto mu = [mub = g.mub.row(j), mu = ref.mu.row(j)](int i) { return mub[i] + mu[i]; };
        for_each_i(range.i0, range.i1, [gamma = gamma.row(0, j)](int i) { gamma[i] = 0; });
        with_factor(ref.moisture.w, [&](auto moist) {
            for (int k = 1; k < top; ++k)
                for_each_i(range.i0, range.i1,
                           [=, below = stiffness.row(k - 1, j), above = stiffness.row(k, j),
                            alpha = alpha.row(k, j), gamma = gamma.row(k, j),
                            gamma_below = gamma.row(k - 1, j), c1 = g.c1f[k], c2 = g.c2f[k],
                            c1b = g.c1f[k - 1], c2b = g.c2f[k - 1], c1a = g.c1f[k + 1], c2a = g.c2f[k + 1],
                            rest = cof * g.rdn[k], lowest = k == 1, moist = moist(k, j)](int i) {
                               const real m = mu(i), weight = rest * moist(i);
                               const real a = lowest ? real(0) : -weight * below[i] / (c1b * m + c2b);
                               const real b = 1 + weight * (above[i] + below[i]) / (c1 * m + c2);
                               const real c = -weight * above[i] / (c1a * m + c2a);
                               alpha[i] = 1 / (b - a * gamma_below[i]);
                               gamma[i] = c * alpha[i];
                           });
        });
        const real weight = 2 * cof * g.rdnw[top - 1];
        for_each_i(range.i0, range.i1,
                   [=, below = stiffness.row(top - 1, j), alpha = alpha.row(top, j),
                    gamma = gamma.row(top, j), gamma_below = gamma.row(top - 1, j), c1 = g.c1f[top],
                    c2 = g.c2f[top], c1b = g.c1f[top - 1], c2b = g.c2f[top - 1],
                    weight_below = s.top_lid ? real(0) : weight](int i) {
                       const real m = mu(i);
                       const real a = -weight_below * below[i] / (c1b * m + c2b);
                       const real b = 1 + weight * below[i] / (c1 * m + c2);
                       alpha[i] = 1 / (b - a * gamma_below[i]);
                       gamma[i] = 0;
                   });
    }
}

namespace {

/// u (or v) += dts (slow tendency - pressure gradient) + external-mode filter on one row of faces.
void advance_wind(Range faces, const GridView &g, const AcousticSettings &s, const FaceMetrics &metrics,
                  const PressureFields &fields, ConstField2 muf, ConstField3 moisture, ConstField3 tend,
                  ConstField2 dmudt, Field3 wind, const Scratch &scratch) {
    real *external = scratch.row(pressure_gradient_rows, faces.i0);
    for_each_i(faces.i0, faces.i1,
               [=, filter = s.external_mode / metrics.rd, d = dmudt.row(faces.j0),
                across = metrics.across.row(faces.j0), back = metrics.back(dmudt.sj)](int i) {
                   external[i] = filter * (d[i] - d[i + back]) / across[i];
               });
    with_factor(moisture, [&](auto moist) {
        pressure_gradient(faces, g, metrics, s.top_lid, fields, muf, scratch, [&](int k, int j) {
            return [=, dts = s.dts, c1 = g.c1h[k], tend = tend.row(k, j), wind = wind.row(k, j),
                    moist = moist(k, j)](int i, real gradient) {
                wind[i] += dts * (tend[i] - moist(i) * gradient) - c1 * external[i];
            };
        });
    });
}

void apply_tendency(Range faces, real dts, ConstField3 tend, Field3 wind) {
    for_each_row(faces, [=](int k, int j) {
        return [=, wind = wind.row(k, j), tend = tend.row(k, j)](int i) { wind[i] += dts * tend[i]; };
    });
}

/// The faces of cells [c0, c1) among [begin, end): the last cell's upper face belongs to it only
/// where no further cell follows.
std::pair<int, int> clip(int c0, int c1, int last, int begin, int end) {
    return {std::max(c0, begin), std::min(c1 == last ? c1 + 1 : c1, end)};
}

} // namespace

void advance_momentum(Range cells, const GridView &g, const AcousticSettings &s, const StageReference &ref,
                      const PatchFaces &faces, bool at_rest, const AcousticFields &a,
                      const Scratch &scratch) {
    const PressureFields fields{a.p, a.al, a.ph, a.mu, ref.alt, ref.php};
    const Range layers = cells.with_k(0, g.nz);
    if (layers.empty()) return;
    const FaceRange &uf = faces.u, &vf = faces.v;
    const auto [u0, u1] = clip(cells.i0, cells.i1, uf.last_cells, uf.begin, uf.end);
    const auto [v0, v1] = clip(cells.j0, cells.j1, vf.last_cells, vf.begin, vf.end);
    const Field3 u = a.u, v = a.v;
    if (at_rest) {
        apply_tendency(layers.with_i(u0, u1), s.dts, ref.tend_u, u);
        apply_tendency(layers.with_j(v0, v1), s.dts, ref.tend_v, v);
    }
    for (int j = cells.j0; j < std::max(cells.j1, v1) && !at_rest; ++j) {
        if (j < cells.j1 && u0 < u1)
            advance_wind(layers.with_i(u0, u1).with_j(j, j + 1), g, s, FaceMetrics::of_x(g), fields, ref.muu,
                         ref.moisture.u, ref.tend_u, a.dmudt, u, scratch);
        if (j >= v0 && j < v1)
            advance_wind(layers.with_j(j, j + 1), g, s, FaceMetrics::of_y(g), fields, ref.muv, ref.moisture.v,
                         ref.tend_v, a.dmudt, v, scratch);
    }
    const auto [ut0, ut1] = clip(cells.i0, cells.i1, uf.last_cells, uf.tend_begin, uf.tend_end);
    const auto [vt0, vt1] = clip(cells.j0, cells.j1, vf.last_cells, vf.tend_begin, vf.tend_end);
    apply_tendency(layers.with_i(ut0, std::min(ut1, uf.begin)), s.dts, ref.tend_u, u);
    apply_tendency(layers.with_i(std::max(ut0, uf.end), ut1), s.dts, ref.tend_u, u);
    apply_tendency(layers.with_j(vt0, std::min(vt1, vf.begin)), s.dts, ref.tend_v, v);
    apply_tendency(layers.with_j(std::max(vt0, vf.end), vt1), s.dts, ref.tend_v, v);
}

} // namespace squall
