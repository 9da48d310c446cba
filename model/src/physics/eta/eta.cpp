#include "physics/eta/eta.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "physics/eta/humidity.hpp"
#include "physics/eta/similarity.hpp"

namespace squall {
namespace {

using namespace eta;

constexpr int iterations = 5;
constexpr real karman = real(0.4);
constexpr real least_conductance = real(1e-4);   // times the height of the lowest layer's middle [m2 s-1]
constexpr real least_speed_squared = real(1e-6); // [m2 s-2]
constexpr real least_friction_velocity = real(1e-9);
constexpr real first_friction_velocity = real(0.1); // of a surface that was not looked at yet [m s-1]
constexpr real critical_richardson = real(0.505);

// Air and the sublayer over water (Janjic 1994).
constexpr real viscosity = real(1.5e-5);                           // [m2 s-1]
constexpr real diffusivity = real(2.1e-5);                         // of heat and of vapour
constexpr real smooth_below = real(0.225), rough_from = real(0.7); // friction velocity [m s-1]
constexpr real depth_of_smooth = real(0.35 * 30), depth_of_transition = real(0.35 * 10);
constexpr real scalar_depth =
    real(0.84); // of the sublayer of heat over that of momentum, but for diffusivity

// Roughness.
constexpr real charnock = real(0.018), least_water_roughness = real(1.59e-5);
constexpr real zilitinkevich = real(0.1), steepest = 10;
constexpr real per_root_viscosity = real(258.2); // viscosity^-1/2
constexpr real least_scalar_roughness = real(1e-28);

/// One column: what its iterations share, and change.
struct Column {
    bool water;
    real z;                               // of the middle of the lowest layer
    real theta, theta_l, humidity, cloud; // there
    real u, v;
    real least;            // conductance [m s-1]
    real skin, at_skin;    // potential temperature and humidity of the surface
    real mean_temperature; // between z0 and the lowest layer
    real convection;       // depth of convection times g / theta
    real bare;             // roughness of land without snow

    // Carried from step to step.
    real ust, heat_conductance, momentum_conductance;
    real u0, v0, theta0, humidity0;

