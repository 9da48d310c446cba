#include "initial/column.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "initial/hydrostatics.hpp"

namespace squall {
namespace {

constexpr double g = constants::g, r_d = constants::r_d, c_p = constants::c_p, p0 = constants::p0;
constexpr double rv_over_rd = double(constants::r_v) / constants::r_d;
constexpr double theta0 = constants::theta0, cv_over_cp = 1 - r_d / c_p;

double water(const ColumnState &c, int k) { return c.vapour.empty() ? 0 : c.vapour[k] + c.cloud[k]; }

/// Pressure departure from balance with mu' and the weight of the water, from the top down: the
/// vertical momentum equation with dw/dt = 0 (at the top the water is that of the interface below).
void integrate_pressure(const VerticalGrid &v, const BaseColumn &base, ColumnState &c) {
    const auto slope = [&](int k, double q) {
        return (1 + q) * v.c1f[k] * c.mu + q * (double(v.c1f[k]) * base.mub + v.c2f[k]);
    };
    const int top = v.nz - 1;
    c.p[top] = -0.5 * double(v.dnw[top]) * slope(v.nz, 0.5 * (water(c, top) + water(c, top - 1)));
    for (int k = top - 1; k >= 0; --k)
        c.p[k] = c.p[k + 1] - double(v.dn[k + 1]) * slope(k + 1, 0.5 * (water(c, k) + water(c, k + 1)));
}

/// Geopotential departure from theta, p' and mu', from the surface up. `vapour_expands`: theta is
/// that of dry air, in a moist column.
void integrate_geopotential(const VerticalGrid &v, const BaseColumn &base, int hypsometric,
                            bool vapour_expands, ColumnState &c) {
    for (int k = 0; k < v.nz; ++k) {
        const double moist = vapour_expands ? (theta0 + c.theta[k]) * rv_over_rd * c.vapour[k] : 0;
        const double warm = (c.theta[k] - base.theta[k] + moist) / (theta0 + base.theta[k]);
        const double alpha = base.alb[k] * (1 + warm) * std::pow(1 + c.p[k] / base.pb[k], -cv_over_cp);
        const double depth_base = hypsometric_depth(v, k, base.mub, hypsometric);
        const double depth = c.mu == 0 ? depth_base : hypsometric_depth(v, k, base.mub + c.mu, hypsometric);
        c.ph[k + 1] = c.ph[k] + (alpha * depth - base.alb[k] * depth_base);
    }
}

/// theta at the present heights and pressures; returns the greatest change.
double update_theta(const BaseColumn &base, const ThetaDeparture &departure, ColumnState &c) {
    double change = 0;
    for (int k = 0; k < int(c.theta.size()); ++k) {
        const double now =
            base.theta[k] + departure({k, c.height(base, k), base.height(k), base.pb[k] + c.p[k]});
        change = std::max(change, std::abs(now - c.theta[k]));
        c.theta[k] = now;
    }
    return change;
}

/// The column as the model stores it, and the geopotential in balance with that.
void round_to_storage(const VerticalGrid &v, const BaseColumn &base, int hypsometric, bool vapour_expands,
                      ColumnState &c) {
    for (auto *profile : {&c.theta, &c.vapour, &c.cloud})
        for (double &x : *profile) x = real(x);
    c.mu = real(c.mu);
    integrate_pressure(v, base, c);
    integrate_geopotential(v, base, hypsometric, vapour_expands, c);
}

/// The air of a moist column at its present heights and pressures; returns the greatest change of
/// theta [K].
double update_air(const VerticalGrid &v, const BaseColumn &base, const MoistAir &air, bool moist_theta,
                  ColumnState &c) {
    double change = 0;
    for (int k = 0; k < v.nz; ++k) {
        const MoistLayer layer = air({k, c.height(base, k), base.height(k), base.pb[k] + c.p[k],
                                      layer_pressure(v, k, base.mub + c.mu)});
        const double now = layer.theta * (moist_theta ? 1 + rv_over_rd * layer.vapour : 1) - theta0;
        change = std::max({change, std::abs(now - c.theta[k]), 1e3 * std::abs(layer.vapour - c.vapour[k])});
        c.theta[k] = now;
        c.vapour[k] = layer.vapour;
        c.cloud[k] = layer.cloud;
    }
    return change;
}

} // namespace

double BaseColumn::height(int k) const { return 0.5 * (phb[k] + phb[k + 1]) / g; }

double ColumnState::height(const BaseColumn &base, int k) const {
    return base.height(k) + 0.5 * (ph[k] + ph[k + 1]) / g;
}

BaseColumn base_column(const VerticalGrid &v, const Sounding &sounding, double z_surface, int hypsometric) {
    BaseColumn b;
    b.mub = real(sounding.pressure(z_surface) - v.p_top);
    b.phb.push_back(g * z_surface);
    for (int k = 0; k < v.nz; ++k) {
        if (!(layer_mass(v, k, b.mub) > 0))
            throw std::runtime_error(fmt::format("layer {} has no mass over terrain of {} m: lower the "
                                                 "terrain, raise vertical.top, or reduce vertical.etac",
                                                 k, z_surface));
        b.pb.push_back(real(layer_pressure(v, k, b.mub)));
        b.theta.push_back(real(sounding.theta(sounding.height(b.pb[k])) - theta0));
        b.alb.push_back(real(r_d / p0 * (theta0 + b.theta[k]) * std::pow(b.pb[k] / p0, -cv_over_cp)));
        b.phb.push_back(b.phb[k] + b.alb[k] * hypsometric_depth(v, k, b.mub, hypsometric));
    }
    return b;
}

// Newton's method on the height of the top: d phi_top / d mu' is the inverse density at the
// surface. Heights, and so theta, settle on the way.
ColumnState balanced_column(const VerticalGrid &v, const BaseColumn &base, const ThetaDeparture &departure,
                            Conserve conserve, int hypsometric) {
    ColumnState c;
    c.theta.assign(base.theta.begin(), base.theta.end());
    c.ph.assign(v.nz + 1, 0);
    c.p.assign(v.nz, 0);
    constexpr int attempts = 100;
    for (int n = 0; n < attempts; ++n) {
        const double change = update_theta(base, departure, c);
        integrate_geopotential(v, base, hypsometric, false, c);
        const double miss = conserve == Conserve::top ? c.ph[v.nz] : 0;
        if (change < 1e-8 && std::abs(miss) < 1e-6) {
            round_to_storage(v, base, hypsometric, false, c);
            return c;
        }
        c.mu -= miss / base.alb[0];
        integrate_pressure(v, base, c);
    }
    throw std::runtime_error("no hydrostatic balance found for the perturbation: reduce its amplitude");
}

ColumnState balanced_moist_column(const VerticalGrid &v, const BaseColumn &base, double mu,
                                  const MoistAir &air, int hypsometric, bool moist_theta) {
    ColumnState c;
    c.mu = real(mu);
    c.theta.assign(base.theta.begin(), base.theta.end());
    c.ph.assign(v.nz + 1, 0);
    for (auto *profile : {&c.p, &c.vapour, &c.cloud}) profile->assign(v.nz, 0);
    constexpr int attempts = 200;
    for (int n = 0; n < attempts; ++n) {
        const double change = update_air(v, base, air, moist_theta, c);
        integrate_pressure(v, base, c);
        integrate_geopotential(v, base, hypsometric, !moist_theta, c);
        if (change < 1e-8) {
            round_to_storage(v, base, hypsometric, !moist_theta, c);
            return c;
        }
    }
    throw std::runtime_error("no hydrostatic balance found for the moist column: reduce its perturbation");
}

} // namespace squall
