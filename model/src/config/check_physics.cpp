/// Physics schemes: which of them need which others.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "physics/boundary_layer_scheme.hpp"
#include "physics/radiation/tables.hpp"

namespace squall {
namespace {

void check_radiation(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    const Place place = r.place("physics.radiation");
    const bool on = physics.radiation != "none";
    if (on && !r.has("initial.file"))
        r.problems.add(place, fmt::format("physics.radiation = \"{}\" needs initial.file, for latitudes and "
                                          "what the ground is like",
                                          physics.radiation));
    try {
        using namespace radiation;
        const bool fine = physics.radiation == "rrtmgp-fine";
        if (on) Tables::files(physics.radiation_tables, fine ? Resolution::fine : Resolution::coarse);
    } catch (const std::runtime_error &error) {
        r.problems.add(place, error.what());
    }
    for (const std::string path : {"physics.radiation_interval", "physics.radiation_tables"})
        if (r.has(path) && !on)
            r.problems.add(r.place(path), path + " has no effect without physics.radiation = \"rrtmgp\"");
}

/// What a surface layer lies between: it needs vapour below and a boundary layer above that takes its fluxes.
void check_surface_layer(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    const auto refuse = [&](const char *key, const std::string &message) {
        r.problems.add(r.place(std::string("physics.") + key), message);
    };
    const bool on = physics.surface_layer != "none", mixed = physics.boundary_layer != "none";
    const bool wanted = mixed && boundary_layer_scheme(physics.boundary_layer).on_surface_layer;
    if (wanted && !on)
        refuse("boundary_layer",
               fmt::format("physics.boundary_layer = \"{}\" mixes what a surface layer lets through; set "
                           "physics.surface_layer = \"revised-mm5\"",
                           physics.boundary_layer));
    if (on && !wanted)
        refuse("surface_layer",
               fmt::format(
                   "physics.surface_layer = \"{}\" has no effect with physics.boundary_layer = \"{}\"{}; "
                   "set boundary_layer = \"ysu\"",
                   physics.surface_layer, physics.boundary_layer,
                   mixed ? ", which has fluxes of its own" : ""));
    if (on && physics.microphysics == "none")
        refuse("surface_layer",
               fmt::format("physics.surface_layer = \"{}\" needs water vapour; set physics.microphysics, to "
                           "\"vapour\" where there is to be no cloud",
                           physics.surface_layer));
    if (physics.land == "none") return;
    if (!on)
        refuse("land", fmt::format("physics.land = \"{}\" needs a surface layer's fluxes; set "
                                   "physics.surface_layer = \"revised-mm5\" and boundary_layer = \"ysu\"",
                                   physics.land));
    if (physics.radiation == "none")
        refuse("land", fmt::format("physics.land = \"{}\" needs the radiation that reaches the ground; set "
                                   "physics.radiation = \"rrtmgp\"",
                                   physics.land));
    if (!r.has("initial.file"))
        refuse("land", fmt::format("physics.land = \"{}\" has no effect: built-in cases lie over water",
                                   physics.land));
}

void check_cumulus(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    const bool on = physics.cumulus != "none" || std::ranges::any_of(r.config.nests, [](const NestConfig &n) {
                        return !n.cumulus.empty() && n.cumulus != "none";
                    });
    if (on && (physics.microphysics == "none" || physics.microphysics == "vapour"))
        r.problems.add(
            r.place("physics.cumulus"),
            fmt::format("physics.cumulus = \"{}\" leaves cloud water; set physics.microphysics, such as "
                        "\"wsm6\"",
                        physics.cumulus));
    if (!on && r.has("physics.cumulus_interval"))
        r.problems.add(r.place("physics.cumulus_interval"),
                       "physics.cumulus_interval has no effect without physics.cumulus = \"kain-fritsch\"");
}

void check_boundary_layer(Reading &r) {
    const bool on = r.config.physics.boundary_layer != "none";
    if (on && !r.has("initial.file") && !r.has("physics.surface_temperature"))
        r.problems.add(
            r.place("physics.boundary_layer"),
            fmt::format("physics.boundary_layer = \"{}\" needs physics.surface_temperature, such as "
                        "surface_temperature = \"302 K\"",
                        r.config.physics.boundary_layer));
    const bool radiates = r.config.physics.radiation != "none";
    for (const std::string path : {"physics.surface_temperature", "physics.land_wetness"})
        if (r.has(path) && !on && !(radiates && path == "physics.surface_temperature"))
            r.problems.add(r.place(path), path + " has no effect without physics.boundary_layer = \"bulk\"");
    if (r.config.physics.surface_layer != "none" && r.has("physics.land_wetness"))
        r.problems.add(
            r.place("physics.land_wetness"),
            "physics.land_wetness has no effect with physics.surface_layer: wetness follows from land use");
    else if (on && r.has("physics.land_wetness") && !r.has("initial.file"))
        r.problems.add(r.place("physics.land_wetness"),
                       "physics.land_wetness has no effect: built-in cases lie over water");
}

} // namespace

void check_physics(Reading &r) {
    check_surface_layer(r);
    check_boundary_layer(r);
    check_cumulus(r);
    check_radiation(r);
}

} // namespace squall
