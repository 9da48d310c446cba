#include "columns/boundary_layer.hpp"

#include <algorithm>
#include <cmath>

namespace squall::transport {
namespace {

constexpr double karman = 0.4;
/// Of the boundary layer's height, the surface layer.
constexpr double surface_layer = 0.1;
/// The paper's a, of the flux whatever the gradient is.
constexpr double nonlocal = 7.2;

/// Inverse of Obukhov's length [m-1].
double stability(const GroundFluxes &g) {
    const double u = g.friction_velocity;
    return -karman * gravity / g.temperature * g.heat / (u * u * u);
}

/// Velocity of the eddies over stable ground: u / phi, their equations for z / L to 1 and above.
double stable_velocity(const GroundFluxes &g, double height) {
    const double x = height * stability(g);
    return g.friction_velocity / (x <= 1 ? 1 + 5 * x : 5 + x);
}

/// w*: of thermals.
double free_velocity(const GroundFluxes &g) { return std::cbrt(gravity / g.temperature * g.heat * g.height); }

/// phi_m where the surface layer ends; w_m = (u^3 + 0.6 w*^3)^(1/3) = u / phi_m.
double momentum_gradient(const GroundFluxes &g) {
    return 1 / std::cbrt(1 - 15 * surface_layer * g.height * stability(g));
}

/// Over unstable ground: u / phi_h within the surface layer, and above it w_m / Pr with
/// Pr = phi_h / phi_m + 7.2 k 0.1 w* / w_m where that ends.
double unstable_velocity(const GroundFluxes &g, double height) {
    const double u = g.friction_velocity, top = surface_layer * g.height;
    const double phi_h = 1 / std::sqrt(1 - 15 * std::min(height, top) * stability(g));
    if (height <= top) return u / phi_h;
    const double phi_m = momentum_gradient(g), w_m = u / phi_m;
    const double prandtl = phi_h / phi_m + nonlocal * karman * surface_layer * free_velocity(g) / w_m;
    return w_m / prandtl;
}

/// Of air at interface k.
double density_at(const ColumnAir &air, int i, int k) {
    const double warmth = 0.5 * (air.warmth(i, k - 1) + air.warmth(i, k));
    return air.pressure(i, k) / (test_gas_constant * warmth);
}

} // namespace

double diffusivity(const GroundFluxes &g, double height) {
    if (!(height > 0 && height < g.height)) return 0;
    const double velocity = g.heat > 0 ? unstable_velocity(g, height) : stable_velocity(g, height);
    const double above = 1 - height / g.height;
    return karman * velocity * height * above * above;
}

double counter_gradient(const GroundFluxes &g, double height) {
    if (!(g.heat > 0 && height > surface_layer * g.height && height < g.height)) return 0;
    const double w_m = g.friction_velocity / momentum_gradient(g);
    return nonlocal * free_velocity(g) / (w_m * w_m * g.height);
}

GroundFluxes ground_fluxes(const ColumnAir &air, const Weather &weather, int i, int j) {
    const auto c = weather.column(i, j);
    const double density = air.density(i, 0), temperature = air.temperature(i, 0);
    const double heat = weather.sensible_heat[c] / (density * heat_capacity) +
                        0.608 * temperature * weather.latent_heat[c] / (density * heat_of_evaporation);
    // some wind there always is; without any, Obukhov's length would be 0
    return {weather.boundary_layer[c], std::max(weather.friction_velocity[c], 0.01), heat, air.warmth(i, 0)};
}

BoundaryLayer::BoundaryLayer(const ColumnAir &air, const Weather &weather, int j, bool counter)
    : interfaces_(air.nz() + 1), fluxes_(at(air.nx(), 0)), shares_(counter ? fluxes_.size() : 0),
      tops_(static_cast<std::size_t>(air.nx()), 1), counter_depths_(tops_.size(), 0) {
    for (int i = 0; i < air.nx(); ++i) {
        const auto column = static_cast<std::size_t>(i);
        const GroundFluxes ground = ground_fluxes(air, weather, i, j);
        for (int k = 1; k < air.nz() && air.height(i, k) < ground.height; ++k) {
            const double density = density_at(air, i, k), mixing = diffusivity(ground, air.height(i, k));
            fluxes_[at(i, k)] = density * mixing / (air.middle(i, k) - air.middle(i, k - 1));
            tops_[column] = k + 1;
            const double gamma = counter ? counter_gradient(ground, air.height(i, k)) : 0;
            if (gamma == 0) continue;
            // (w'c')_0 is the mass from the ground over the density there
            shares_[at(i, k)] = density / air.density(i, 0) * mixing * gamma;
            counter_depths_[column] = k + 1;
        }
    }
}

void BoundaryLayer::mix(Exchange &exchange) const {
    const int i = exchange.column();
    for (int k = 1; k < tops_[static_cast<std::size_t>(i)]; ++k) {
        exchange.pass(k - 1, k, fluxes_[at(i, k)]);
        exchange.pass(k, k - 1, fluxes_[at(i, k)]);
    }
}

} // namespace squall::transport
