#include "physics/mynn_surface/mynn_surface.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "physics/mynn_surface/roughness.hpp"
#include "physics/mynn_surface/stability.hpp"
#include "physics/revised_mm5/stability.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

using namespace mynn_surface;
using revised_mm5::psi_heat;
using revised_mm5::psi_momentum;

constexpr real karman = real(0.4);
constexpr real gust_exponent = real(0.33); // WRF's third
constexpr real freezing_point = real(273.15);
constexpr real deep_snow = real(0.1); // [m]

real specific(real mixing_ratio) { return mixing_ratio / (1 + mixing_ratio); }
real to_theta(real pressure) { return std::pow(constants::p0 / pressure, constants::kappa); }

/// One column: what its steps share.
struct Column {
    bool water, first;
    real z, theta, theta_ground, virtual_difference, density;
    real humidity, ground_humidity, ground_vapour; ///< specific, specific, mixing ratio
    real speed;                                    ///< with gusts
    real z0;
    ScalarRoughness scalar;
    real zeta = 0;
};

/// Mixing ratio of air saturated over ice, as WRF's scheme has it.
real saturation_over_cold_ground(real t, real pressure) {
    const real e = real(611.2) *
                   std::exp(4648 * (1 / freezing_point - 1 / t) - real(11.64) * std::log(freezing_point / t) +
                            real(0.02265) * (freezing_point - t));
    return constants::r_d / constants::r_v * e / (pressure - e);
}

/// What is carried is a mixing ratio; to WRF's scheme, specific humidity.
void set_ground_humidity(const SurfaceColumns &c, int i, Column &a) {
    real &carried = c.surface_vapour[i];
    if (a.water || carried <= 0) {
        const real t = c.skin_temperature[i], pressure = c.surface_pressure[i];
        const bool over_ice = a.water && c.as_wrf && t < freezing_point;
        const real saturated =
            over_ice ? saturation_over_cold_ground(t, pressure) : saturation_over_water(t, pressure);
        carried = c.as_wrf ? specific(saturated) : saturated;
    }
    a.ground_humidity = c.as_wrf ? carried : specific(carried);
    a.ground_vapour = c.as_wrf ? carried / (1 - carried) : carried;
}

/// Gusts: of what the grid does not resolve, and of convection, by the fluxes of the last step [m s-1].
real gustiness(const SurfaceColumns &c, int i, const Column &a, real theta_v) {
    const real unresolved = real(0.32) * std::pow(std::max(c.spacing[i] / 5000 - 1, real(0)), gust_exponent);
    const real flux = c.sensible_heat[i] / (a.density * constants::c_p) +
                      constants::virtual_factor * theta_v * c.vapour_flux[i] / a.density;
    const real height = c.boundary_layer_height[i];
    const real depth = a.water ? height : std::min(real(1.5) * height, real(4000));
    const real convective =
        real(1.25) *
        std::pow(constants::g / c.skin_temperature[i] * depth * std::max(flux, real(0)), gust_exponent);
    return std::sqrt(convective * convective + unresolved * unresolved);
}

Column look(const SurfaceColumns &c, int i) {
    Column a{};
    a.water = c.land[i] < real(0.5);
    a.z = c.depth[i] / 2;
    a.theta = c.temperature[i] * to_theta(c.pressure[i]);
    a.theta_ground = c.skin_temperature[i] * to_theta(c.surface_pressure[i]);
    a.humidity = specific(c.vapour[i]);
    a.density =
        c.pressure[i] / (constants::r_d * c.temperature[i] * (1 + constants::virtual_factor * a.humidity));
    set_ground_humidity(c, i, a);
    const real ground_v = a.theta_ground * (1 + constants::virtual_factor * a.ground_humidity);
    a.virtual_difference = a.theta * (1 + constants::virtual_factor * a.humidity) - ground_v;
    const real u = c.u[i], v = c.v[i], gusts = gustiness(c, i, a, ground_v);
    a.speed = std::max(std::sqrt(u * u + v * v + gusts * gusts), real(0.1));
    a.first = c.friction_velocity[i] <= 0;
    if (a.first) c.friction_velocity[i] = std::max(real(0.04) * std::sqrt(u * u + v * v), real(0.001));
    return a;
}

void find_roughness(const SurfaceColumns &c, int i, Column &a) {
    const real ust = c.friction_velocity[i], nu = viscosity(c.temperature[i]);
    if (a.water) c.roughness[i] = of_water(ust, a.speed, a.z, nu);
    a.z0 = c.roughness[i];
    const real reynolds = std::max(ust * a.z0 / nu, real(0.1));
    const bool snow = !a.water && c.land_water.snow_depth && c.land_water.snow_depth[i] >= deep_snow;
    a.scalar = a.water ? scalars_of_water(reynolds)
               : snow  ? scalars_of_snow(ust, nu)
                       : scalars_of_land(a.z0, reynolds);
}

