#include "physics/revised_mm5/revised_mm5.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "physics/revised_mm5/stability.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

using namespace revised_mm5;

constexpr real karman = real(0.4);
constexpr real vapour_factor = constants::r_v / constants::r_d - 1;
constexpr real gust_exponent = real(0.33);           // WRF's third
constexpr real molecular_diffusivity = real(2.4e-5); // of heat in air [m2 s-1]
constexpr real viscous_sublayer = real(0.01);        // [m], under land's vapour
constexpr real salt = real(0.98);                    // vapour pressure over sea water over that over fresh

/// One column: what its steps share.
struct Column {
    bool water;
    real z, theta, theta_ground, virtual_difference, density;
    real zeta = 0;
};

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

/// Bulk Richardson number (equation 2 of Jimenez et al.) and zeta.
void find_stability(const SurfaceColumns &c, int i, Column &a) {
    const real gusts = gustiness(c, i, a), u = c.u[i], v = c.v[i];
    const real speed = std::max(std::sqrt(u * u + v * v + gusts * gusts), real(0.1));
    real richardson = constants::g / a.theta * a.z * a.virtual_difference / (speed * speed);
    if (c.temperature_scale[i] < 0) richardson = std::min(richardson, real(0));
    c.wind_speed[i] = speed;
    c.richardson[i] = richardson;
    const real bounded = std::clamp(richardson, real(-250), real(250));
    if (richardson < 0 && c.friction_velocity[i] < real(0.001))
        a.zeta = richardson * std::log((a.z + c.roughness[i]) / c.roughness[i]);
    else if (richardson != 0)
        a.zeta = stability_of(bounded, a.z, c.roughness[i]);
}

/// ln((z + z0)/z0) less what stability takes from it between z0 and z + z0.
template <class Psi> real profile(const Column &a, real z, real z0, Psi psi, bool bounded) {
    const real neutral = std::log((z + z0) / z0), per_metre = a.zeta / a.z;
    real correction = a.zeta == 0 ? real(0) : psi(per_metre * (z + z0)) - psi(per_metre * z0);
    if (bounded && a.zeta < 0) correction = std::min(correction, real(0.9) * neutral);
    return neutral - correction;
}

/// Of water, for heat and vapour: COARE 3.
real scalar_roughness(const SurfaceColumns &c, int i) {
    const real viscosity = (real(1.32) + real(0.009) * (c.temperature[i] - real(273.15))) * real(1e-5);
    const real reynolds = c.friction_velocity[i] * c.roughness[i] / viscosity;
    return std::clamp(real(5.5e-5) * std::pow(reynolds, real(-0.6)), real(2e-9), real(1e-4));
}

/// Of vapour over land, through the molecular sublayer.
real vapour_profile(const SurfaceColumns &c, int i, const Column &a, real z) {
    const real per_metre = a.zeta / a.z;
    const real correction =
        a.zeta == 0 ? real(0) : psi_heat(per_metre * z) - psi_heat(per_metre * viscous_sublayer);
    return std::log(karman * c.friction_velocity[i] * z / molecular_diffusivity + z / viscous_sublayer) -
           correction;
}

/// Profiles of heat and vapour, and from the surface to 2 m.
struct ScalarProfiles {
    real heat, heat_2m, vapour, vapour_2m;
};

ScalarProfiles scalar_profiles(const SurfaceColumns &c, int i, const Column &a) {
    if (a.water) {
        const real z0 = scalar_roughness(c, i);
        const real lowest = profile(a, a.z, z0, psi_heat, false), low = profile(a, 2, z0, psi_heat, false);
        return {lowest, low, lowest, low};
    }
    const real z0 = c.roughness[i];
    return {profile(a, a.z, z0, psi_heat, true), profile(a, 2, z0, psi_heat, true),
            vapour_profile(c, i, a, a.z), vapour_profile(c, i, a, 2)};
}

real water_roughness(real friction_velocity) {
    const real charnock = real(0.0185) * friction_velocity * friction_velocity / constants::g;
    return std::min(charnock + real(0.11 * 1.5e-5) / friction_velocity, real(2.85e-3));
}

void set_fluxes(const SurfaceColumns &c, int i, const Column &a, const ScalarProfiles &p) {
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

class RevisedMm5 final : public SurfaceLayerScheme {
  public:
    void exchange(const SurfaceColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            Column a = look(c, i);
            find_stability(c, i, a);
            const real z0 = c.roughness[i];
            const real momentum = profile(a, a.z, z0, psi_momentum, true);
            const real to_10m = profile(a, 10, z0, psi_momentum, true) / momentum;
            const ScalarProfiles p = scalar_profiles(c, i, a);
            real &ust = c.friction_velocity[i];
            ust = real(0.5) * ust + real(0.5) * karman * c.wind_speed[i] / momentum;
            if (!a.water) ust = std::max(ust, real(0.001));
            c.wind_u_10m[i] = c.u[i] * to_10m;
            c.wind_v_10m[i] = c.v[i] * to_10m;
            c.temperature_scale[i] = karman * (a.theta - a.theta_ground) / p.heat;
            c.momentum_profile[i] = momentum;
            c.heat_profile[i] = p.heat;
            if (a.water) c.roughness[i] = water_roughness(ust);
            set_fluxes(c, i, a, p);
        }
    }
};

} // namespace

SurfaceLayerEntry revised_mm5_scheme() {
    return {"Monin-Obukhov similarity, the revised MM5 scheme of Jimenez et al. (2012)",
            [] { return std::make_unique<RevisedMm5>(); }};
}

} // namespace squall
