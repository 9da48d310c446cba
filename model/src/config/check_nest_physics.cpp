/// What a nest says of its own physics and mixing: that the scheme is on there that it belongs to.
#include <algorithm>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "physics/boundary_layer_scheme.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

void check_scheme_of_key(Reading &r, const Config &nest) {
    const std::string table = "nest." + nest.identity.name;
    const auto belongs = [&](const char *key, bool on, const char *scheme) {
        const std::string path = fmt::format("{}.{}", table, key);
        if (r.has(path) && !on)
            r.problems.add(r.place(path),
                           fmt::format("{} has no effect without {}; leave it out", path, scheme));
    };
    const std::string &mixing = nest.diffusion.scheme;
    belongs("radiation_interval", nest.physics.radiation != "none", "physics.radiation");
    belongs("cumulus_interval", nest.physics.cumulus != "none", "a cumulus scheme in the nest");
    belongs("c_s", mixing.starts_with("smagorinsky"), "diffusion.scheme = \"smagorinsky-2d\" or \"-3d\"");
    belongs("c_k", mixing == "tke", "diffusion.scheme = \"tke\"");
    belongs("horizontal_viscosity", mixing == "constant", "diffusion.scheme = \"constant\"");
    const bool on_coordinates = nest.diffusion.surfaces == "coordinate" && mixing != "none";
    belongs("vertical_viscosity", mixing == "constant" || on_coordinates,
            "diffusion.scheme = \"constant\", or another on coordinate surfaces");
    belongs("diffusion_surfaces", mixing != "none", "a scheme of diffusion in the nest");
    belongs("mix_full_fields", mixing != "none", "a scheme of diffusion in the nest");
    belongs("sixth_order_factor", nest.diffusion.sixth_order != "none",
            "sixth_order = \"monotonic\" or \"plain\"");
    belongs("damping_depth", nest.damping.scheme != "none", "damping.scheme");
    const bool mixes = nest.damping.scheme == "diffusion";
    belongs("damping_coefficient", nest.damping.scheme != "none" && !mixes,
            "damping.scheme = \"rayleigh\" or \"implicit-w\"");
    belongs("damping_diffusion_number", mixes, "damping.scheme = \"diffusion\"");
}

/// The surface is the parent's, and so is whether it has a layer of its own: as of [physics].
void check_boundary_layer(Reading &r, const Config &nest) {
    const std::string path = "nest." + nest.identity.name + ".boundary_layer",
                      &surface = nest.physics.surface_layer, &own = nest.physics.boundary_layer;
    if (!r.has(path)) return;
    const bool layered = own != "none" && boundary_layer_scheme(own).on_surface_layer;
    if (layered && surface == "none")
        r.problems.add(r.place(path),
                       fmt::format("{} = \"{}\" needs the fluxes of a surface layer; set "
                                   "physics.surface_layer, which applies to all domains, to \"revised-mm5\"",
                                   path, own));
    if (!layered && surface != "none")
        r.problems.add(r.place(path),
                       fmt::format("{} = \"{}\" does not use physics.surface_layer = \"{}\", which applies "
                                   "to all domains; use \"resolved\" for a nest that resolves eddies",
                                   path, own, surface));
    if (own == "bulk" && r.config.physics.boundary_layer == "none")
        r.problems.add(r.place(path), fmt::format("{} = \"bulk\" needs physics.boundary_layer = \"bulk\": "
                                                  "the nest takes its surface from the parent",
                                                  path));
}

/// As of [physics] and [diffusion]: what mixes upwards twice, and what does on coordinate surfaces.
void check_mixing(Reading &r, const Config &nest) {
    const std::string table = "nest." + nest.identity.name;
    const auto say = [&](const char *key, const std::string &what) {
        const std::string path = table + "." + key;
        r.problems.add(r.place(r.has(path) ? path : table), what);
    };
    const std::string &scheme = nest.diffusion.scheme, &layer = nest.physics.boundary_layer;
    const bool own = r.has(table + ".boundary_layer") || r.has(table + ".diffusion") ||
                     r.has(table + ".diffusion_surfaces") || r.has(table + ".vertical_viscosity");
    if (!own) return; // all as the parent, of which it is said
    const bool mixed =
        layer != "none" && layer != "resolved" && boundary_layer_scheme(layer).on_surface_layer;
    if (mixed && nest.diffusion.vertical > 0)
        say("vertical_viscosity",
            fmt::format("{}: a vertical viscosity of {} m2 s-1 mixes vertically, as boundary_layer = \"{}\" "
                        "already does; set vertical_viscosity = 0",
                        table, nest.diffusion.vertical, layer));
    if (scheme == "smagorinsky-3d" && nest.diffusion.surfaces != "physical")
        say("diffusion",
            fmt::format("{}: diffusion = \"{}\" needs diffusion_surfaces = \"physical\"", table, scheme));
    if (scheme == "constant" && nest.diffusion.horizontal == 0 && nest.diffusion.vertical == 0)
        say("diffusion",
            fmt::format("{}: diffusion = \"constant\" needs horizontal_viscosity, vertical_viscosity or "
                        "both",
                        table));
    if (r.has(table + ".mix_full_fields") && r.config.diffusion.mix_full_fields)
        say("mix_full_fields", table + ".mix_full_fields has no effect: all domains mix full fields");
}

/// A nest without a file has the mountains within its parent's cells.
void check_gravity_wave_drag(Reading &r, const Config &nest, const Config &parent) {
    const std::string path = "nest." + nest.identity.name + ".gravity_wave_drag";
    if (nest.physics.gravity_wave_drag == "none" || parent.physics.gravity_wave_drag != "none" ||
        !nest.initial.file.empty())
        return;
    r.problems.add(r.place(path),
                   fmt::format("{} = \"{}\" needs the nest's own initial_file, or the scheme in its parent "
                               "too: without either, the nest has no subgrid orography",
                               path, nest.physics.gravity_wave_drag));
}

void check_damping_depth(Reading &r, const Config &nest) {
    const std::string path = "nest." + nest.identity.name + ".damping_depth";
    if (const double top = nest.vertical.top; r.has(path) && top > 0 && nest.damping.depth >= top)
        r.problems.add(r.place(path), fmt::format("{} = {} m reaches the ground; vertical.top is {} m", path,
                                                  nest.damping.depth, top));
}

} // namespace

void check_nest_physics(Reading &r) {
    const std::vector<Config> domains = with_nests(r.config);
    for (const Config &domain : domains) {
        if (domain.identity.id == 1) continue;
        check_scheme_of_key(r, domain);
        check_boundary_layer(r, domain);
        check_mixing(r, domain);
        const auto parent = std::ranges::find(domains, domain.identity.parent_id,
                                              [](const Config &c) { return c.identity.id; });
        if (parent != domains.end()) check_gravity_wave_drag(r, domain, *parent);
        check_damping_depth(r, domain);
    }
}

} // namespace squall
