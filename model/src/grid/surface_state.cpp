#include "grid/surface_state.hpp"

#include "config/config.hpp"
#include "physics/land_scheme.hpp"

namespace squall {

SurfaceState surface_state_of(const Config &config, Shape shape) {
    if (config.physics.surface_layer == "none") return {};
    const std::string &land = config.physics.land;
    if (land == "none") return {shape, 0};
    const LandEntry &scheme = land_scheme(land);
    return {shape, static_cast<int>(scheme.thickness.size()), scheme.water};
}

} // namespace squall
