#include "physics/grell_freitas/air.hpp"

#include <cmath>

namespace squall::grell_freitas {
namespace {

/// Of vapour over water, below -20 degrees over ice [Pa] (Goff and Gratch 1946).
real saturation_pressure(real kelvin) {
    constexpr real triple = real(273.16), boiling = real(373.16), only_ice = real(253.155);
    if (kelvin < only_ice) {
        const real x = triple / kelvin;
        return 100 * std::pow(real(10), real(-9.09718) * (x - 1) - real(3.56654) * std::log10(x) +
                                            real(0.876793) * (1 - 1 / x) + std::log10(real(6.1071)));
    }
    const real x = boiling / kelvin;
    return 100 *
           std::pow(real(10), real(-7.90298) * (x - 1) + real(5.02808) * std::log10(x) -
                                  real(1.3816e-7) * (std::pow(real(10), real(11.344) * (1 - 1 / x)) - 1) +
                                  real(8.1328e-3) * (std::pow(real(10), real(-3.49149) * (x - 1)) - 1) +
                                  std::log10(real(1013.246)));
}

constexpr real tuning = real(1.5); // of fluxes

/// WRF divides a flux of mass by the latent heat, as if it were one of heat.
real vapour_flux(const Air &air) { return air.as_wrf ? air.vapour_flux / vaporisation : air.vapour_flux; }

} // namespace

Sounding::Sounding(int layers)
    : temperature(layers), vapour(layers), energy(layers), t(layers), q(layers), q_saturated(layers),
      h(layers), h_saturated(layers), gamma(layers), saturated_(layers), saturated_energy_(layers),
      layers_(layers) {}

void Sounding::complete(const Profile &height, const Profile &pressure) {
    for (int k = 0; k < layers_; ++k) {
        const real e = saturation_pressure(temperature[k]);
        const real saturated = real(0.622) * e / std::max(real(1e-6), pressure[k] - e);
        saturated_[k] = std::max({saturated, real(1e-16), vapour[k]});
        const real dry = gravity * height[k] + heat_capacity * temperature[k];
        saturated_energy_[k] = dry + vaporisation * saturated_[k];
        energy[k] = std::min(dry + vaporisation * vapour[k], saturated_energy_[k]);
    }
    const auto between = [](const Profile &f, int k) { return real(0.5) * (f[k - 1] + f[k]); };
    t[0] = temperature[0], q[0] = vapour[0], q_saturated[0] = saturated_[0];
    h[0] = heat_capacity * t[0] + vaporisation * q[0];
    h_saturated[0] = heat_capacity * t[0] + vaporisation * q_saturated[0];
    for (int k = 1; k < layers_; ++k) {
        t[k] = between(temperature, k), q[k] = between(vapour, k), q_saturated[k] = between(saturated_, k);
        h_saturated[k] = between(saturated_energy_, k);
        h[k] = std::min(between(energy, k), h_saturated[k]);
    }
    for (int k = 0; k < layers_; ++k)
        gamma[k] =
            vaporisation / heat_capacity * (vaporisation / (vapour_gas * t[k] * t[k])) * q_saturated[k];
}

Air::Air(int layers)
    : nz(layers), pressure(nz), height(nz), depth(nz), density(nz), mass(nz), u(nz), v(nz), rising(nz), p(nz),
      z(nz), east(nz), north(nz), now(nz), forced(nz) {}

void Air::complete() {
    height[0] = real(0.5) * depth[0];
    z[0] = 0;
    p[0] = pressure[0] + real(0.5) * gravity * density[0] * depth[0];
    east[0] = u[0], north[0] = v[0];
    for (int k = 1; k < nz; ++k) {
        height[k] = height[k - 1] + real(0.5) * (depth[k - 1] + depth[k]);
        z[k] = real(0.5) * (height[k - 1] + height[k]);
        p[k] = real(0.5) * (pressure[k - 1] + pressure[k]);
        east[k] = real(0.5) * (u[k - 1] + u[k]);
        north[k] = real(0.5) * (v[k - 1] + v[k]);
    }
    if (as_wrf)
        for (int k = 0; k + 1 < nz; ++k) mass[k] = (p[k] - p[k + 1]) / gravity;
    now.complete(height, pressure);
    forced.complete(height, pressure);
}

real speed_of_thermals(const Air &air, int layer) {
    constexpr real karman = real(0.41);
    const real buoyancy =
        (air.heat_flux / heat_capacity + real(0.608) * air.now.temperature[0] * vapour_flux(air)) /
        air.density[0];
    const real height = air.height[layer] + air.datum();
    const real cubed = tuning * karman * buoyancy * height * gravity / air.now.temperature[layer];
    return cubed > 0 ? real(1.2) * std::cbrt(cubed) : real(0);
}

Excess excess_of_parcels(const Air &air) {
    // At the height of the second layer, with the lowest one's temperature.
    const real speed = speed_of_thermals(air, 1) * air.density[0] *
                       std::cbrt(air.now.temperature[1] / air.now.temperature[0]);
    if (speed <= 0) return {};
    const real warmer = std::max(tuning * air.heat_flux / (speed * heat_capacity), real(0));
    const real moister = std::max(tuning * vapour_flux(air) / speed, real(0));
    return {vaporisation * moister + heat_capacity * warmer, moister};
}

int end_of_boundary_layer(const Air &air) {
    int k = 0;
    for (real above = air.depth[0]; k + 2 < air.nz && above < air.boundary_layer; above += air.depth[k]) ++k;
    return k;
}

int first_above(const Air &air, real height) {
    int k = 0;
    while (k + 1 < air.nz && air.z[k] <= height) ++k;
    return k;
}

} // namespace squall::grell_freitas
