// How high the boundary layer reaches, and what stirs it.
#include <algorithm>
#include <cmath>

#include "physics/ysu/profiles.hpp"

namespace squall::ysu {
namespace {

constexpr real most_vapour_excess = real(2e-3); // of a thermal

/// Bulk Richardson numbers below and in the layer where they first exceed the critical one.
struct Crossing {
    real below, in;
};

real bulk_richardson(const Profiles &p, int i, int k, real excess, real reference) {
    return excess * (constants::g * p.z(i, k) / reference) / p.speed_squared(i, k);
}

/// Upwards from the surface layer's Richardson number (equation 7 over the ground).
Crossing climb(const Profiles &p, int i, real critical, Layer &a) {
    Crossing r{p.s.richardson[i], p.s.richardson[i]};
    for (int k = 1; k < p.c.nz; ++k) {
        r.below = r.in;
        r.in = bulk_richardson(p, i, k, p.theta_v(i, k) - a.thermal, p.theta_v(i, 0));
        a.top = k;
        if (r.in > critical) break;
    }
    return r;
}

void place_top(const Profiles &p, int i, const Crossing &r, real critical, Layer &a) {
    const real share = r.below >= critical ? real(0)
                       : r.in <= critical  ? real(1)
                                           : (critical - r.below) / (r.in - r.below);
    a.height = p.z(i, a.top - 1) + share * (p.z(i, a.top) - p.z(i, a.top - 1));
    if (a.height < p.bottom(i, 1)) a.top = 0;
    if (a.top <= 0) a.mixed = false;
}

/// Fluxes and gradients of the surface layer under a boundary layer of the height found so far.
void set_scales(const Profiles &p, int i, Layer &a) {
    const SurfaceColumns &s = p.s;
    const real m = s.momentum_profile[i], h = s.heat_profile[i];
    const real zeta = std::max(s.richardson[i] * m * m / h, real(-100));
    a.zeta = a.unstable ? std::min(zeta, real(-1e-8)) : std::max(zeta, real(1e-8));
    const real at_top = a.zeta * a.height / p.z(i, 0) * surface_share;
    a.ust = s.friction_velocity[i];
    a.ust3 = a.ust * a.ust * a.ust;
    a.cloud_wstar3 = 0;
    if (a.unstable) {
        a.phi_m = 1 / std::sqrt(std::sqrt(1 - 16 * at_top));
        a.phi_h = 1 / std::sqrt(1 - 16 * at_top);
        a.wstar3 = constants::g / p.c.theta(i, 0) * std::max(a.buoyancy, real(0)) * a.height;
    } else {
        a.phi_m = a.phi_h = 1 + 5 * at_top;
        a.wstar3 = 0;
    }
    a.velocity = std::clamp(std::pow(a.ust3 + 8 * karman * a.wstar3 / 2, third), a.ust / 5, a.ust * 16);
}

/// What rises is warmer than the lowest layer (equation 8), and carries momentum (Brown and Grant 1997).
void add_excess(const Profiles &p, int i, Layer &a) {
    const SurfaceColumns &s = p.s;
    const real per_flux = countergradient / (a.density * a.velocity);
    const real heat = std::min(per_flux * s.sensible_heat[i] / constants::c_p, most_excess);
    const real vapour = std::min(per_flux * s.vapour_flux[i], most_vapour_excess);
    const real excess = std::max(heat + constants::virtual_factor * p.c.theta(i, 0) * vapour, real(0)) *
                        std::min(p.z(i, 0) / (surface_share * a.height), real(1));
    a.thermal += excess;
    a.thermal_l += excess;
    a.heat = std::max(heat, real(0));
    const real momentum = real(-15.9) * a.ust * a.ust / s.wind_speed[i] * a.wstar3 /
                          (a.velocity * a.velocity * a.velocity * a.velocity);
    a.u = momentum * p.c.u(i, 0);
    a.v = momentum * p.c.v(i, 0);
}

/// Upwards through cloud, by theta_l (Wilson and Fovell 2018): to the last layer that the thermal is not
/// colder than.
void climb_through_cloud(const Profiles &p, int i, Crossing &r, Layer &a) {
    bool rises = false;
    for (int k = a.top; k < p.c.nz - 1; ++k) {
        const real number = bulk_richardson(p, i, k, p.theta_l(i, k) - a.thermal_l, p.theta_l(i, 0));
        if (rises) {
            a.top = k;
            r.in = number;
        }
        rises = number < 0;
        if (rises) {
            r.below = number;
            a.mixed = true;
        }
    }
}

/// Critical Richardson number of stable layers: 0.25 over land, by the surface Rossby number over water
/// (Vickers and Mahrt 2004).
real critical_when_stable(const SurfaceColumns &s, int i) {
    if (s.land[i] > real(0.5)) return real(0.25);
    const real u = s.wind_u_10m[i], v = s.wind_v_10m[i];
    const real rossby = std::sqrt(u * u + v * v) / (real(1e-4) * s.roughness[i]);
    return std::min(real(0.16) * std::pow(real(1e-7) * rossby, real(-0.18)), real(0.3));
}

} // namespace

void find_height(const Profiles &p, int i, Layer &a) {
    const TurbulentColumns &c = p.c;
    const SurfaceColumns &s = p.s;
    a = {};
    a.density = s.surface_pressure[i] /
                (constants::r_d * p.temperature(i, 0) * (1 + constants::virtual_factor * c.vapour(i, 0)));
    a.unstable = !(s.richardson[i] > 0);
    a.mixed = true;
    a.thermal = p.theta_v(i, 0);
    a.thermal_l = p.theta_l(i, 0);
    a.buoyancy = s.sensible_heat[i] / (a.density * constants::c_p) +
                 s.vapour_flux[i] / a.density * constants::virtual_factor * c.theta(i, 0);

    Crossing r = climb(p, i, 0, a);
    place_top(p, i, r, 0, a);
    set_scales(p, i, a);
    if (a.unstable && a.buoyancy > 0)
        add_excess(p, i, a);
    else
        a.mixed = false;
    if (a.mixed) r = climb(p, i, 0, a);
    climb_through_cloud(p, i, r, a);
    if (a.mixed) place_top(p, i, r, 0, a);
    if (!a.unstable && a.height < p.bottom(i, 1)) {
        const real critical = critical_when_stable(s, i);
        r = climb(p, i, critical, a);
        place_top(p, i, r, critical, a);
    }
}

} // namespace squall::ysu
