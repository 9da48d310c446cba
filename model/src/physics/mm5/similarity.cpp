#include "physics/mm5/similarity.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "physics/saturation.hpp"

namespace squall::mm5 {
namespace {

constexpr real vapour_factor = constants::r_v / constants::r_d - 1;
constexpr real gust_exponent = real(0.33);           // WRF's third
constexpr real molecular_diffusivity = real(2.4e-5); // of heat in air [m2 s-1]
constexpr real salt = real(0.98);                    // vapour pressure over sea water over that over fresh

real saturation_at_surface(const SurfaceColumns &c, int i, bool water) {
    const real q = saturation_over_water(c.skin_temperature[i], c.surface_pressure[i]);
    if (!water) return q;
    const real share = q / (constants::r_d / constants::r_v + q) * salt; // of the vapour in the pressure
    return constants::r_d / constants::r_v * share / (1 - share);
}

real potential(real temperature, real pressure) {
    return temperature * std::pow(constants::p0 / pressure, constants::kappa);
}

/// Gusts: of what the grid does not resolve, and of convection [m s-1].
real gustiness(const SurfaceColumns &c, int i, const Column &a) {
    const real unresolved = real(0.32) * std::pow(std::max(c.spacing[i] / 5000 - 1, real(0)), gust_exponent);
    real convective = 0;
    if (a.water)
        convective = std::sqrt(std::max(-a.virtual_difference, real(0)));
    else {
        const real ground = a.theta_ground * (1 + vapour_factor * c.surface_vapour[i]);
        const real flux = c.sensible_heat[i] / (a.density * constants::c_p) +
                          vapour_factor * ground * c.vapour_flux[i] / a.density;
        convective = std::pow(constants::g / c.skin_temperature[i] * c.boundary_layer_height[i] *
                                  std::max(flux, real(0)),
                              gust_exponent);
    }
    return std::sqrt(convective * convective + unresolved * unresolved);
}

real water_roughness(real friction_velocity) {
    const real charnock = real(0.0185) * friction_velocity * friction_velocity / constants::g;
    return std::min(charnock + real(0.11 * 1.5e-5) / friction_velocity, real(2.85e-3));
}

void set_fluxes(const SurfaceColumns &c, int i, const Column &a, const Profiles &p) {
    const real conductance = karman * c.friction_velocity[i];
    c.conductance[i] = conductance / p.vapour;
    c.vapour_exchange[i] = a.density * c.availability[i] * conductance / p.vapour;
    const real heat_capacity = constants::c_p * (1 + real(0.8) * c.vapour[i]);
    const real difference = a.theta - a.theta_ground;
    c.heat_exchange[i] =
        std::abs(difference) > real(1e-5) ? heat_capacity * a.density * conductance / p.heat : real(0);
    c.vapour_flux[i] = c.vapour_exchange[i] * (c.surface_vapour[i] - c.vapour[i]);
    c.sensible_heat[i] = -c.heat_exchange[i] * difference;
    c.heat_exchange_2m[i] = conductance / p.heat_2m;
    c.vapour_exchange_2m[i] = conductance / p.vapour_2m * c.availability[i];
}

} // namespace

Column look(const SurfaceColumns &c, int i) {
    Column a{};
    a.water = c.land[i] < real(0.5);
    a.z = c.depth[i] / 2;
    a.theta = potential(c.temperature[i], c.pressure[i]);
    a.theta_ground = potential(c.skin_temperature[i], c.surface_pressure[i]);
    const real moisture = 1 + vapour_factor * c.vapour[i];
    a.density = c.surface_pressure[i] / (constants::r_d * c.temperature[i] * moisture);
    if (a.water || c.surface_vapour[i] <= 0) c.surface_vapour[i] = saturation_at_surface(c, i, a.water);
    a.virtual_difference = a.theta * moisture - a.theta_ground * (1 + vapour_factor * c.surface_vapour[i]);
    return a;
}

void find_richardson(const SurfaceColumns &c, int i, const Column &a) {
    const real gusts = gustiness(c, i, a), u = c.u[i], v = c.v[i];
    const real speed = std::max(std::sqrt(u * u + v * v + gusts * gusts), real(0.1));
    const real richardson = constants::g / a.theta * a.z * a.virtual_difference / (speed * speed);
    c.wind_speed[i] = speed;
    c.richardson[i] = c.temperature_scale[i] < 0 ? std::min(richardson, real(0)) : richardson;
}

real scalar_roughness(const SurfaceColumns &c, int i) {
    const real viscosity = (real(1.32) + real(0.009) * (c.temperature[i] - real(273.15))) * real(1e-5);
    const real reynolds = c.friction_velocity[i] * c.roughness[i] / viscosity;
    return std::clamp(real(5.5e-5) * std::pow(reynolds, real(-0.6)), real(2e-9), real(1e-4));
}

real through_sublayer(const SurfaceColumns &c, int i, real z) {
    return std::log(karman * c.friction_velocity[i] * z / molecular_diffusivity + z / viscous_sublayer);
}

void finish(const SurfaceColumns &c, int i, const Column &a, const Profiles &p, real least_ust) {
    real &ust = c.friction_velocity[i];
    ust = real(0.5) * ust + real(0.5) * karman * c.wind_speed[i] / p.momentum;
    if (!a.water) ust = std::max(ust, least_ust);
    const real to_10m = p.momentum_10m / p.momentum;
    c.wind_u_10m[i] = c.u[i] * to_10m;
    c.wind_v_10m[i] = c.v[i] * to_10m;
    c.temperature_scale[i] = karman * (a.theta - a.theta_ground) / p.heat;
    c.momentum_profile[i] = p.momentum;
    c.heat_profile[i] = p.heat;
    if (a.water) c.roughness[i] = water_roughness(ust);
    set_fluxes(c, i, a, p);
}

} // namespace squall::mm5
