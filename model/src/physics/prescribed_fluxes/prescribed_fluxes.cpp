#include "physics/prescribed_fluxes/prescribed_fluxes.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "physics/revised_mm5/stability.hpp"

namespace squall {
namespace {

using revised_mm5::psi_heat;
using revised_mm5::psi_momentum;

constexpr real karman = real(0.4);
constexpr real least_ust = real(0.01);                // [m s-1]
constexpr real least_zeta = -100, most_zeta = 1;      // of the middle of the lowest layer
constexpr real least_z0 = real(1e-7), most_skin = 50; // [m]; skin over air [K]
constexpr int iterations = 20;

/// One column: the middle of its lowest layer and what the surface gives it.
struct Column {
    real z, theta, density;
    real heat, vapour, buoyancy; ///< fluxes [K m s-1], [kg kg-1 m s-1], [K m s-1]
    real speed;                  ///< with gusts [m s-1]
    real ust = 0, z0 = 0, zeta = 0;
};

Column look(const SurfaceColumns &c, int i) {
    Column a{};
    a.z = c.depth[i] / 2;
    a.theta = c.temperature[i] * std::pow(constants::p0 / c.pressure[i], constants::kappa);
    a.density = c.surface_pressure[i] /
                (constants::r_d * c.temperature[i] * (1 + constants::virtual_factor * c.vapour[i]));
    a.heat = c.sensible_heat[i] / (a.density * constants::c_p);
    a.vapour = c.vapour_flux[i] / a.density;
    a.buoyancy = a.heat + constants::virtual_factor * a.theta * a.vapour;
    const real lifted = constants::g / a.theta * c.boundary_layer_height[i] * std::max(a.buoyancy, real(0));
    const real gusts = std::cbrt(lifted), u = c.u[i], v = c.v[i];
    a.speed = std::max(std::sqrt(u * u + v * v + gusts * gusts), real(0.1));
    return a;
}

/// z/L of a friction velocity under the flux of buoyancy.
real stability(const Column &a, real ust) {
    const real zeta = -karman * constants::g * a.z * a.buoyancy / (a.theta * ust * ust * ust);
    return std::clamp(zeta, least_zeta, most_zeta);
}

/// ln((z + z0)/z0) less what stability takes from it between z0 and z + z0.
template <class Psi> real profile(const Column &a, real z, Psi psi) {
    const real per_metre = a.zeta / a.z;
    return std::log((z + a.z0) / a.z0) - psi(per_metre * (z + a.z0)) + psi(per_metre * a.z0);
}

void find_friction(Column &a, real roughness) {
    a.z0 = roughness;
    a.ust = karman * a.speed / std::log((a.z + a.z0) / a.z0);
    for (int n = 0; n < iterations; ++n) {
        a.zeta = stability(a, a.ust);
        const real next = karman * a.speed / std::max(profile(a, a.z, psi_momentum), real(0.1));
        a.ust = std::max(real(0.5) * (a.ust + next), least_ust);
    }
}

/// The roughness that the wind of the lowest layer has this friction velocity over.
void find_roughness(Column &a, real ust) {
    a.ust = std::max(ust, least_ust);
    a.zeta = stability(a, a.ust);
    const real ratio = std::exp(karman * a.speed / a.ust + psi_momentum(a.zeta));
    a.z0 = std::clamp(a.z / ratio, least_z0, a.z);
}

void set_skin(const SurfaceColumns &c, int i, const Column &a, real heat_profile) {
    const real resistance = heat_profile / (karman * a.ust); // [s m-1]
    const real warmer = std::clamp(a.heat * resistance, -most_skin, most_skin);
    c.skin_temperature[i] =
        (a.theta + warmer) * std::pow(c.surface_pressure[i] / constants::p0, constants::kappa);
    c.surface_vapour[i] = std::max(c.vapour[i] + a.vapour * resistance, real(1e-9)); // 0: not known yet
}

class PrescribedFluxes final : public SurfaceLayerScheme {
  public:
    void exchange(const SurfaceColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            Column a = look(c, i);
            if (c.roughness[i] > 0)
                find_friction(a, c.roughness[i]);
            else
                find_roughness(a, c.friction_velocity[i]);
            const real momentum = std::max(profile(a, a.z, psi_momentum), real(0.1));
            const real heat = std::max(profile(a, a.z, psi_heat), real(0.1));
            set_skin(c, i, a, heat);
            c.friction_velocity[i] = a.ust;
            c.temperature_scale[i] = -a.heat / a.ust;
            c.wind_speed[i] = a.speed;
            c.richardson[i] = a.zeta * heat / (momentum * momentum);
            c.momentum_profile[i] = momentum;
            c.heat_profile[i] = heat;
            const real to_10m = profile(a, 10, psi_momentum) / momentum;
            c.wind_u_10m[i] = c.u[i] * to_10m;
            c.wind_v_10m[i] = c.v[i] * to_10m;
            const real conductance = karman * a.ust, at_2m = std::max(profile(a, 2, psi_heat), real(0.1));
            c.conductance[i] = conductance / heat;
            c.heat_exchange[i] = a.density * constants::c_p * conductance / heat;
            c.vapour_exchange[i] = a.density * conductance / heat;
            c.heat_exchange_2m[i] = c.vapour_exchange_2m[i] = conductance / at_2m;
        }
    }
};

} // namespace

SurfaceLayerEntry prescribed_fluxes_scheme() {
    return {"fluxes of heat and vapour that a built-in case prescribes, profiles by Monin-Obukhov similarity",
            [] { return std::make_unique<PrescribedFluxes>(); }};
}

} // namespace squall
