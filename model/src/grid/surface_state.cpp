#include "grid/surface_state.hpp"

#include "config/config.hpp"
#include "physics/land_scheme.hpp"

namespace squall {

SurfaceState surface_state_of(const Config &config, Shape shape) {
    if (config.physics.surface_layer == "none") return {};
    const std::string &land = config.physics.land;
    const auto layers = land == "none" ? 0 : land_scheme(land).thickness.size();
    return {shape, static_cast<int>(layers)};
}

} // namespace squall
