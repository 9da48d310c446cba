// Turbulence a step later.
#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/constants.hpp"
#include "physics/mynn_edmf/steps.hpp"

namespace squall::mynn_edmf {

/// Thomas's elimination.
void Tridiagonal::solve(int nz, Profile &x) {
    ratio[0] = upper[0] / diagonal[0];
    x[0] = right[0] / diagonal[0];
    for (int k = 1; k < nz; ++k) {
        const real pivot = diagonal[k] - ratio[k - 1] * lower[k];
        ratio[k] = upper[k] / pivot;
        x[k] = (right[k] - x[k - 1] * lower[k]) / pivot;
    }
    for (int k = nz - 2; k >= 0; --k) x[k] -= ratio[k] * x[k + 1];
}

namespace {

/// Conductance at interface k times density, at least what keeps plumes from overshooting.
real conductance(const Column &c, int k, real times) {
    if (k == 0 || k == c.nz) return 0;
    const real own = c.density_between[k] * times * c.momentum[k];
    if (k == c.nz - 1) return own;
    const Profile &air = c.plumes.air;
    return std::max({own, real(0.5) * air[k], real(-0.5) * (air[k] - air[k + 1])});
}

/// Of layer k, the mean of lengths around it; 0 without.
inline real length_of(const Column &c, int k) { return real(0.5) * (c.length[k + 1] + c.length[k]); }

/// Rows of d x/dt = mixing by `times` K + made(k) - removal(k) x, but for the highest layer's.
template <class Made, class Removal>
void set_rows(const Column &c, Tridiagonal &t, real times, const Profile &x, Made made, Removal removal) {
    real below = 0;
    for (int k = 0; k < c.nz - 1; ++k) {
        const real above = conductance(c, k + 1, times), per_mass = c.dt / (c.dz[k] * c.density[k]);
        t.lower[k] = -per_mass * below;
        t.diagonal[k] = 1 + per_mass * (below + above) + removal(k) * c.dt;
        t.upper[k] = -per_mass * above;
        t.right[k] = x[k] + made(k) * c.dt;
        below = above;
    }
}

/// What plumes carry up, and the air around them down as the mean of two layers.
void add_plumes(const Column &c, Tridiagonal &t) {
    const PlumeFluxes &f = c.plumes;
    for (int k = 0; k < c.nz - 1; ++k) {
        const real per_mass = c.dt / (c.dz[k] * c.density[k]);
        t.lower[k] += real(0.5) * per_mass * f.air[k];
        t.diagonal[k] += real(0.5) * per_mass * (f.air[k] - f.air[k + 1]);
        t.upper[k] -= real(0.5) * per_mass * f.air[k + 1];
        t.right[k] += per_mass * (f.energy[k] - f.energy[k + 1]);
    }
}

void predict_energy(Column &c, Tridiagonal &t) {
    const int top = c.nz - 1;
    const real u_star = c.below.friction_velocity, middle = real(0.5) * c.dz[0];
    const real zeta = std::clamp(middle * c.below.inverse_obukhov, real(-20), real(20));
    const real lowest = 2 * u_star * u_star * u_star * production_of_ground(zeta) / (karman * middle);
    const auto made = [&](int k) { return k == 0 ? lowest : c.production[k + 1] + c.production[k]; };
    const auto removal = [&](int k) {
        return 2 * std::sqrt(std::max(c.energy[k], real(0))) / (b1 * length_of(c, k));
    };
    set_rows(c, t, energy_over_momentum, c.energy, made, removal);
    if (c.plume_turbulence) add_plumes(c, t);
    t.lower[top] = t.upper[top] = 0;
    t.diagonal[top] = 1;
    t.right[top] = c.energy[top];
    t.solve(c.nz, c.energy);
    for (int k = 0; k < c.nz; ++k) c.energy[k] = std::clamp(c.energy[k], least_energy, most_energy);
}

/// `q`: of layers, before the step [m s-1].
void predict_variance(Column &c, Tridiagonal &t, const Profile &q) {
    const int top = c.nz - 1;
    const Profile &p = c.variance_production;
    const auto made = [&](int k) { return p[k + 1] + p[std::max(k, 1)]; };
    const auto removal = [&](int k) { return 2 * q[k] / (b2 * length_of(c, k)); };
    set_rows(c, t, 1, c.variance, made, removal);
    t.lower[top] = -1;
    t.diagonal[top] = 1;
    t.upper[top] = t.right[top] = 0;
    t.solve(c.nz, c.variance);
    for (int k = 0; k < c.nz; ++k) c.variance[k] = std::max(c.variance[k], real(1e-17));
}

/// Of level 2.5: production is dissipated where it is. `q` as in predict_variance.
void balance_variance(Column &c, const Profile &q) {
    const Profile &p = c.variance_production;
    for (int k = 0; k < c.nz - 1; ++k) {
        const real time = q[k] > 0 ? b2 * length_of(c, k) / (2 * q[k]) : real(0); // [s]
        c.variance[k] = time * (p[k + 1] + p[std::max(k, 1)]);
    }
    c.variance[c.nz - 1] = c.variance[c.nz - 2];
}

/// What turbulence loses to heat; as WRF has it in layers of at least 1 m between eddies, less where air is
/// thin.
real heating_of(const Column &c, int k) {
    const real q = std::sqrt(c.energy[k]), cube = q * q * q;
    const real rate = cube / (b1 * std::max(length_of(c, k), real(1)) * constants::c_p);
    return std::min(rate, real(0.002)) * std::exp(-10000 / std::max(c.pressure[k], real(1)));
}

} // namespace

void predict(Column &c, Tridiagonal &t, Profile &heating) {
    const int top = c.nz - 1;
    Profile &q = c.q; // of interfaces until here
    for (int k = 0; k < c.nz; ++k) q[k] = std::sqrt(std::max(c.energy[k], real(0)));
    predict_energy(c, t);
    if (c.balanced_variance)
        balance_variance(c, q);
    else
        predict_variance(c, t, q);
    for (int k = 0; k < top; ++k) heating[k] = heating_of(c, k);
    heating[top] = 0;
}

} // namespace squall::mynn_edmf
