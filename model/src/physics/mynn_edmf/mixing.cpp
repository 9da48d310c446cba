// What eddies and plumes change in the air.
#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/constants.hpp"
#include "physics/mynn_edmf/steps.hpp"

namespace squall::mynn_edmf {
namespace {

/// A quantity and what moves it, all [kg m-2 s-1] but for the quantity's unit.
struct Moved {
    const Profile &x;
    const Profile &conductance;      ///< of eddies, at interfaces
    const Profile *air, *in_plumes;  ///< null: plumes leave it alone
    real surface_flux = 0;           ///< into the lowest layer
    real drag = 0;                   ///< of the ground, per x
    const Profile *source = nullptr; ///< [s-1]
};

/// Upward through interface k >= 1 before the step. Around plumes there is the mean of the two layers, which
/// sinks as they rise.
real flux(const Moved &m, int k) {
    const real low = m.x[k - 1], high = m.x[k], by_eddies = m.conductance[k] * (low - high);
    return m.air ? by_eddies + (*m.in_plumes)[k] - real(0.5) * (*m.air)[k] * (low + high) : by_eddies;
}

/// The change of x in the step. In WRF the highest layer keeps what it has, and what comes into it is lost.
void solve(const Column &c, Tridiagonal &t, const Moved &m, Profile &change) {
    const int top = c.nz - 1;
    const auto air = [&](int k) { return m.air ? (*m.air)[k] : real(0); };
    real from_below = m.surface_flux - m.drag * m.x[0];
    for (int k = 0; k < c.nz; ++k) {
        const real below = m.conductance[k], above = m.conductance[k + 1];
        const real per_mass = c.dt / (c.dz[k] * c.density[k]), upward = k < top ? flux(m, k + 1) : real(0);
        t.lower[k] = per_mass * (real(0.5) * air(k) - below);
        t.diagonal[k] = 1 + per_mass * (below + above + real(0.5) * (air(k) - air(k + 1)));
        t.upper[k] = -per_mass * (above + real(0.5) * air(k + 1));
        t.right[k] = per_mass * (from_below - upward) + (m.source ? (*m.source)[k] * c.dt : real(0));
        if (k == 0) t.diagonal[k] += per_mass * m.drag;
        from_below = upward;
    }
    if (c.as_wrf) {
        t.lower[top] = t.upper[top] = t.right[top] = 0;
        t.diagonal[top] = 1;
    }
    t.solve(c.nz, change);
}

/// Density times K / dz at interfaces, at least what keeps the air around plumes from overshooting.
void set_conductance(const Column &c, const Profile &of, Profile &out) {
    const Profile &air = c.plumes.air;
    out[0] = out[c.nz] = 0;
    for (int k = 1; k < c.nz; ++k) {
        out[k] = c.density_between[k] * of[k];
        if (k < c.nz - 1) out[k] = std::max({out[k], real(0.5) * air[k], real(-0.5) * (air[k] - air[k + 1])});
    }
}

/// What humidities change.
struct Waters {
    Profile &vapour, &cloud, &ice;
};

/// Vapour makes up for cloud and ice below zero, and the layer below for vapour.
void fill_up(const Column &c, const Waters &change, Profile &theta_l) {
    constexpr real least = real(1e-20);
    const auto mass = [&](int k) {
        const real own = c.density[k] * c.dz[k];
        return c.as_wrf && k == 0 ? std::max(own, real(0.5) * c.density[1] * c.dz[1]) : own;
    };
    for (int k = c.nz - 1; k >= 0; --k) {
        const real cloud = std::max(-(c.cloud[k] + change.cloud[k]), real(0)),
                   ice = std::max(-(c.ice[k] + change.ice[k]), real(0));
        change.cloud[k] += cloud;
        change.ice[k] += ice;
        change.vapour[k] -= cloud + ice;
        if (c.as_wrf) theta_l[k] += (vaporisation_per_cp * cloud + sublimation_per_cp * ice) / c.exner[k];
        const real missing = std::max(least - (c.vapour[k] + change.vapour[k]), real(0));
        if (k == 0 || missing == 0) continue;
        change.vapour[k] += missing;
        change.vapour[k - 1] -= missing * mass(k) / mass(k - 1);
    }
}

/// WRF lets the ground take no vapour out of air.
real vapour_flux(const Column &c) {
    const real flux = c.below.water;
    return c.as_wrf && flux < 0
               ? std::max(flux, std::min(real(0.9) * c.vapour[0] - real(1e-8), real(0)) * c.dz[0] / c.dt)
               : flux;
}

/// Of heat and water in layer k, specific humidities as WRF makes mixing ratios of them.
void set_changes(const Column &c, int k, const Waters &change, real theta_l, Changes &changes) {
    const real vapour = change.vapour[k], cloud = change.cloud[k], ice = change.ice[k];
    changes.theta[k] = theta_l + (vaporisation_per_cp * cloud + sublimation_per_cp * ice) / c.exner[k];
    changes.vapour[k] = vapour, changes.cloud[k] = cloud, changes.ice[k] = ice;
    if (!c.as_wrf) return;
    const real before = c.vapour[k], after = before + vapour, ratio = before / (1 - before);
    changes.vapour[k] = vapour / ((1 - before) * (1 - after));
    changes.cloud[k] = cloud * (1 + after) + c.cloud[k] * (after - ratio);
    changes.ice[k] = ice * (1 + after) + c.ice[k] * (after - ratio);
}

} // namespace

void mix(Column &c, Tridiagonal &t, const Profile &heating, Changes &changes) {
    auto &[of_momentum, of_heat, theta_l, vapour, cloud, ice] = c.spare;
    const PlumeFluxes &f = c.plumes;
    set_conductance(c, c.momentum, of_momentum);
    set_conductance(c, c.heat, of_heat);
    const real density = c.below.density, u_star = c.below.friction_velocity;
    const real drag = density * u_star * u_star / c.below.wind_speed;
    const real heat = density * c.below.heat, water = density * vapour_flux(c);
    solve(c, t, {c.u, of_momentum, &f.air, &f.u, 0, drag}, changes.u);
    solve(c, t, {c.v, of_momentum, &f.air, &f.v, 0, drag}, changes.v);
    solve(c, t, {c.ice_number, of_heat, &f.air, &f.ice_number}, changes.ice_number);
    solve(c, t, {c.theta_l, of_heat, &f.air, &f.theta_l, heat, 0, &heating}, theta_l);
    solve(c, t, {c.vapour, of_heat, &f.air, &f.vapour, water}, vapour);
    solve(c, t, {c.cloud, of_heat, &f.air, &f.cloud}, cloud);
    solve(c, t, {c.ice, of_heat, nullptr, nullptr}, ice);
    const Waters change{vapour, cloud, ice};
    fill_up(c, change, theta_l);
    for (int k = 0; k < c.nz; ++k) set_changes(c, k, change, theta_l[k], changes);
}

} // namespace squall::mynn_edmf