    // Of an iteration.
    real z0, z0_heat;
    real sublayer = 0; // resistance to heat and vapour below z0 [s m-1]
    real difference = 0, speed_squared = 0, gusts_squared = 0, richardson = 0, per_metre = 0;
    real momentum_profile = 0, heat_profile = 0, ust_before = 0;
    real momentum_ratio = 0,
         heat_ratio = 0; // of the profiles' ends: the height of the upper over that of the lower
};

real to_theta(real pressure) { return std::pow(constants::p0 / pressure, constants::kappa); }

/// What a surface is that was not looked at yet.
void begin(const SurfaceColumns &c, int i, Column &a) {
    const SublayerColumns &s = c.sublayer;
    a.ust = std::max(c.friction_velocity[i], least_friction_velocity);
    a.heat_conductance = s.heat_conductance[i];
    a.momentum_conductance = s.momentum_conductance[i];
    a.u0 = s.u[i], a.v0 = s.v[i], a.theta0 = s.theta[i], a.humidity0 = s.humidity[i];
    if (a.heat_conductance > 0) return;
    a.ust = first_friction_velocity;
    a.heat_conductance = a.momentum_conductance = a.least;
    a.u0 = a.v0 = 0, a.theta0 = a.skin, a.humidity0 = a.at_skin;
}

Column look(const SurfaceColumns &c, int i) {
    Column a{};
    a.water = c.land[i] < real(0.5);
    a.z = c.depth[i] / 2;
    a.theta = c.theta[i];
    a.cloud = c.cloud ? c.cloud[i] : real(0);
    a.theta_l = a.theta * (1 - latent_heat / constants::c_p * a.cloud / c.temperature[i]);
    a.humidity = specific(c.vapour[i]);
    a.u = c.u[i], a.v = c.v[i];
    a.least = least_conductance / a.z;
    const real per_temperature = to_theta(c.surface_pressure[i]);
    a.skin = c.skin_temperature[i] * per_temperature;
    if (a.water)
        c.surface_vapour[i] = mixing_ratio(saturation_at_sea(c, i));
    else if (c.surface_vapour[i] <= 0)
        c.surface_vapour[i] =
            c.land_water.vegetation
                ? c.vapour[i]
                : mixing_ratio(saturated_humidity_of_janjic(c.skin_temperature[i], c.surface_pressure[i]));
    a.at_skin = specific(c.surface_vapour[i]);
    begin(c, i, a);
    a.mean_temperature =
        (c.temperature[i] + (a.water ? a.theta0 / per_temperature : c.skin_temperature[i])) / 2;
    a.convection = constants::g / a.theta * std::max(c.boundary_layer_height[i], real(1000));
    a.z0 = c.roughness[i];
    const real *bare = c.sublayer.bare_roughness;
    a.bare = bare[i] > 0 ? bare[i] : a.z0;
    return a;
}

/// Difference of virtual potential temperature between the lowest layer and z0, and what follows.
void compare(Column &a) {
    const real theta = (a.theta_l + a.theta0) / 2, wet = a.humidity + a.humidity0 + a.cloud;
    a.difference =
        (a.theta_l - a.theta0) * (wet * (real(0.5) * constants::virtual_factor) + 1) +
        (a.humidity - a.humidity0 + a.cloud) * theta * constants::virtual_factor +
        a.cloud * (latent_heat / constants::c_p / a.mean_temperature - 1 - constants::virtual_factor) * theta;
    const real u = a.u - a.u0, v = a.v - a.v0;
    a.speed_squared = std::max(u * u + v * v, least_speed_squared);
    a.richardson = constants::g / a.theta * a.difference * a.z / a.speed_squared;
}

/// Of a profile at the friction velocity that the iteration began with [m s-1].
real conductance_of(const Column &a, real profile) {
    return std::max(karman * a.ust_before / profile, a.least);
}

/// Conductances of the last friction velocity and of the heat flux of the last conductance; then the friction
/// velocity of these, with Beljaars' gusts.
void iterate(Column &a) {
    const real cube = a.ust * a.ust * a.ust;
    a.per_metre = karman * constants::g / a.theta * a.heat_conductance * a.difference / cube;
    a.momentum_ratio = (a.z + a.z0) / a.z0;
    // Over land heat's profile ends as high as momentum's.
    const real heat_top = a.z + (a.water ? a.z0_heat : a.z0);
    a.heat_ratio = heat_top / a.z0_heat;
    a.momentum_profile = profile(a.z + a.z0, a.z0, a.momentum_ratio, a.per_metre, psi_momentum);
    a.heat_profile = profile(heat_top, a.z0_heat, a.heat_ratio, a.per_metre, psi_heat);
    a.ust_before = a.ust;
    a.momentum_conductance = conductance_of(a, a.momentum_profile);
    a.heat_conductance = conductance_of(a, a.heat_profile);
    constexpr real gusts = real(1.2 * 1.2);
    const real buoyancy =
        a.difference <= 0 ? std::abs(a.convection * a.heat_conductance * a.difference) : real(0);
    a.gusts_squared = gusts * std::pow(buoyancy, real(2.0 / 3));
    a.ust = std::max(std::sqrt(a.momentum_conductance * std::sqrt(a.speed_squared + a.gusts_squared)),
                     least_friction_velocity);
}

/// Half of what it was, half what sublayer and air above leave: to damp oscillations, as Janjic.
real relaxed(real weight, real above, real below, real before) {
    return ((weight * above + below) / (weight + 1) + before) / 2;
}

/// The top of the sublayer over water, which depends on how rough the flow is.
void find_sublayer(Column &a) {
    a.z0 = std::max(charnock / constants::g * a.ust * a.ust, least_water_roughness);
    a.z0_heat = a.z0, a.sublayer = 0;
    if (a.ust >= rough_from) {
        a.u0 = a.v0 = 0, a.theta0 = a.skin, a.humidity0 = a.at_skin;
        return;
    }
    const bool smooth = a.ust < smooth_below;
    const real root = std::sqrt(std::sqrt(a.z0 * a.ust / viscosity)) / a.ust;
    if (smooth) {
        const real depth = depth_of_smooth * viscosity * root,
                   weight = a.momentum_conductance * depth / viscosity;
        a.z0 = depth;
        a.u0 = (a.u * weight / (weight + 1) + a.u0) / 2, a.v0 = (a.v * weight / (weight + 1) + a.v0) / 2;
    } else
        a.u0 = a.v0 = 0;
    a.z0_heat = (smooth ? depth_of_smooth : depth_of_transition) * scalar_depth * diffusivity * root;
    a.sublayer = a.z0_heat / diffusivity;
    const real weight = a.heat_conductance * a.sublayer;
    a.theta0 = relaxed(weight, a.theta, a.skin, a.theta0);
    a.humidity0 = relaxed(weight, a.humidity, a.at_skin, a.humidity0);
}

void solve_over_water(Column &a) {
    for (int n = 0; n < iterations; ++n) {
        find_sublayer(a);
        compare(a);
        iterate(a);
    }
}

void solve_over_land(Column &a) {
    a.u0 = a.v0 = 0, a.theta0 = a.skin, a.humidity0 = a.at_skin;
    compare(a);
    const real stable = std::min(a.richardson / critical_richardson, real(1));
    const real steep = a.difference > 0 ? 1 + steepest * stable * stable : real(1);
    for (int n = 0; n < iterations; ++n) {
        const real reynolds = per_root_viscosity * std::sqrt(a.ust * a.bare);
        a.z0_heat =
            std::max(std::exp(-zilitinkevich * karman * steep * reynolds) * a.bare, least_scalar_roughness);
        iterate(a);
    }
}

void set_values(const SurfaceColumns &c, int i, const Column &a) {
    const real wind = profile(10 + a.z0, a.z0, a.momentum_ratio, a.per_metre, psi_momentum);
    const real heat = profile(2 + a.z0_heat, a.z0_heat, a.heat_ratio, a.per_metre, psi_heat);
    const real at_10m = a.momentum_conductance / conductance_of(a, wind), to_2m = conductance_of(a, heat);
    c.wind_u_10m[i] = (a.u - a.u0) * at_10m + a.u0;
    c.wind_v_10m[i] = (a.v - a.v0) * at_10m + a.v0;
    c.heat_exchange_2m[i] = c.as_wrf ? to_2m : 1 / (1 / to_2m + a.sublayer);
    c.vapour_exchange_2m[i] = c.heat_exchange_2m[i] * c.availability[i];
    c.wind_speed[i] = std::sqrt(a.speed_squared + a.gusts_squared);
    c.richardson[i] = a.richardson;
    c.momentum_profile[i] = a.momentum_profile;
    c.heat_profile[i] = a.heat_profile;
}

void set_fluxes(const SurfaceColumns &c, int i, const Column &a) {
    const real moist = c.as_wrf ? real(1) : 1 + constants::virtual_factor * a.humidity;
    const real density = c.pressure[i] / (constants::r_d * c.temperature[i] * moist);
    c.conductance[i] = a.heat_conductance;
    if (c.as_wrf) c.air_saturation[i] = saturated_humidity_of_janjic(c.temperature[i], c.pressure[i]);
    c.heat_exchange[i] = density * constants::c_p * a.heat_conductance;
    c.vapour_exchange[i] = density * a.heat_conductance * c.availability[i];
    c.sensible_heat[i] = c.heat_exchange[i] * (a.theta0 - a.theta);
    c.vapour_flux[i] = c.vapour_exchange[i] * (a.humidity0 - a.humidity);
}

void carry_on(const SurfaceColumns &c, int i, const Column &a) {
    const SublayerColumns &s = c.sublayer;
    s.heat_conductance[i] = a.heat_conductance;
    s.momentum_conductance[i] = a.momentum_conductance;
    s.u[i] = a.u0, s.v[i] = a.v0, s.theta[i] = a.theta0, s.humidity[i] = a.humidity0;
    c.friction_velocity[i] = a.ust;
    c.temperature_scale[i] = a.heat_conductance * (a.theta - a.theta0) / a.ust;
}

class Eta final : public SurfaceLayerScheme {
  public:
    void exchange(const SurfaceColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            Column a = look(c, i);
            a.water ? solve_over_water(a) : solve_over_land(a);
            if (a.water)
                c.roughness[i] =
                    std::max(charnock / constants::g * a.ust_before * a.ust_before, least_water_roughness);
            set_values(c, i, a);
            set_fluxes(c, i, a);
            carry_on(c, i, a);
        }
    }
};

} // namespace

SurfaceLayerEntry eta_scheme() {
    return {
        "Monin-Obukhov similarity of the Eta model, with a viscous sublayer over water, Janjic (1994, 1996)",
        [] { return std::make_unique<Eta>(); }, true};
}

} // namespace squall
