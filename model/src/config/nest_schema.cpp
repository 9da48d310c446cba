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
    const auto same = [](const std::string &path) { return "`" + path + "` of this nest"; };
    return {
        choice("boundary_layer", &P::boundary_layer,
               same("physics.boundary_layer") + ": one whose grid resolves the eddies has `resolved`",
               names_of(boundary_layer_schemes())),
        choice("diffusion", &P::diffusion, same("diffusion.scheme"),
               {"none", "constant", "smagorinsky-2d", "smagorinsky-3d", "tke"}),
        choice("diffusion_surfaces", &P::diffusion_surfaces, same("diffusion.surfaces"),
               {"coordinate", "physical"}),
        {"mix_full_fields",
         of_physics(&P::mix_full_fields),
         same("diffusion.mix_full_fields") + ": `true` where the parent does not",
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
        key("off_centring", &P::off_centring, same("dynamics.off_centring"), {.min = 0, .max = 1}),
    };
}

} // namespace

TableSchema nest_table() {
    using N = NestConfig;
    const auto needed = Presence::required;
    TableSchema table = {
        "nest.<name>",
        "A domain inside the outermost one or inside another nest, of any name that files can use: it begins "
        "with its parent, interpolated, takes what comes in at its sides from it, and steps within its "
        "steps. "
        "Its spacing is the parent's over the ratio. Where it lies is told by its corner or by its middle. "
        "It "
        "writes the streams of the outermost domain that are of the whole grid, with its number after their "
        "names and in those of their files (`_d02` for the first nest); a table `[output.history_d02]` says "
        "what differs from `[output.history]`. Restart frames hold all domains.",
        {
            {"parent",
             of_nest(&N::parent),
             "name of the nest that it lies in",
             {},
             {},
             "the outermost domain"},
            {"i_parent_start",
             of_nest(&N::i_parent_start),
             "cell of the parent, from west to east and from 1 as in WRF, where the nest begins; three stay "
             "outside on each side",
             {.min = 4, .max = 1e6},
             {},
             "by center_latitude and center_longitude"},
            {"j_parent_start",
             of_nest(&N::j_parent_start),
             "the same from south to north",
             {.min = 4, .max = 1e6},
             {},
             "by center_latitude and center_longitude"},
            {"center_latitude",
             of_nest(&N::center_latitude),
             "middle of the nest, north positive, in place of the two above; it begins at the nearest of the "
             "parent's cells",
             {.unit = "degrees", .min = -90, .max = 90},
             {},
             "by i_parent_start and j_parent_start"},
            {"center_longitude",
             of_nest(&N::center_longitude),
             "the same, east positive",
             {.unit = "degrees", .min = -180, .max = 360},
             {},
             "by i_parent_start and j_parent_start"},
            {"nx",
             of_nest(&N::nx),
             "cells from west to east, a multiple of the ratio",
             {.min = 10, .max = 1e6},
             needed},
            {"ny",
             of_nest(&N::ny),
             "cells from south to north, a multiple of the ratio",
             {.min = 10, .max = 1e6},
             needed},
            {"nz",
             of_nest(&N::nz),
             "layers of its own, which divide the parent's smoothly unless `eta` says where they lie, "
             "in initial_file too; the top is the parent's",
             {.min = 3, .max = 1e4},
             {},
             "the parent's, or those of eta or initial_file"},
            {"eta",
             of_nest(&N::eta),
             "interfaces of its layers, from 1 at the surface strictly down to 0 at the top, as "
             "vertical.eta; "
             "`squall prepare` gives them to initial_file",
             {.min = 0, .max = 1},
             {},
             "the parent's"},
            {"parent_grid_ratio",
             of_nest(&N::parent_grid_ratio),
             "the parent's spacing over the nest's",
             {.min = 2, .max = 100}},
            {"parent_time_step_ratio",
             of_nest(&N::parent_time_step_ratio),
             "the parent's time step over the nest's",
             {.min = 1, .max = 1000},
             {},
             "parent_grid_ratio"},
            {"interpolation",
             of_nest(&N::interpolation),
             "from the parent's points to the nest's: `monotone` makes no new extremes (Smolarkiewicz and "
             "Grell 1992), WRF's default",
             {.choices = {"monotone", "bilinear", "nearest"}}},
            {"feedback",
             of_nest(&N::feedback),
             "whether the parent takes the nest's averages, two-way nesting; `false`: the parent does not "
             "know of the nest",
             {}},
            {"smoothing",
             of_nest(&N::smoothing),
             "of the parent's fields where they are the nest's averages, after each of its steps, as WRF's "
             "smooth_option 0, 1 and 2",
             {.choices = {"none", "1-2-1", "smooth-desmooth"}}},
            {"start",
             of_nest(&N::start),
             "when the nest begins, after run.start; it then starts from its parent",
             {.unit = "s", .min = 0},
             {},
             "with the run"},
            {"end",
             of_nest(&N::end),
             "when it ends, after run.start",
             {.unit = "s", .min = 0, .above = true},
             {},
             "with the run"},
            {"cumulus",
             of_nest(&N::cumulus),
             "the cumulus scheme here: a nest that resolves clouds needs none",
             {.choices = names_of(cumulus_schemes())},
             {},
             "the parent's"},
            {"gravity_wave_drag",
             of_nest(&N::gravity_wave_drag),
             "the scheme of gravity-wave drag here: a nest that resolves the mountains needs none",
             {.choices = names_of(gravity_wave_drag_schemes())},
             {},
             "the parent's"},
            {"initial_file",
             of_nest(&N::initial_file),
             "wrfinput file of the nest, from the directory of this file, with its own terrain, ground and "
             "state; `squall prepare` makes it. A nest that begins later takes its terrain and ground from "
             "it, the state from its parent",
             {},
             {},
             "all from the parent, interpolated"},
            {"lower_file",
             of_nest(&N::lower_file),
             "wrflowinp file of a nest that stays where it is, as `boundary.lower_file`; `squall prepare` "
             "makes it beside initial_file",
             {},
             {},
             "none: the sea stays as it is where the nest begins"},
            {"aerosol_file",
             of_nest(&N::aerosol_file),
             "AOD5502D on the cells of a nest that stays where it is, as `physics.aerosol_file`",
             {},
             {},
             "the parent's aerosol"},
            {"blend_rows",
             of_nest(&N::blend_rows),
             "cells beside the specified and relaxed rows in which what is of initial_file passes into what "
             "is the "
             "parent's, WRF's blend_width",
             {.min = 0, .max = 100}},
            {"moves",
             of_nest(&N::moves),
             "the nest moves: each a time after run.start and how many of the parent's cells it then goes "
             "eastward and northward",
             {.example = "[\"10 min, 1, 0\"]"},
             {},
             "it stays"},
            {"track",
             of_nest(&N::track),
             "the nest's middle moves: each a time after run.start and where it is then, by latitude and "
             "longitude or, on a plane, by metres from the outermost domain's south-western corner; straight "
             "in between; in place of i_ and j_parent_start",
             {.example = "[\"0 h, 34 degrees, -97 degrees\"]"},
             {},
             "it stays"},
            {"follow",
             of_nest(&N::follow),
             "the nest moves after a storm: the lowest geopotential of follow_level, or the strongest "
             "updraught, as cells of the parent have it",
             {.choices = {"none", "vortex", "updraught"}}},
            {"follow_interval",
             of_nest(&N::follow_interval),
             "time between two looks for the storm, WRF's vortex_interval",
             {.unit = "s", .min = 0, .above = true}},
            {"follow_start",
             of_nest(&N::follow_start),
             "the first look, after run.start, WRF's time_to_move",
             {.unit = "s", .min = 0}},
            {"follow_speed",
             of_nest(&N::follow_speed),
             "the storm is looked for as far from the nest's middle as this takes it in follow_interval, "
             "WRF's max_vortex_speed",
             {.unit = "m/s", .min = 0, .above = true}},
            {"follow_level",
             of_nest(&N::follow_level),
             "pressure of the surface whose height a vortex is found by, WRF's track_level; 0: the pressure "
             "at sea level is taken",
             {.unit = "Pa", .min = 0}},
            {"follow_margin",
             of_nest(&N::follow_margin),
             "cells of the parent that stay between the nest and each of the parent's sides, WRF's "
             "corral_dist",
             {.min = 3, .max = 1e6}},
        }};
    for (Key &key : physics_keys()) table.keys.push_back(std::move(key));
    return table;
}

} // namespace squall
