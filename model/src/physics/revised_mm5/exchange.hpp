/// What the schemes of MM5's family share: the air next to the surface, its gusts, what the sea is like, and
/// the fluxes that profiles mean. Sources in revised_mm5.hpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "physics/saturation.hpp"
#include "physics/surface_columns.hpp"

namespace squall::revised_mm5 {

inline constexpr real karman = real(0.4);
inline constexpr real gust_exponent = real(0.33);           // WRF's third
inline constexpr real molecular_diffusivity = real(2.4e-5); // of heat in air [m2 s-1]
inline constexpr real viscous_sublayer = real(0.01);        // [m], under land's vapour
inline constexpr real salt = real(0.98); // vapour pressure over sea water over that over fresh

/// One column: what its steps share.
struct Column {
    bool water;
    real z, theta, theta_ground, virtual_difference, density;
    real zeta = 0;
};

inline real saturation_at_surface(const SurfaceColumns &c, int i, bool water) {
    const real q = saturation_over_water(c.skin_temperature[i], c.surface_pressure[i]);
    if (!water) return q;
    const real share = q / (constants::r_d / constants::r_v + q) * salt; // of the vapour in the pressure
    return constants::r_d / constants::r_v * share / (1 - share);
}

inline real potential(real temperature, real pressure) {
    return temperature * std::pow(constants::p0 / pressure, constants::kappa);
}

/// Gusts: of what the grid does not resolve, and of convection [m s-1].
inline real gustiness(const SurfaceColumns &c, int i, const Column &a) {
    const real unresolved = real(0.32) * std::pow(std::max(c.spacing[i] / 5000 - 1, real(0)), gust_exponent);
    real convective = 0;
    if (a.water)
        convective = std::sqrt(std::max(-a.virtual_difference, real(0)));
    else {
        const real ground = a.theta_ground * (1 + constants::virtual_factor * c.surface_vapour[i]);
        const real flux = c.sensible_heat[i] / (a.density * constants::c_p) +
                          constants::virtual_factor * ground * c.vapour_flux[i] / a.density;
        convective = std::pow(constants::g / c.skin_temperature[i] * c.boundary_layer_height[i] *
                                  std::max(flux, real(0)),
                              gust_exponent);
    }
    return std::sqrt(convective * convective + unresolved * unresolved);
}

inline Column look(const SurfaceColumns &c, int i) {
    Column a{};
    a.water = c.land[i] < real(0.5);
    a.z = c.depth[i] / 2;
    a.theta = potential(c.temperature[i], c.pressure[i]);
    a.theta_ground = potential(c.skin_temperature[i], c.surface_pressure[i]);
    const real moisture = 1 + constants::virtual_factor * c.vapour[i];
    a.density = c.surface_pressure[i] / (constants::r_d * c.temperature[i] * moisture);
    if (a.water || c.surface_vapour[i] <= 0) c.surface_vapour[i] = saturation_at_surface(c, i, a.water);
    a.virtual_difference =
        a.theta * moisture - a.theta_ground * (1 + constants::virtual_factor * c.surface_vapour[i]);
    return a;
}

/// Bulk Richardson number (equation 2 of Jimenez et al.), and the wind with its gusts.
inline real bulk_richardson(const SurfaceColumns &c, int i, const Column &a) {
    const real gusts = gustiness(c, i, a), u = c.u[i], v = c.v[i];
    const real speed = std::max(std::sqrt(u * u + v * v + gusts * gusts), real(0.1));
    real richardson = constants::g / a.theta * a.z * a.virtual_difference / (speed * speed);
    if (c.temperature_scale[i] < 0) richardson = std::min(richardson, real(0));
    c.wind_speed[i] = speed;
    c.richardson[i] = richardson;
    return richardson;
}

/// What water is like: as measured by COARE 3 (WRF's isftcflx = 0); or under storms, where drag grows no more
/// (Donelan et al. 2004, Geophys. Res. Lett. 31, L18306), with one roughness for heat and vapour (1), or with
/// Garratt's of each (1992, The Atmospheric Boundary Layer; 2).
enum class Sea { coare, donelan, garratt };

/// Roughness of water for heat and for vapour [m].
struct ScalarRoughness {
    real heat, vapour;
};

inline ScalarRoughness scalar_roughness(const SurfaceColumns &c, int i, Sea sea) {
    if (sea == Sea::donelan) return {real(1e-4), real(1e-4)};
    const real viscosity = (real(1.32) + real(0.009) * (c.temperature[i] - real(273.15))) * real(1e-5);
    const real reynolds = c.friction_velocity[i] * c.roughness[i] / viscosity;
    if (sea == Sea::garratt) {
        const auto of = [&](real number) { // of Prandtl and of Schmidt
            const real over = karman * (real(7.3) * std::sqrt(std::sqrt(reynolds)) * std::sqrt(number) - 5);
            return c.roughness[i] * std::exp(-over);
        };
        return {of(real(0.71)), of(real(0.60))};
    }
    const real both = std::clamp(real(5.5e-5) * std::pow(reynolds, real(-0.6)), real(2e-9), real(1e-4));
    return {both, both};
}

/// Of water for momentum [m].
inline real water_roughness(real friction_velocity, Sea sea) {
    const real ust = friction_velocity, most = real(2.85e-3), of_viscosity = real(0.11 * 1.5e-5);
    if (sea == Sea::coare)
        return std::min(real(0.0185) * ust * ust / constants::g + of_viscosity / ust, most);
    const real strong = std::min(std::pow(ust / real(1.06), real(0.3)), real(1));
    const real charnock = real(0.011) * ust * ust / constants::g + real(1.59e-5);
    const real saturated =
        10 * std::exp(real(-9.5) * std::pow(ust, real(-0.3333))) + of_viscosity / std::max(ust, real(0.01));
    return std::clamp((1 - strong) * charnock + strong * saturated, real(1.27e-7), most);
}

/// Profiles of heat and vapour, and from the surface to 2 m.
struct ScalarProfiles {
    real heat, heat_2m, vapour, vapour_2m;
};

inline void set_fluxes(const SurfaceColumns &c, int i, const Column &a, const ScalarProfiles &p) {
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

/// The wind's profile up to the lowest layer, and its value at 10 m over that of this layer.
struct WindProfile {
    real momentum, to_10m;
};

/// The friction velocity, halfway from that of the last step and over land no less than `least`, and all that
/// follows from the profiles.
inline void finish(const SurfaceColumns &c, int i, const Column &a, const WindProfile &wind,
                   const ScalarProfiles &scalars, real least, Sea sea) {
    real &ust = c.friction_velocity[i];
    ust = real(0.5) * ust + real(0.5) * karman * c.wind_speed[i] / wind.momentum;
    if (!a.water) ust = std::max(ust, least);
    c.wind_u_10m[i] = c.u[i] * wind.to_10m;
    c.wind_v_10m[i] = c.v[i] * wind.to_10m;
    c.temperature_scale[i] = karman * (a.theta - a.theta_ground) / scalars.heat;
    c.momentum_profile[i] = wind.momentum;
    c.heat_profile[i] = scalars.heat;
    if (a.water) c.roughness[i] = water_roughness(ust, sea);
    set_fluxes(c, i, a, scalars);
}

} // namespace squall::revised_mm5
