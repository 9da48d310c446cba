#include "physics/prescribed_surface.hpp"

namespace squall {
namespace {

constexpr double latent_heat = 2.5e6; // [J kg-1]

} // namespace

void prescribe_surface(const LargeScaleForcing &forcing, double seconds, Ground &ground,
                       SurfaceState &surface) {
    const SurfaceSeries &series = forcing.surface;
    const bool told = surface.skin_temperature.bytes() > 0;
    if (forcing.surface_warming != 0 || !series.temperature.empty()) {
        const auto skin = static_cast<real>(
            series.temperature.empty() ? forcing.surface_temperature + forcing.surface_warming * seconds
                                       : series.at(series.temperature, seconds));
        ground.temperature.fill(skin);
        if (told) surface.skin_temperature.fill(skin);
    }
    if (!told) return;
    if (!series.sensible_heat.empty()) {
        surface.sensible_heat.fill(static_cast<real>(series.at(series.sensible_heat, seconds)));
        surface.vapour_flux.fill(static_cast<real>(series.at(series.latent_heat, seconds) / latent_heat));
    }
    if (forcing.friction_velocity > 0)
        surface.friction_velocity.fill(static_cast<real>(forcing.friction_velocity));
}

} // namespace squall
