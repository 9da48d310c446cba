/// Physics schemes: which of them need which others.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "initial/initial.hpp"
#include "physics/boundary_layer_scheme.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/radiation/carried_aerosol.hpp"
#include "physics/radiation/scheme.hpp"

namespace squall {
namespace {

/// Refuses the scheme of `key`, where the run file names it, or its suite.
void refuse(Reading &r, const std::string &key, const std::string &message) {
    const std::string path = "physics." + key, &suite = r.config.physics.suite;
    const bool of_suite = !r.has(path) && suite != "none";
    r.problems.add(
        r.place(of_suite ? "physics.suite" : path),
        of_suite
            ? fmt::format("{} ({} comes from physics.suite = \"{}\"; a scheme that you set takes precedence)",
                          message, key, suite)
            : message);
}

/// Of aerosol that the air carries: as check_aerosol.
void check_carried_aerosol(Reading &r, bool on, bool seen) {
    const PhysicsConfig &physics = r.config.physics;
    const std::string type = "physics.aerosol_type";
    const auto say = [&](const std::string &path, const std::string &what) {
        r.problems.add(r.place(path), path + what);
    };
    if (!on || !seen) say(type, " = \"carried\" needs physics.radiation = \"rrtmgp\"");
    if (!carries_aerosol(physics))
        say(type,
            fmt::format(" = \"carried\" needs physics.microphysics = \"thompson-aerosol\": \"{}\" carries "
                        "no aerosol",
                        physics.microphysics));
    for (const char *key : {"physics.aerosol_optical_depth", "physics.aerosol_file"})
        if (r.has(key)) say(key, " and physics.aerosol_type = \"carried\" exclude each other; leave one out");
}

/// `on`: there is radiation; `seen`: whose sunlight is scattered by aerosol of its own.
void check_aerosol(Reading &r, bool on, bool seen) {
    PhysicsConfig &physics = r.config.physics;
    const auto refuse_key = [&](const std::string &path, const std::string &why) {
        if (r.has(path)) r.problems.add(r.place(path), path + why);
    };
    const std::string depth = "physics.aerosol_optical_depth", file = "physics.aerosol_file";
    for (const std::string &key : {depth, file}) {
        if (!on) refuse_key(key, " has no effect without physics.radiation = \"rrtmgp\"");
        if (on && !seen)
            refuse_key(key, fmt::format(" needs physics.radiation = \"rrtmgp\": \"{}\" already accounts for "
                                        "aerosol in its scattering",
                                        physics.radiation));
    }
    if (r.has(depth))
        refuse_key(file, " and physics.aerosol_optical_depth exclude each other; leave one out");
    if (!r.has("initial.file"))
        refuse_key(
            file,
            " is given on the cells of initial.file, which is not set; set physics.aerosol_optical_depth");
    if (r.has(file)) take_file(r, file, physics.aerosol_file);
    const std::string type = "physics.aerosol_type",
                      of_type[] = {"physics.aerosol_angstrom_exponent",
                                   "physics.aerosol_single_scattering_albedo", "physics.aerosol_asymmetry"};
    const bool in_nests = std::ranges::any_of(
        r.config.nests, [](const NestConfig &nest) { return !nest.aerosol_file.empty(); });
    if (physics.aerosol_type == radiation::carried_aerosol)
        check_carried_aerosol(r, on, seen);
    else if (!physics.has_aerosol() && !in_nests) {
        const std::string why = " has no effect without physics.aerosol_optical_depth or aerosol_file";
        refuse_key(type, why);
        for (const std::string &key : of_type) refuse_key(key, why);
    } else if (std::ranges::all_of(of_type, [&](const std::string &key) { return r.has(key); }))
        refuse_key(type, " has no effect with aerosol_angstrom_exponent, aerosol_single_scattering_albedo "
                         "and aerosol_asymmetry, which replace all of it; leave it out");
}

/// What of them radiation does not see.
void check_clouds(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    const auto say = [&](const std::string &path, const std::string &what) {
        r.problems.add(r.place(path), path + what);
    };
    if (!physics.cloud_radiation && physics.radiation == "stratocumulus")
        say("physics.cloud_radiation",
            " = false leaves nothing of physics.radiation = \"stratocumulus\", which is "
            "of cloud alone; set radiation = \"none\"");
    if (!physics.longwave_ice && physics.radiation != "rrtmgp-dudhia")
        say("physics.longwave_ice",
            fmt::format(
                " = false is for the grey clouds of physics.radiation = \"rrtmgp-dudhia\"; \"{}\" has none: "
                "leave it out",
                physics.radiation));
    if (physics.newtonian_cooling && physics.radiation != "none")
        say("physics.newtonian_cooling",
            fmt::format(
                " = true stands for radiation, which physics.radiation = \"{}\" computes; leave one of "
                "the two out",
                physics.radiation));
}

void check_radiation(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    const bool on = physics.radiation != "none";
    if (on && !r.has("initial.file") && !has_parameter(r.config, "latitude"))
        refuse(r, "radiation",
               fmt::format("physics.radiation = \"{}\" needs initial.file, for latitudes and surface "
                           "properties, or a built-in case with a latitude, such as \"radiative-convective\"",
                           physics.radiation));
    const auto scheme = radiation::schemes().find(physics.radiation);
    const bool known = on && scheme != radiation::schemes().end();
    const bool tables = known && scheme->second.has_tables;
    try {
        if (tables) scheme->second.check(physics.radiation_tables);
    } catch (const std::runtime_error &error) {
        refuse(r, "radiation", error.what());
    }
    const auto useless = [&](const std::string &path, bool has_effect) {
        if (r.has(path) && !has_effect)
            r.problems.add(r.place(path), path + " has no effect without physics.radiation = \"rrtmgp\"");
    };
    useless("physics.radiation_interval", on);
    useless("physics.radiation_tables", tables);
    check_aerosol(r, on, known && scheme->second.sees_aerosol);
    for (const char *key :
         {"physics.slope_radiation", "physics.topographic_shading", "physics.cloud_radiation"})
        useless(key, on);
    check_clouds(r);
    if (r.has("physics.shadow_length") && !physics.topographic_shading)
        r.problems.add(r.place("physics.shadow_length"),
                       "physics.shadow_length has no effect without physics.topographic_shading = true");
    useless("physics.insolation", on);
    useless("physics.ozone", on);
    if (r.has("physics.insolation") != r.has("physics.zenith_angle"))
        r.problems.add(
            r.place("physics.insolation"),
            "physics.insolation and physics.zenith_angle describe one constant sun: set both or neither");
}

/// MM5's surface layers alone do without, as in WRF.
void check_heat_fluxes(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    if (physics.heat_fluxes) return;
    const std::string path = "physics.heat_fluxes";
    if (physics.surface_layer != "mm5" && !physics.surface_layer.starts_with("revised-mm5"))
        r.problems.add(
            r.place(path),
            fmt::format("{} = false needs physics.surface_layer = \"revised-mm5\" or \"mm5\", not \"{}\"",
                        path, physics.surface_layer));
    if (physics.land != "none")
        r.problems.add(
            r.place(path),
            fmt::format("{} = false leaves physics.land = \"{}\" nothing to do; set land = \"none\"", path,
                        physics.land));
}

/// What a surface layer lies between: it needs vapour below and a boundary layer above that takes its fluxes.
void check_surface_layer(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    const bool on = physics.surface_layer != "none", mixed = physics.boundary_layer != "none";
    const bool wanted = mixed && boundary_layer_scheme(physics.boundary_layer).on_surface_layer;
    if (wanted && !on)
        refuse(r, "boundary_layer",
               fmt::format("physics.boundary_layer = \"{}\" needs the fluxes of a surface layer; set "
                           "physics.surface_layer = \"{}\"",
                           physics.boundary_layer, physics.boundary_layer == "myj" ? "eta" : "revised-mm5"));
    if (on && !wanted)
        refuse(r, "surface_layer",
               fmt::format(
                   "physics.surface_layer = \"{}\" has no effect with physics.boundary_layer = \"{}\"{}; "
                   "set boundary_layer = \"ysu\", or surface_layer = \"none\"",
                   physics.surface_layer, physics.boundary_layer,
                   mixed ? ", which computes its own fluxes" : ""));
    if (on && physics.microphysics == "none")
        refuse(r, "surface_layer",
               fmt::format("physics.surface_layer = \"{}\" needs water vapour; set physics.microphysics, to "
                           "\"vapour\" for a run without cloud",
                           physics.surface_layer));
    if (physics.surface_layer == "prescribed-fluxes" && !has_parameter(r.config, "sensible_heat"))
        refuse(r, "surface_layer",
               "physics.surface_layer = \"prescribed-fluxes\" needs a built-in case that prescribes fluxes, "
               "such as initial.case = \"column\"");
    check_heat_fluxes(r);
    if (physics.land == "none") return;
    if (!on)
        refuse(r, "land",
               fmt::format(
                   "physics.land = \"{}\" needs the fluxes of a surface layer; set physics.surface_layer = "
                   "\"revised-mm5\" and boundary_layer = \"ysu\", or land = \"none\"",
                   physics.land));
    if (physics.radiation == "none" && physics.land != "slab")
        refuse(r, "land",
               fmt::format("physics.land = \"{}\" needs the radiation at the ground; set physics.radiation = "
                           "\"rrtmgp\" or \"broadband\", or land = \"slab\" or \"none\"",
                           physics.land));
    if (!r.has("initial.file"))
        refuse(
            r, "land",
            fmt::format("physics.land = \"{}\" has no effect: built-in cases lie over water", physics.land));
}

/// The land scheme advances the ice of a cell beside its water.
void check_sea_ice(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    if (!physics.fractional_sea_ice) return;
    const std::string key = "physics.fractional_sea_ice";
    if (!r.has("initial.file"))
        r.problems.add(r.place(key), key + " needs initial.file: the sea of a built-in case has no ice");
    if (physics.land != "noah" && physics.land != "noah-mp")
        r.problems.add(
            r.place(key),
            fmt::format("{} needs physics.land = \"noah\" or \"noah-mp\", which advance the ice of a "
                        "cell beside its water; physics.land is \"{}\"",
                        key, physics.land));
    if (physics.surface_layer == "prescribed-fluxes")
        refuse(r, "surface_layer",
               "physics.surface_layer = \"prescribed-fluxes\" has no fluxes of ice and of water, which "
               "physics.fractional_sea_ice mixes; set surface_layer = \"revised-mm5\"");
}

void check_cumulus(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    const bool on = physics.cumulus != "none" || std::ranges::any_of(r.config.nests, [](const NestConfig &n) {
                        return !n.cumulus.empty() && n.cumulus != "none";
                    });
    if (on && (physics.microphysics == "none" || physics.microphysics == "vapour"))
        refuse(
            r, "cumulus",
            fmt::format(
                "physics.cumulus = \"{}\" detrains cloud water; set physics.microphysics, such as \"wsm6\"",
                physics.cumulus));
    if (!on && r.has("physics.cumulus_interval"))
        r.problems.add(
            r.place("physics.cumulus_interval"),
            "physics.cumulus_interval has no effect without physics.cumulus, such as \"kain-fritsch\"");
}

void check_gravity_wave_drag(Reading &r) {
    const std::string &scheme = r.config.physics.gravity_wave_drag;
    if (scheme != "none" && !r.has("initial.file"))
        refuse(r, "gravity_wave_drag",
               fmt::format("physics.gravity_wave_drag = \"{}\" needs initial.file, for the subgrid "
                           "orography: built-in cases have none",
                           scheme));
}

void check_terrain_wind(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    if (physics.terrain_wind == "none") return;
    if (physics.boundary_layer != "ysu")
        refuse(
            r, "terrain_wind",
            fmt::format("physics.terrain_wind = \"{}\" has no effect with physics.boundary_layer = \"{}\"; "
                        "set boundary_layer = \"ysu\", or leave terrain_wind out",
                        physics.terrain_wind, physics.boundary_layer));
    if (!r.has("initial.file"))
        refuse(r, "terrain_wind",
               fmt::format("physics.terrain_wind = \"{}\" needs initial.file, for the subgrid orography: "
                           "built-in cases have none",
                           physics.terrain_wind));
}

void check_ocean(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    for (const std::string path :
         {"physics.ocean_layer_depth", "physics.ocean_lapse_rate", "physics.ocean_relaxation_time"})
        if (r.has(path) && physics.ocean == "none")
            r.problems.add(r.place(path), path + " has no effect without physics.ocean = \"mixed-layer\"");
    if (physics.ocean == "none") return;
    const auto refuse_ocean = [&](const std::string &why) {
        refuse(r, "ocean", fmt::format("physics.ocean = \"{}\" {}", physics.ocean, why));
    };
    if (physics.surface_layer == "none" || physics.surface_layer == "prescribed-fluxes")
        refuse_ocean("needs the stress and the fluxes of a surface layer; set physics.surface_layer = "
                     "\"revised-mm5\" and boundary_layer = \"ysu\", or ocean = \"none\"");
    if (physics.radiation == "none")
        refuse_ocean("needs the radiation at the sea, without which it would cool for ever; set "
                     "physics.radiation = \"rrtmgp\" or \"broadband\", or ocean = \"none\"");
    const bool prescribed =
        r.has("boundary.lower_file") ||
        std::ranges::any_of(r.config.nests, [](const NestConfig &nest) { return !nest.lower_file.empty(); });
    if (prescribed)
        refuse_ocean("predicts the temperature of the sea, which boundary.lower_file (or a nest's "
                     "lower_file) prescribes; leave one of the two out");
    if (physics.sea_skin != "none")
        refuse_ocean(fmt::format("predicts the temperature of the sea's skin, as physics.sea_skin = \"{}\" "
                                 "does; leave one of the two out",
                                 physics.sea_skin));
}

/// Some domain has plumes.
bool has_plumes(const Config &config) {
    const auto has = [](const std::string &scheme) {
        return !scheme.empty() && scheme != "none" && boundary_layer_scheme(scheme).keeps_eddies;
    };
    return has(config.physics.boundary_layer) || std::ranges::any_of(config.nests, [&](const NestConfig &n) {
               return has(n.physics.boundary_layer);
           });
}

void check_boundary_layer(Reading &r) {
    const bool on = r.config.physics.boundary_layer != "none";
    for (const std::string path : {"physics.eddy_variance", "physics.plume_turbulence"})
        if (r.has(path) && !has_plumes(r.config))
            r.problems.add(r.place(path),
                           path + " has no effect without physics.boundary_layer = \"mynn-edmf\"");
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
        r.problems.add(r.place("physics.land_wetness"),
                       "physics.land_wetness has no effect with physics.surface_layer, which derives wetness "
                       "from land use");
    else if (on && r.has("physics.land_wetness") && !r.has("initial.file"))
        r.problems.add(r.place("physics.land_wetness"),
                       "physics.land_wetness has no effect: built-in cases lie over water");
}

/// Beside a scheme that mixes the whole column by the state of its boundary layer, a constant viscosity that
/// mixes upwards too does it twice. Schemes mix horizontally only there.
void check_mixed_once(Reading &r) {
    const PhysicsConfig &physics = r.config.physics;
    if (physics.boundary_layer == "none" || physics.boundary_layer == "resolved" ||
        !boundary_layer_scheme(physics.boundary_layer).on_surface_layer)
        return;
    const DiffusionConfig &diffusion = r.config.diffusion;
    if (diffusion.vertical > 0)
        r.problems.add(
            r.place("diffusion.vertical"),
            fmt::format("diffusion.vertical = {} m2 s-1 mixes vertically, as physics.boundary_layer = \"{}\" "
                        "already does; leave it out, or resolve the turbulence: boundary_layer = "
                        "\"resolved\", or that and surface_layer = \"none\"",
                        diffusion.vertical, physics.boundary_layer));
}

void check_nuclei(Reading &r) {
    const std::string key = "physics.condensation_nuclei";
    if (r.has(key) && !r.config.physics.microphysics.starts_with("wdm"))
        r.problems.add(r.place(key),
                       key + " has no effect without physics.microphysics = \"wdm5\" or \"wdm6\"");
}

} // namespace

void check_physics(Reading &r) {
    check_nuclei(r);
    check_surface_layer(r);
    check_boundary_layer(r);
    check_mixed_once(r);
    check_sea_ice(r);
    check_cumulus(r);
    check_gravity_wave_drag(r);
    check_terrain_wind(r);
    check_ocean(r);
    check_radiation(r);
}

} // namespace squall
