#include "physics/ocean_layer.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/loop.hpp"

namespace squall {
namespace {

constexpr real density = 1000, heat_capacity = 4200, air_density = 1; // [kg m-3], [J kg-1 K-1]
constexpr real stefan_boltzmann = real(5.67051e-8);
constexpr real most_cooling = 5; // of the layer since the start [K]

/// What the surface gives the layer, of heat over the water's capacity [K m s-1].
real gained_heat(const SurfaceColumns &c, int i) {
    const real t = c.skin_temperature[i];
    const real thermal = c.emissivity[i] * (c.longwave_down[i] - stefan_boltzmann * t * t * t * t);
    return (c.shortwave_net[i] + thermal - c.sensible_heat[i] - c.latent_heat[i]) / (density * heat_capacity);
}

/// Kinematic stress of the wind on the water per wind speed: the friction velocity is half the air's, for
/// what waves keep [m s-1].
real stress_over_speed(const SurfaceColumns &c, int i) {
    const real u = c.u[i], v = c.v[i], velocity = real(0.5) * c.friction_velocity[i];
    return air_density / density * velocity * velocity / std::max(std::sqrt(u * u + v * v), real(1e-10));
}

} // namespace

OceanLayer::OceanLayer(const PhysicsConfig &config)
    : first_depth_(real(config.ocean_layer_depth)), lapse_rate_(real(config.ocean_lapse_rate)),
      relaxation_time_(real(config.ocean_relaxation_time)) {}

void OceanLayer::advance(const SurfaceColumns &c) const {
    for (int i = 0; i < c.n; ++i)
        if (c.land[i] < real(0.5)) advance(c, i);
}

void OceanLayer::advance(const SurfaceColumns &c, int i) const {
    const OceanColumns &o = c.ocean;
    const real first = o.first_temperature[i], coldest = first - most_cooling, g = lapse_rate_;
    real &t = c.skin_temperature[i], &h = o.depth[i], &u = o.u_transport[i], &v = o.v_transport[i];
    const auto below = [&] { return first - g * (h - first_depth_); }; // the layer's base
    const real expansion = std::max((t - real(273.15)) * real(1e-5), real(1e-6));
    const real excess = (t - below()) * h - real(0.5) * g * h * h + gained_heat(c, i) * c.dt; // A

    const real stress = stress_over_speed(c, i);
    u += c.dt * (o.coriolis[i] * v + stress * c.u[i]);
    v += c.dt * (-o.coriolis[i] * u + stress * c.v[i]); // of the new u: neither grows nor decays
    const real squared = -excess / g + std::sqrt(excess * excess / (g * g) +
                                                 2 * (u * u + v * v) / (expansion * constants::g * g));
    h = std::max(h, std::sqrt(std::max(squared, real(0))));
    t = t >= coldest ? std::max(below() + real(0.5) * g * h + excess / h, coldest) : first;
    if (!(relaxation_time_ > 0)) return;
    const real share = c.dt / relaxation_time_;
    t -= (t - first) * share;
    h -= (h - first_depth_) * share;
    u -= u * share;
    v -= v * share;
}

void begin_ocean(const PhysicsConfig &config, Shape shape, SurfaceState &surface) {
    OceanState &o = surface.ocean;
    for_each_column({0, shape.nx, 0, shape.ny, 0, 1}, [&](int i, int j) {
        if (o.first_temperature(i, j) > 0) return;
        o.first_temperature(i, j) = surface.skin_temperature(i, j);
        o.depth(i, j) = real(config.ocean_layer_depth);
    });
}

} // namespace squall
