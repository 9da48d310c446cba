#include "physics/slab/slab.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/constants.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

constexpr int layers = 5;
constexpr std::array<real, layers> thickness{real(0.01), real(0.02), real(0.04), real(0.08), real(0.16)};
constexpr real diffusivity = real(5e-7);              // of heat in soil [m2 s-1]
constexpr real capacity_per_inertia = real(5.9114e7); // cal cm-2 K-1 s-1/2 to J m-3 K-1 at this diffusivity
constexpr real stefan_boltzmann = real(5.67051e-8);
constexpr real latent_heat = real(2.5e6);
constexpr real melting = real(273.16);

/// Between the middles of layers k and k + 1 [m].
constexpr real distance(int k) { return (thickness[k] + thickness[k + 1]) / 2; }

/// So many that a step of the first layer is a fifth of what is stable without surface fluxes.
int substeps(real dt) {
    return 1 + static_cast<int>(real(1.25) * 4 * diffusivity / thickness[0] * dt / thickness[0]);
}

/// Upward, of a ground of this temperature.
struct Fluxes {
    real heat, vapour;
    real energy() const { return heat + latent_heat * vapour; }
};

Fluxes fluxes(const SurfaceColumns &c, int i, real theta_air, real per_theta, real ground) {
    const real saturated = saturation_over_water(ground, c.surface_pressure[i]);
    return {c.heat_exchange[i] * (ground * per_theta - theta_air),
            c.vapour_exchange[i] * (saturated - c.vapour[i])};
}

/// One column of soil: conducts heat for a substep; the change of the first layer [K].
real conduct(Columns soil, int i, real into_ground, real capacity, real dt) {
    real above = into_ground, first = 0;
    for (int k = 0; k + 1 < layers; ++k) {
        const real below = diffusivity * capacity * (soil(i, k) - soil(i, k + 1)) / distance(k);
        const real change = (above - below) / (thickness[k] * capacity) * dt;
        soil(i, k) += change;
        if (k == 0) first = change;
        above = below;
    }
    return first;
}

void advance_column(const SurfaceColumns &c, int i, int steps) {
    const real dt = c.dt / static_cast<real>(steps);
    const real theta_air = c.temperature[i] * std::pow(constants::p0 / c.pressure[i], constants::kappa);
    const real per_theta = std::pow(constants::p0 / c.surface_pressure[i], constants::kappa);
    const real capacity = capacity_per_inertia * c.thermal_inertia[i];
    const real ground = c.skin_temperature[i];
    const real emission = c.radiates ? stefan_boltzmann * ground * ground * ground * ground : real(0);
    const real radiation = c.shortwave_net[i] + c.emissivity[i] * (c.longwave_down[i] - emission);
    const bool snow = c.snow_cover[i] > 0;
    Fluxes sum{0, 0};
    real change = 0;
    for (int step = 0; step < steps; ++step) {
        const Fluxes up = fluxes(c, i, theta_air, per_theta, step == 0 ? ground : c.soil_temperature(i, 0));
        sum = {sum.heat + up.heat, sum.vapour + up.vapour};
        change += conduct(c.soil_temperature, i, radiation - up.energy(), capacity, dt);
        if (snow) c.soil_temperature(i, 0) = std::min(c.soil_temperature(i, 0), melting);
    }
    c.sensible_heat[i] = sum.heat / static_cast<real>(steps);
    c.vapour_flux[i] = sum.vapour / static_cast<real>(steps);
    c.skin_temperature[i] = snow ? std::min(ground + change, melting) : ground + change;
}

class Slab final : public LandScheme {
  public:
    void advance(const SurfaceColumns &c) override {
        const int steps = substeps(c.dt);
        for (int i = 0; i < c.n; ++i)
            if (c.land[i] > real(0.5)) {
                advance_column(c, i, steps);
                c.latent_heat[i] = latent_heat * c.vapour_flux[i];
                c.surface_vapour[i] = c.vapour_exchange[i] != 0
                                          ? c.vapour[i] + c.vapour_flux[i] / c.vapour_exchange[i]
                                          : c.vapour[i];
            }
    }
};

} // namespace

LandEntry slab_scheme() {
    return {"five layers of soil that conduct heat, Dudhia (1996)", {thickness.begin(), thickness.end()}, [] {
                return std::make_unique<Slab>();
            }};
}

} // namespace squall