void find_stability(const SurfaceColumns &c, int i, Column &a) {
    const real per_speed = 1 / (a.speed * a.speed);
    const real richardson =
        std::clamp(constants::g / a.theta * a.z * a.virtual_difference * per_speed, real(-4), real(4));
    c.wind_speed[i] = a.speed;
    c.richardson[i] = richardson;
    if (richardson == 0) return;
    const Layer layer{a.z, a.z0, a.scalar.heat};
    const real least = richardson > 0 ? real(1e-4) : real(1e-3), ust = c.friction_velocity[i];
    const real guess =
        a.z * karman * constants::g * c.temperature_scale[i] / (a.theta * std::max(ust * ust, least));
    const real low = richardson > 0 ? real(0) : real(-20), high = richardson > 0 ? real(20) : real(0);
    const real start = a.first ? fitted_stability(richardson, layer) : std::clamp(guess, low, high);
    a.zeta = std::clamp(stability_of(richardson, layer, start), low, high);
}

/// Of a height: correction for stability between it and z0, at most 0.9 of the neutral profile in unstable
/// air.
template <class Psi> real correction(const Column &a, real z, real from, real neutral, Psi psi) {
    if (a.zeta == 0) return 0;
    const real per_metre = a.zeta / a.z, psi_z = psi(per_metre * (z + a.z0)) - psi(per_metre * from);
    return a.zeta < 0 ? std::min(psi_z, real(0.9) * neutral) : psi_z;
}

real momentum_profile(const Column &a, real z) {
    const real neutral = std::log((z + a.z0) / a.z0);
    return neutral - correction(a, z, a.z0, neutral, psi_momentum);
}

/// Profiles of heat and vapour up to the lowest layer and to 2 m; the latter's correction begins at z0.
struct ScalarProfiles {
    real heat, heat_2m, vapour, vapour_2m;
};

ScalarProfiles scalar_profiles(const Column &a) {
    const real neutral = std::log((a.z + a.z0) / a.scalar.heat), low = std::log((2 + a.z0) / a.scalar.heat);
    const real psi = correction(a, a.z, a.scalar.heat, neutral, psi_heat),
               psi_2m = correction(a, 2, a.z0, low, psi_heat);
    const real q = a.scalar.vapour;
    return {std::max(neutral - psi, real(1)), std::max(low - psi_2m, real(1)),
            std::max(std::log((a.z + q) / q) - psi, real(1)),
            std::max(std::log((2 + q) / q) - psi_2m, real(1))};
}

void set_wind_10m(const SurfaceColumns &c, int i, const Column &a, real momentum) {
    const bool near = a.z < 13;
    const real share = near ? std::log(10 / a.z0) / std::log(a.z / a.z0) : momentum_profile(a, 10) / momentum;
    c.wind_u_10m[i] = c.u[i] * share;
    c.wind_v_10m[i] = c.v[i] * share;
}

void set_fluxes(const SurfaceColumns &c, int i, const Column &a, const ScalarProfiles &p) {
    const real conductance = karman * c.friction_velocity[i];
    if (c.as_wrf) {
        const bool cold = c.skin_temperature[i] < freezing_point;
        c.air_saturation[i] = specific(cold ? saturation_over_cold_ground(c.temperature[i], c.pressure[i])
                                            : saturation_over_water(c.temperature[i], c.pressure[i]));
    }
    c.conductance[i] = conductance / p.heat;
    c.vapour_exchange[i] = a.density * c.availability[i] * conductance / p.vapour;
    c.heat_exchange[i] = a.density * constants::c_p * (1 + real(0.84) * c.vapour[i]) * conductance / p.heat;
    c.vapour_flux[i] = std::max(c.vapour_exchange[i] * (a.ground_vapour - c.vapour[i]), real(-0.02));
    c.sensible_heat[i] = c.heat_exchange[i] * (a.theta_ground - a.theta);
    if (!a.water) c.sensible_heat[i] = std::max(c.sensible_heat[i], real(-250));
    c.heat_exchange_2m[i] = conductance / p.heat_2m;
    c.vapour_exchange_2m[i] = conductance / p.vapour_2m * c.availability[i];
}

class MynnSurface final : public SurfaceLayerScheme {
  public:
    void exchange(const SurfaceColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            Column a = look(c, i);
            find_roughness(c, i, a);
            find_stability(c, i, a);
            const real momentum = momentum_profile(a, a.z);
            const ScalarProfiles p = scalar_profiles(a);
            real &ust = c.friction_velocity[i];
            ust = real(0.5) * ust + real(0.5) * karman * a.speed / momentum;
            if (!a.water) ust = std::max(ust, real(0.005));
            c.temperature_scale[i] = karman * a.virtual_difference / p.heat;
            c.momentum_profile[i] = momentum;
            c.heat_profile[i] = p.heat;
            set_wind_10m(c, i, a, momentum);
            set_fluxes(c, i, a, p);
        }
    }
};

} // namespace

SurfaceLayerEntry mynn_surface_scheme() {
    return {"Monin-Obukhov similarity with thermal roughness of its own, MYNN's, Olson et al. (2021)",
            [] { return std::make_unique<MynnSurface>(); }};
}

} // namespace squall
