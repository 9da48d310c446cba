/// Inverse density and pressure from the prognostic variables.
///
/// Hypsometric relation, d phi = alpha_d dp_d taken over a layer (Skamarock et al. 2019, eqs 2.9
/// and 2.22), and equation of state p = p0 (R theta / (p0 alpha_d))^(cp/cv) (eq. 2.10). Both are
/// evaluated as departures from the base state, so that single precision resolves the departure
/// and not the full field, and a departure of zero gives zero.
#pragma once

#include <cmath>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// (1 + x)^(cp/cv) - 1 for x > -1, to the last bits relative to the result, from -0.8 to 4.
/// Written with operations that vectorise: with q = (1 + x)^(1/4), (1 + x)^1.4 = exp(5.6 ln q).
inline real pow_cp_over_cv_minus_1(real x) {
    const real r = std::sqrt(std::max(1 + x, real(1e-6)));
    const real q = std::sqrt(r);
    const real s = x / (2 * (q + 1) * (r + 1) + x); // (q - 1) / (q + 1) without cancellation
    const real s2 = s * s;
    // ln q = 2 artanh(s); y = 1.4 ln q, so that the wanted value is exp(4 y) - 1.
    const real log_q =
        2 * s * polynomial(s2, real(1), real(1.0 / 3), real(1.0 / 5), real(1.0 / 7), real(1.0 / 9));
    const real y = constants::cp_over_cv * log_q;
    const real e = y * polynomial(y, real(1), real(1.0 / 2), real(1.0 / 6), real(1.0 / 24), real(1.0 / 120),
                                  real(1.0 / 720), real(1.0 / 5040));
    return e * polynomial(e, real(4), real(6), real(4), real(1));
}

/// The hypsometric depth of a layer, phi(k+1) - phi(k) = alpha_d * depth, and its departure from
/// the base state, both in [Pa].
struct LayerDepth {
    real depth, departure;
};

/// Layer of mass `mass` = -d_eta (c1 mu + c2), mid pressure p_mid. Where `logarithmic`, depth =
/// p_mid ln(p_lower / p_upper) = mass * artanh(x)/x with x = mass / (2 p_mid) (WRF hypsometric_opt
/// 2); else depth = mass. The departure is formed without subtracting nearly equal depths.
inline LayerDepth layer_depth(real mass, real p_mid, real mass_base, real p_mid_base, real mass_departure,
                              bool logarithmic) {
    if (!logarithmic) return {mass, mass_departure};
    const auto excess = [](real m, real p) { // artanh(x)/x - 1
        const real x = m / (2 * p), x2 = x * x;
        return x2 * polynomial(x2, real(1.0 / 3), real(1.0 / 5), real(1.0 / 7), real(1.0 / 9), real(1.0 / 11),
                               real(1.0 / 13));
    };
    const real now = excess(mass, p_mid), base = excess(mass_base, p_mid_base);
    return {mass * (1 + now), mass_departure * (1 + now) + mass_base * (now - base)};
}

/// alpha', p', alpha and mid-layer geopotential on `range` (k over all layers). `vapour` is the
/// mixing ratio where theta is that of dry air, and without data where theta is moist or all is dry.
inline void diagnose_pressure(Range range, const GridView &g, bool logarithmic, ConstField3 theta,
                              ConstField3 vapour, ConstField3 ph, ConstField2 mu, Field3 al, Field3 p,
                              Field3 alt, Field3 php) {
    const auto run = [&]<bool Logarithmic>(auto excess) {
        for_each_row(range, [&](int k, int j) {
            return [excess = excess(k, j), dnw = g.dnw[k], c1 = g.c1h[k], c2 = g.c2h[k], c3 = g.c3h[k],
                    c4 = g.c4h[k] + g.p_top, mub = g.mub.row(j), mu = mu.row(j), alb = g.alb.row(k, j),
                    ph = ph.row(k, j), ph_above = ph.row(k + 1, j), residual = g.phb_residual.row(k, j),
                    theta = theta.row(k, j), theta_init = g.theta_init.row(k, j), pb = g.pb.row(k, j),
                    phb = g.phb.row(k, j), phb_above = g.phb.row(k + 1, j), al = al.row(k, j),
                    alt = alt.row(k, j), p = p.row(k, j), php = php.row(k, j)](int i) {
                const real mu_full = mub[i] + mu[i];
                const LayerDepth layer =
                    layer_depth(-dnw * multiply_add(c1, mu_full, c2), multiply_add(c3, mu_full, c4),
                                -dnw * multiply_add(c1, mub[i], c2), multiply_add(c3, mub[i], c4),
                                -dnw * (c1 * mu[i]), Logarithmic);
                const real thickness = ph_above[i] - ph[i] + residual[i];
                const real alpha = multiply_add(-alb[i], layer.departure, thickness) / layer.depth;
                const real theta_base = constants::theta0 + theta_init[i];
                // (theta_moist / theta_base) / (alpha / alpha_base) - 1
                const real x =
                    ((theta[i] - theta_init[i] + excess(i, theta[i])) * alb[i] - alpha * theta_base) /
                    (theta_base * (alb[i] + alpha));
                al[i] = alpha;
                alt[i] = alpha + alb[i];
                p[i] = pb[i] * pow_cp_over_cv_minus_1(x);
                php[i] = real(0.5) * (ph[i] + ph_above[i] + phb[i] + phb_above[i]);
            };
        });
    };
    const auto run_for = [&](auto excess) {
        if (logarithmic)
            run.template operator()<true>(excess);
        else
            run.template operator()<false>(excess);
    };
    // By how much moist potential temperature exceeds theta (eq. 2.12).
    if (vapour.origin)
        run_for([=](int k, int j) {
            return [q = vapour.row(k, j)](int i, real dry) {
                return (constants::theta0 + dry) * constants::rv_over_rd * q[i];
            };
        });
    else
        run_for([](int, int) { return [](int, real) { return real(0); }; });
}

/// diagnose_pressure() of a state, as kernels hold it.
struct PressureDiagnosis {
    bool logarithmic;
    ConstField3 theta, vapour, ph;
    ConstField2 mu;
    Field3 al, p, alt, php;

    void diagnose(Range range, const GridView &g) const {
        diagnose_pressure(range, g, logarithmic, theta, vapour, ph, mu, al, p, alt, php);
    }
};

} // namespace squall
