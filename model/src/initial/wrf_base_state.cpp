#include "initial/wrf_base_state.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "initial/hydrostatics.hpp"

namespace squall {
namespace {

using namespace constants;

constexpr real minus_cv_over_cp = -c_v / c_p;

real inverse_density(real theta_perturbation, real p) {
    return (r_d / p0) * (theta_perturbation + theta0) * std::pow(p / p0, minus_cv_over_cp);
}

/// Pressure where the base atmosphere reaches height z: the hypsometric equation of
/// T = t00 + lapse ln(p / p00), solved for p.
real surface_pressure(const WrfBaseAtmosphere &b, real z) {
    const real ratio = b.t00 / b.lapse;
    return b.p00 * std::exp(-ratio + std::sqrt(ratio * ratio - real(2) * g * z / b.lapse / r_d));
}

real temperature(const WrfBaseAtmosphere &b, real p) {
    if (p < b.p_strat) return b.t_iso + b.lapse_strat * std::log(p / b.p_strat);
    return std::max(b.t_iso, b.t00 + b.lapse * std::log(p / b.p00));
}

/// Base geopotential of a column by the model's own hydrostatic relation.
void integrate_geopotential(Grid &grid, int i, int j, int hypsometric) {
    const VerticalGrid &v = grid.vertical;
    const real mub = grid.mub(i, j);
    const auto pressure = [&](const std::vector<real> &c3, const std::vector<real> &c4, int k) {
        return c3[k] * mub + c4[k] + v.p_top;
    };
    grid.phb(i, 0, j) = grid.terrain(i, j) * g;
    for (int k = 0; k < v.nz; ++k) {
        const real thickness = hypsometric == 2
                                   ? grid.alb(i, k, j) * pressure(v.c3h, v.c4h, k) *
                                         std::log(pressure(v.c3f, v.c4f, k) / pressure(v.c3f, v.c4f, k + 1))
                                   : -v.dnw[k] * (v.c1h[k] * mub + v.c2h[k]) * grid.alb(i, k, j);
        grid.phb(i, k + 1, j) = grid.phb(i, k, j) + thickness;
    }
}

/// pb, theta_init and alb of a column from its mub.
void set_column_from_mass(Grid &grid, const WrfBaseAtmosphere &base, int i, int j) {
    const VerticalGrid &v = grid.vertical;
    for (int k = 0; k < v.nz; ++k) {
        const real p = v.c3h[k] * grid.mub(i, j) + v.c4h[k] + v.p_top;
        grid.pb(i, k, j) = p;
        grid.theta_init(i, k, j) = temperature(base, p) * std::pow(base.p00 / p, r_d / c_p) - theta0;
        grid.alb(i, k, j) = inverse_density(grid.theta_init(i, k, j), p);
    }
}

} // namespace

void set_base_state_from_theta(Grid &grid) {
    const VerticalGrid &v = grid.vertical;
    for (int j = 0; j < grid.shape.ny; ++j)
        for (int k = 0; k < v.nz; ++k)
            for (int i = 0; i < grid.shape.nx; ++i) {
                grid.pb(i, k, j) = v.c3h[k] * grid.mub(i, j) + v.c4h[k] + v.p_top;
                grid.alb(i, k, j) = inverse_density(grid.theta_init(i, k, j), grid.pb(i, k, j));
            }
}

void set_base_state_from_terrain(Grid &grid, const WrfBaseAtmosphere &base, int hypsometric) {
    const VerticalGrid &v = grid.vertical;
    for (int j = 0; j < grid.shape.ny; ++j)
        for (int i = 0; i < grid.shape.nx; ++i) {
            grid.mub(i, j) = surface_pressure(base, grid.terrain(i, j)) - v.p_top;
            set_column_from_mass(grid, base, i, j);
            integrate_geopotential(grid, i, j, hypsometric);
        }
}

void set_base_state_from_mass(Grid &grid, const WrfBaseAtmosphere &base) {
    for (int j = 0; j < grid.shape.ny; ++j)
        for (int i = 0; i < grid.shape.nx; ++i) set_column_from_mass(grid, base, i, j);
}

void set_base_state_from_geopotential(Grid &grid) {
    const VerticalGrid &v = grid.vertical;
    for (int j = 0; j < grid.shape.ny; ++j)
        for (int k = 0; k < v.nz; ++k)
            for (int i = 0; i < grid.shape.nx; ++i) {
                const real p = v.c3h[k] * grid.mub(i, j) + v.c4h[k] + v.p_top;
                const real mass = v.c1h[k] * grid.mub(i, j) + v.c2h[k];
                const real alb = -v.rdnw[k] * (grid.phb(i, k + 1, j) - grid.phb(i, k, j)) / mass;
                grid.pb(i, k, j) = p;
                grid.alb(i, k, j) = alb;
                grid.theta_init(i, k, j) = alb * (p0 / r_d) / std::pow(p / p0, minus_cv_over_cp) - theta0;
            }
}

int hypsometric_of_geopotential(const Grid &grid, int i, int j) {
    constexpr double tolerance = 0.01;
    const auto error = [&](int option) {
        double worst = 0;
        for (int k = 0; k < grid.vertical.nz; ++k) {
            const double thickness = double(grid.phb(i, k + 1, j)) - grid.phb(i, k, j);
            const double depth = hypsometric_depth(grid.vertical, k, grid.mub(i, j), option);
            worst = std::max(worst, std::abs(thickness / (grid.alb(i, k, j) * depth) - 1));
        }
        return worst;
    };
    const double linear = error(1), logarithmic = error(2);
    if (!(std::min(linear, logarithmic) < tolerance)) return 0;
    return linear < logarithmic ? 1 : 2;
}

void set_phb_residual(Grid &grid, int hypsometric) {
    if (hypsometric == 1) return grid.phb_residual.fill(0);
    for (int j = 0; j < grid.shape.ny; ++j)
        for (int k = 0; k < grid.shape.nz; ++k)
            for (int i = 0; i < grid.shape.nx; ++i) {
                const double thickness = double(grid.phb(i, k + 1, j)) - grid.phb(i, k, j);
                const double depth = hypsometric_depth(grid.vertical, k, grid.mub(i, j), hypsometric);
                grid.phb_residual(i, k, j) = real(thickness - grid.alb(i, k, j) * depth);
            }
}

} // namespace squall
