/// What a surface layer scheme is: a function of the air next to the surface, known by its name.
/// Adding one is a folder beside this file and a line in schemes.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "physics/surface_columns.hpp"

namespace squall {

/// One object per thread, as MicrophysicsScheme.
class SurfaceLayerScheme {
  public:
    virtual ~SurfaceLayerScheme() = default;

    /// Sets the fluxes, what the surface layer finds for others, the wind at 10 m, and what it carries:
    /// friction velocity, temperature scale, the roughness of water, the vapour at the surface of water.
    /// Allocates nothing.
    virtual void exchange(const SurfaceColumns &columns) = 0;
};

struct SurfaceLayerEntry {
    std::string title; ///< one line, with its source
    std::function<std::unique_ptr<SurfaceLayerScheme>()> make;
    bool sublayer = false; ///< it carries conductances and a sublayer over water: SurfaceColumns::sublayer
};

/// All schemes, by the name that physics.surface_layer takes.
const std::map<std::string, SurfaceLayerEntry> &surface_layer_schemes();

/// One of them. Throws std::runtime_error if there is none of this name.
const SurfaceLayerEntry &surface_layer_scheme(const std::string &name);

/// Temperature and vapour 2 m above the ground, of the fluxes that surface layer and land agreed on, but
/// where land has found them itself.
void set_2m_values(const SurfaceColumns &columns);

} // namespace squall
