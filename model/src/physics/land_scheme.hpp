/// What a land scheme is: a function of the ground under a batch of columns, known by its name.
/// Adding one is a folder beside this file and a line in schemes.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "physics/surface_columns.hpp"

namespace squall {

/// One object per thread, as MicrophysicsScheme. Called after the surface layer.
class LandScheme {
  public:
    virtual ~LandScheme() = default;

    /// Advances the ground of land by dt: skin and soil temperature, and the fluxes that went with that,
    /// latent_heat too. Leaves water alone. Allocates nothing.
    virtual void advance(const SurfaceColumns &columns) = 0;
};

struct LandEntry {
    std::string title;             ///< one line, with its source
    std::vector<double> thickness; ///< of its soil layers, from the surface down [m]
    std::function<std::unique_ptr<LandScheme>()> make;
    bool water = false;  ///< it keeps account of soil moisture and snow: it wants SurfaceColumns::land_water
    bool canopy = false; ///< it has leaves, and snow in layers, of their own: it wants SurfaceColumns::canopy
};

/// All schemes, by the name that physics.land takes.
const std::map<std::string, LandEntry> &land_schemes();

/// One of them. Throws std::runtime_error if there is none of this name.
const LandEntry &land_scheme(const std::string &name);

} // namespace squall
