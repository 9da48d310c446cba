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
constexpr double theta0 = constants::theta0, cv_over_cp = 1 - r_d / c_p;

/// Pressure departure from balance with mu', from the top down: the vertical momentum equation
/// with dw/dt = 0.
void integrate_pressure(const VerticalGrid &v, ColumnState &c) {
    const int top = v.nz - 1;
    c.p[top] = -0.5 * double(v.dnw[top]) * v.c1f[v.nz] * c.mu;
    for (int k = top - 1; k >= 0; --k) c.p[k] = c.p[k + 1] - double(v.dn[k + 1]) * v.c1f[k + 1] * c.mu;
}

/// Geopotential departure from theta, p' and mu', from the surface up.
void integrate_geopotential(const VerticalGrid &v, const BaseColumn &base, int hypsometric, ColumnState &c) {
    for (int k = 0; k < v.nz; ++k) {
        const double warm = (c.theta[k] - base.theta[k]) / (theta0 + base.theta[k]);
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

/// theta as the model stores it, and the geopotential in balance with that.
void round_to_storage(const VerticalGrid &v, const BaseColumn &base, int hypsometric, ColumnState &c) {
    for (double &theta : c.theta) theta = real(theta);
    c.mu = real(c.mu);
    integrate_pressure(v, c);
    integrate_geopotential(v, base, hypsometric, c);
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
        integrate_geopotential(v, base, hypsometric, c);
        const double miss = conserve == Conserve::top ? c.ph[v.nz] : 0;
        if (change < 1e-8 && std::abs(miss) < 1e-6) {
            round_to_storage(v, base, hypsometric, c);
            return c;
        }
        c.mu -= miss / base.alb[0];
        integrate_pressure(v, c);
    }
    throw std::runtime_error("no hydrostatic balance found for the perturbation: reduce its amplitude");
}

} // namespace squall
