#include "config/nest_schema.hpp"

#include <utility>

#include "physics/boundary_layer_scheme.hpp"
#include "physics/cumulus_scheme.hpp"
#include "physics/gravity_wave_drag_scheme.hpp"

namespace squall {
namespace {

/// The slot of a member of the nest that is being read.
template <class T> std::function<Slot(Config &)> of_nest(T NestConfig::*member) {
    return [=](Config &config) -> Slot { return &(config.nests.back().*member); };
}

template <class T> std::function<Slot(Config &)> of_physics(T NestPhysics::*member) {
    return [=](Config &config) -> Slot { return &(config.nests.back().physics.*member); };
}

template <class Schemes> std::vector<std::string> names_of(const Schemes &schemes) {
    std::vector<std::string> names{"none"};
    for (const auto &entry : schemes) names.push_back(entry.first);
    return names;
}

/// What it has as its parent has it, unless it says otherwise.
std::vector<Key> physics_keys() {
    using P = NestPhysics;
    const auto key = [](const char *name, double P::*member, const std::string &meaning, const Rule &rule) {
        return Key{name, of_physics(member), meaning, rule, {}, "the parent's"};
    };
    const auto choice = [](const char *name, std::string P::*member, const std::string &meaning,
                           const std::vector<std::string> &choices) {
        return Key{name, of_physics(member), meaning, {.choices = choices}, {}, "the parent's"};
    };
    const auto same = [](const std::string &path) { return "`" + path + "` for this nest"; };
    return {
        choice("boundary_layer", &P::boundary_layer,
               same("physics.boundary_layer") + "; `resolved` if its grid resolves eddies",
               names_of(boundary_layer_schemes())),
        choice("diffusion", &P::diffusion, same("diffusion.scheme"),
               {"none", "constant", "smagorinsky-2d", "smagorinsky-3d", "tke"}),
        choice("diffusion_surfaces", &P::diffusion_surfaces, same("diffusion.surfaces"),
               {"coordinate", "physical"}),
        {"mix_full_fields",
         of_physics(&P::mix_full_fields),
         same("diffusion.mix_full_fields") + "; can be `true` where the parent's is not",
         {},
         {},
         "the parent's"},
        key("radiation_interval", &P::radiation_interval, same("physics.radiation_interval"),
            {.unit = "s", .min = 0, .max = 86400}),
        key("cumulus_interval", &P::cumulus_interval, same("physics.cumulus_interval"),
            {.unit = "s", .min = 0, .max = 3600}),
        key("c_s", &P::c_s, same("diffusion.c_s"), {.min = 0, .max = 1}),
        key("c_k", &P::c_k, same("diffusion.c_k"), {.min = 0, .max = 1}),
        key("horizontal_viscosity", &P::horizontal_viscosity, same("diffusion.horizontal"),
            {.unit = "m2/s", .min = 0}),
        key("vertical_viscosity", &P::vertical_viscosity, same("diffusion.vertical"),
            {.unit = "m2/s", .min = 0}),
        choice("sixth_order", &P::sixth_order, same("diffusion.sixth_order"), {"none", "plain", "monotonic"}),
        key("sixth_order_factor", &P::sixth_order_factor, same("diffusion.sixth_order_factor"),
            {.min = 0, .max = 1, .above = true}),
        key("damping_depth", &P::damping_depth, same("damping.depth"),
            {.unit = "m", .min = 0, .above = true}),
        key("damping_coefficient", &P::damping_coefficient, same("damping.coefficient"),
            {.unit = "s-1", .min = 0}),
        key("damping_diffusion_number", &P::damping_diffusion_number, same("damping.diffusion_number"),
            {.min = 0, .max = 0.25}),
        key("off_centring", &P::off_centring, same("dynamics.off_centring"), {.min = 0, .max = 1}),
    };
}

} // namespace

TableSchema nest_table() {
    using N = NestConfig;
    const auto needed = Presence::required;
    TableSchema table = {
        "nest.<name>",
        "A domain inside the outermost domain or inside another nest, with any name that is valid in file "
        "names. It starts from the interpolated state of its parent, takes its boundary values from the "
        "parent, and steps within the parent's steps. Its grid spacing is the parent's divided by the ratio. "
        "Its position is given by its corner or by its centre. It writes those streams of the outermost "
        "domain that cover the whole grid; its number is appended to their names and file names (`_d02` for "
        "the first nest). A table `[output.history_d02]` overrides keys of `[output.history]`. Restart "
        "frames hold all domains.",
        {
            {"parent",
             of_nest(&N::parent),
             "name of the nest that contains this one",
             {},
             {},
             "the outermost domain"},
            {"i_parent_start",
             of_nest(&N::i_parent_start),
             "parent cell at which the nest begins, west to east, counted from 1 as in WRF; three parent "
             "cells stay outside on each side",
             {.min = 4, .max = 1e6},
             {},
             "by center_latitude and center_longitude"},
            {"j_parent_start",
             of_nest(&N::j_parent_start),
             "parent cell at which the nest begins, south to north, counted from 1 as in WRF",
             {.min = 4, .max = 1e6},
             {},
             "by center_latitude and center_longitude"},
            {"center_latitude",
             of_nest(&N::center_latitude),
             "latitude of the nest's centre, north positive, in place of i_ and j_parent_start; the nest "
             "begins at the nearest parent cell",
             {.unit = "degrees", .min = -90, .max = 90},
             {},
             "by i_parent_start and j_parent_start"},
            {"center_longitude",
             of_nest(&N::center_longitude),
             "longitude of the nest's centre, east positive",
             {.unit = "degrees", .min = -180, .max = 360},
             {},
             "by i_parent_start and j_parent_start"},
            {"nx",
             of_nest(&N::nx),
             "cells from west to east, a multiple of parent_grid_ratio",
             {.min = 10, .max = 1e6},
             needed},
            {"ny",
             of_nest(&N::ny),
             "cells from south to north, a multiple of parent_grid_ratio",
             {.min = 10, .max = 1e6},
             needed},
            {"nz",
             of_nest(&N::nz),
             "number of layers; they divide the parent's smoothly unless `eta` or initial_file places them; "
             "the top is the parent's",
             {.min = 3, .max = 1e4},
             {},
             "the parent's, or that of eta or initial_file"},
            {"eta",
             of_nest(&N::eta),
             "interfaces of the layers, strictly decreasing from 1 at the surface to 0 at the top, as "
             "vertical.eta; `squall prepare` uses them for initial_file",
             {.min = 0, .max = 1},
             {},
             "the parent's"},
            {"parent_grid_ratio",
             of_nest(&N::parent_grid_ratio),
             "ratio of the parent's grid spacing to the nest's",
             {.min = 2, .max = 100}},
            {"parent_time_step_ratio",
             of_nest(&N::parent_time_step_ratio),
             "ratio of the parent's time step to the nest's",
             {.min = 1, .max = 1000},
             {},
             "parent_grid_ratio"},
            {"interpolation",
             of_nest(&N::interpolation),
             "interpolation from the parent's points to the nest's: `monotone` makes no new extremes "
             "(Smolarkiewicz and Grell 1992), WRF's default",
             {.choices = {"monotone", "bilinear", "nearest"}}},
            {"feedback",
             of_nest(&N::feedback),
             "two-way nesting: the parent takes the averages of the nest; `false`: one-way, the nest does "
             "not affect the parent",
             {}},
            {"smoothing",
             of_nest(&N::smoothing),
             "smoothing of the parent's fields inside the nest, after each parent step, as WRF's "
             "smooth_option 0, 1 and 2",
             {.choices = {"none", "1-2-1", "smooth-desmooth"}}},
            {"start",
             of_nest(&N::start),
             "start of the nest, after run.start; it then starts from its parent's state",
             {.unit = "s", .min = 0},
             {},
             "the start of the run"},
            {"end",
             of_nest(&N::end),
             "end of the nest, after run.start",
             {.unit = "s", .min = 0, .above = true},
             {},
             "the end of the run"},
            {"cumulus",
             of_nest(&N::cumulus),
             "cumulus scheme of the nest; a nest that resolves convection needs none",
             {.choices = names_of(cumulus_schemes())},
             {},
             "the parent's"},
            {"gravity_wave_drag",
             of_nest(&N::gravity_wave_drag),
             "gravity-wave drag scheme of the nest; a nest that resolves the mountains needs none",
             {.choices = names_of(gravity_wave_drag_schemes())},
             {},
             "the parent's"},
            {"initial_file",
             of_nest(&N::initial_file),
             "wrfinput file of the nest, relative to the run file, with its own terrain, surface and state; "
             "`squall prepare` makes it. A nest that starts later takes terrain and surface from it, the "
             "state from its parent",
             {},
             {},
             "all of it interpolated from the parent"},
            {"lower_file",
             of_nest(&N::lower_file),
             "wrflowinp file of a nest that does not move, as `boundary.lower_file`; `squall prepare` makes "
             "it with initial_file",
             {},
             {},
             "none: the sea stays as it is at the nest's start"},
            {"aerosol_file",
             of_nest(&N::aerosol_file),
             "AOD5502D on the cells of a nest that does not move, as `physics.aerosol_file`",
             {},
             {},
             "the parent's aerosol"},
            {"blend_rows",
             of_nest(&N::blend_rows),
             "cells inside the specified and relaxation rows over which terrain and surface blend from the "
             "parent's to those of initial_file, WRF's blend_width",
             {.min = 0, .max = 100}},
            {"moves",
             of_nest(&N::moves),
             "moves of the nest: for each, the time after run.start, and the parent cells to move east and "
             "north",
             {.example = "[\"10 min, 1, 0\"]"},
             {},
             "the nest does not move"},
            {"track",
             of_nest(&N::track),
             "track of the nest's centre: for each point, the time after run.start, and latitude and "
             "longitude or, on a plane, metres from the outermost domain's south-western corner; linear in "
             "between; in place of i_ and j_parent_start",
             {.example = "[\"0 h, 34 degrees, -97 degrees\"]"},
             {},
             "the nest does not move"},
            {"follow",
             of_nest(&N::follow),
             "what the nest follows: the lowest geopotential on follow_level (vortex), or the strongest "
             "updraught, both as the parent's cells have them",
             {.choices = {"none", "vortex", "updraught"}}},
            {"follow_interval",
             of_nest(&N::follow_interval),
             "time between searches for the storm, WRF's vortex_interval",
             {.unit = "s", .min = 0, .above = true}},
            {"follow_start",
             of_nest(&N::follow_start),
             "first search, after run.start, WRF's time_to_move",
             {.unit = "s", .min = 0}},
            {"follow_speed",
             of_nest(&N::follow_speed),
             "largest speed of the storm: in follow_interval it sets the search radius around the nest's "
             "centre, WRF's max_vortex_speed",
             {.unit = "m/s", .min = 0, .above = true}},
            {"follow_level",
             of_nest(&N::follow_level),
             "pressure level on which the vortex is searched, WRF's track_level; 0: sea-level pressure is "
             "used",
             {.unit = "Pa", .min = 0}},
            {"follow_margin",
             of_nest(&N::follow_margin),
             "parent cells kept between the nest and each of the parent's sides, WRF's corral_dist",
             {.min = 3, .max = 1e6}},
        }};
    for (Key &key : physics_keys()) table.keys.push_back(std::move(key));
    return table;
}

} // namespace squall
