#include "dynamics/diffusion/stability.hpp"

#include <algorithm>
#include <limits>

#include "core/constants.hpp"
#include "core/elementary.hpp"
#include "dynamics/diffusion/numbers.hpp"

namespace squall::diffusion {
namespace {

using constants::c_p, constants::g, constants::r_d, constants::r_v;

constexpr real latent_heat = real(2.5e6); ///< of vaporisation [J kg-1]
/// Cloud water from which on air counts as saturated, whatever its vapour.
constexpr real critical_cloud = real(1e-5);
/// Weight of vapour in the buoyancy of unsaturated air, r_v / r_d as WRF rounds it here.
constexpr real vapour_buoyancy = real(1.61);

/// Saturation mixing ratio over water (Bolton 1980; WRF's constants).
inline real saturation_mixing_ratio(real temperature, real p) {
    const real es =
        real(611.2) * exponential(real(17.67) * (temperature - real(273.15)) / (temperature - real(29.65)));
    return r_d / r_v * es / (p - es);
}

/// The factor of d(theta_e)/dz in saturated air.
inline real saturated_factor(real theta, real temperature, real vapour) {
    const real heat = latent_heat * vapour;
    return (1 + heat / (r_d * temperature)) /
           (1 + latent_heat * heat / (c_p * r_v * temperature * temperature)) / theta;
}

void find_dry_theta(Range layers, const MoistAir &air, Field3 theta) {
    const real factor = air.moist() && air.moist_theta ? constants::rv_over_rd : real(0);
    const ConstField3 vapour = air.moist() ? air.vapour : air.theta; // times 0
    for_each_row(layers, [=](int k, int j) {
        return [out = theta.row(k, j), th = air.theta.row(k, j), qv = vapour.row(k, j), factor](int i) {
            out[i] = (constants::theta0 + th[i]) / (1 + factor * qv[i]);
        };
    });
}

void find_temperature(Range layers, const GridView &grid, const MoistAir &air, Field3 temperature) {
    const real factor = air.moist() ? constants::rv_over_rd : real(0);
    const ConstField3 vapour = air.moist() ? air.vapour : air.theta; // times 0
    for_each_row(layers, [=](int k, int j) {
        return [out = temperature.row(k, j), p = air.p.row(k, j), pb = grid.pb.row(k, j),
                alt = air.alt.row(k, j), qv = vapour.row(k, j),
                factor](int i) { out[i] = (p[i] + pb[i]) * alt[i] / (r_d * (1 + factor * qv[i])); };
    });
}

void find_saturation(Range layers, const GridView &grid, const MoistAir &air, const Thermodynamics &t) {
    for_each_row(layers, [=](int k, int j) {
        return [q_s = t.saturation.row(k, j), theta_e = t.theta_e.row(k, j), theta = t.theta.row(k, j),
                temperature = t.temperature.row(k, j), p = air.p.row(k, j), pb = grid.pb.row(k, j)](int i) {
            q_s[i] = saturation_mixing_ratio(temperature[i], p[i] + pb[i]);
            theta_e[i] = theta[i] * (1 + latent_heat * q_s[i] / (c_p * temperature[i]));
        };
    });
}

void find_water(Range layers, const MoistAir &air, Field3 water) {
    for_each_row(layers, [=](int k, int j) {
        return [w = water.row(k, j), q = air.vapour.row(k, j)](int i) { w[i] = q[i]; };
    });
    for (const ConstField3 &species : {air.cloud, air.ice})
        if (species.origin)
            for_each_row(layers, [=](int k, int j) {
                return [w = water.row(k, j), q = species.row(k, j)](int i) { w[i] += q[i]; };
            });
}

/// Weight of the outer layer in the extrapolation, linear in height, from the middles of two layers
/// to the outer face of the outer one; the inner layer has 1 less it.
inline real outer_weight(real rdzw_outer, real rdzw_inner) {
    const real outer = 1 / rdzw_outer, inner = 1 / rdzw_inner;
    return (2 * outer + inner) / (outer + inner);
}

inline real theta_at(real temperature, real p) {
    return temperature / power(p / constants::p0, constants::kappa);
}

void find_dry_stability(Range cells, const GridView &grid, const Metrics &m, ConstField3 theta, Field3 n2) {
    for_each_row(cells.with_k(1, grid.nz - 1), [=](int k, int j) {
        return [out = n2.row(k, j), th = theta.row(k, j), above = theta.row(k + 1, j),
                below = theta.row(k - 1, j), rdz = m.rdz.row(k, j), rdz_above = m.rdz.row(k + 1, j)](int i) {
            out[i] = g * (above[i] - below[i]) * rdz[i] * rdz_above[i] / (th[i] * (rdz[i] + rdz_above[i]));
        };
    });
    for_each_row(cells.with_k(0, 1), [=](int k, int j) {
        return [out = n2.row(k, j), th = theta.row(k, j), above = theta.row(k + 1, j),
                rdzw = m.rdzw.row(k, j)](int i) { out[i] = g * (above[i] - th[i]) / th[i] * rdzw[i]; };
    });
}

void find_moist_stability(Range cells, const GridView &grid, const Metrics &m, const MoistAir &air,
                          const Thermodynamics &t, Field3 n2) {
    const ConstField3 cloud = air.cloud.origin ? air.cloud : air.vapour;
    const real critical = air.cloud.origin ? critical_cloud : std::numeric_limits<real>::max();
    for_each_row(cells.with_k(1, grid.nz - 1), [=](int k, int j) {
        return [critical, out = n2.row(k, j), theta = t.theta.row(k, j), theta_above = t.theta.row(k + 1, j),
                theta_below = t.theta.row(k - 1, j), temperature = t.temperature.row(k, j),
                e_above = t.theta_e.row(k + 1, j), e_below = t.theta_e.row(k - 1, j),
                q_s = t.saturation.row(k, j), qc = cloud.row(k, j), qv = air.vapour.row(k, j),
                qv_above = air.vapour.row(k + 1, j), qv_below = air.vapour.row(k - 1, j),
                water_above = t.water.row(k + 1, j), water_below = t.water.row(k - 1, j),
                rdz = m.rdz.row(k, j), rdz_above = m.rdz.row(k + 1, j)](int i) {
            const real saturated =
                saturated_factor(theta[i], temperature[i], qv[i]) * (e_above[i] - e_below[i]);
            const real clear =
                (theta_above[i] - theta_below[i]) / theta[i] + vapour_buoyancy * (qv_above[i] - qv_below[i]);
            const real buoyant = (qv[i] >= q_s[i]) | (qc[i] >= critical) ? saturated : clear;
            out[i] = g * (buoyant - (water_above[i] - water_below[i])) * rdz[i] * rdz_above[i] /
                     (rdz[i] + rdz_above[i]);
        };
    });
}

void find_moist_stability_at_surface(Range cells, const GridView &grid, const Metrics &m, const MoistAir &air,
                                     const Thermodynamics &t, Field3 n2) {
    const auto at_surface = [&](ConstField3 q, int i, int j) {
        return grid.cf1 * q(i, 0, j) + grid.cf2 * q(i, 1, j) + grid.cf3 * q(i, 2, j);
    };
    const ConstField3 pressure = air.p;
    for_each_column(cells, [&](int i, int j) {
        const real theta = t.theta(i, 0, j), temperature = t.temperature(i, 0, j), qv = air.vapour(i, 0, j);
        const real water = t.water(i, 1, j) - at_surface(t.water, i, j);
        const bool cloudy = air.cloud.origin && air.cloud(i, 0, j) >= critical_cloud;
        if (qv >= t.saturation(i, 0, j) || cloudy) {
            const real t_surface = temperature + (outer_weight(m.rdzw(i, 0, j), m.rdzw(i, 1, j)) - 1) *
                                                     (temperature - t.temperature(i, 1, j));
            const real e_surface = surface_theta(grid, m, t.temperature, pressure, i, j) *
                                   (1 + latent_heat * at_surface(t.saturation, i, j) / (c_p * t_surface));
            const real distance = 1 / m.rdz(i, 1, j) + half / m.rdzw(i, 0, j);
            n2(i, 0, j) =
                g * (saturated_factor(theta, temperature, qv) * (t.theta_e(i, 1, j) - e_surface) - water) /
                distance;
        } else {
            const real vapour = air.vapour(i, 1, j) - at_surface(air.vapour, i, j);
            n2(i, 0, j) =
                g * ((t.theta(i, 1, j) - theta) / theta + vapour_buoyancy * vapour - water) * m.rdzw(i, 0, j);
        }
    });
}

} // namespace

void find_thermodynamics(Range cells, const GridView &grid, const MoistAir &air, const Thermodynamics &out) {
    const Range layers = cells.with_k(0, grid.nz);
    find_dry_theta(layers, air, out.theta);
    if (out.temperature.origin) find_temperature(layers, grid, air, out.temperature);
}

real surface_theta(const GridView &grid, const Metrics &m, ConstField3 temperature, ConstField3 p, int i,
                   int j) {
    const real w = outer_weight(m.rdzw(i, 0, j), m.rdzw(i, 1, j));
    const real p_low = p(i, 0, j) + grid.pb(i, 0, j), p_high = p(i, 1, j) + grid.pb(i, 1, j);
    return theta_at(w * temperature(i, 0, j) + (1 - w) * temperature(i, 1, j), w * p_low + (1 - w) * p_high);
}

real top_theta(const GridView &grid, const Metrics &m, ConstField3 temperature, ConstField3 p, int i, int j) {
    const int top = grid.nz - 1;
    const real w = outer_weight(m.rdzw(i, top, j), m.rdzw(i, top - 1, j));
    const real p_top = p(i, top, j) + grid.pb(i, top, j);
    const real p_below = p(i, top - 1, j) + grid.pb(i, top - 1, j);
    return theta_at(w * temperature(i, top, j) + (1 - w) * temperature(i, top - 1, j),
                    p_top * power(p_top / p_below, w - 1));
}

void find_stability(Range cells, const GridView &grid, const Metrics &m, const MoistAir &air,
                    const Thermodynamics &t, Field3 n2) {
    if (air.moist()) {
        const Range layers = cells.with_k(0, grid.nz);
        find_saturation(layers, grid, air, t);
        find_water(layers, air, t.water);
        find_moist_stability(cells, grid, m, air, t, n2);
        find_moist_stability_at_surface(cells, grid, m, air, t, n2);
    } else {
        find_dry_stability(cells, grid, m, t.theta, n2);
    }
    for_each_row(cells.with_k(grid.nz - 1, grid.nz), [=](int k, int j) {
        return [out = n2.row(k, j), below = n2.row(k - 1, j)](int i) { out[i] = below[i]; };
    });
}

} // namespace squall::diffusion
