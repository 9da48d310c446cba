#include "config/physics_schema.hpp"

#include <fmt/format.h>

#include "physics/boundary_layer_scheme.hpp"
#include "physics/cumulus_scheme.hpp"
#include "physics/gravity_wave_drag_scheme.hpp"
#include "physics/land_scheme.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/radiation/aerosol.hpp"
#include "physics/radiation/scheme.hpp"
#include "physics/suites.hpp"
#include "physics/surface_layer_scheme.hpp"

namespace squall {
namespace {

template <class T> std::function<Slot(Config &)> of_physics(T PhysicsConfig::*member) {
    return [=](Config &config) -> Slot { return &(config.physics.*member); };
}

template <class Named> std::vector<std::string> choices_of(const Named &named) {
    std::vector<std::string> all;
    for (const auto &[name, unused] : named) all.push_back(name);
    return all;
}

/// "none" and the names of schemes.
template <class Schemes> std::vector<std::string> choices(const Schemes &schemes) {
    std::vector<std::string> all = choices_of(schemes);
    all.insert(all.begin(), "none");
    return all;
}

/// What suites are for, of all of them.
std::string meaning_of_suites() {
    std::string text =
        "a set of schemes that go together, of which each that is named here is left out: none";
    for (const auto &[name, suite] : suites()) {
        std::string schemes;
        for (const auto &[key, scheme] : suite.schemes) {
            const bool bound = key == "cumulus" && !suite.cumulus_at_any_spacing;
            schemes += fmt::format("{}{}", schemes.empty() ? "" : ", ", scheme);
            if (bound) schemes += fmt::format(" on cells of more than {} km", convection_resolved / 1000);
        }
        text += fmt::format("; {}: {} ({})", name, suite.meaning, schemes);
    }
    return text + ". Needs `initial.file`";
}

} // namespace

TableSchema physics_table() {
    using P = PhysicsConfig;
    std::vector<std::string> microphysics{"none", "vapour"};
    for (const auto &[name, unused] : microphysics_schemes()) microphysics.push_back(name);
    return {
        "physics",
        "Schemes that work on single columns of air.",
        {
            {"suite", of_physics(&P::suite), meaning_of_suites(), {.choices = choices(suites())}},
            {"microphysics",
             of_physics(&P::microphysics),
             "clouds and rain: dry air, vapour that is only carried, cloud without rain (condensation), "
             "warm rain (kessler), six species with ice, snow and graupel (wsm6), or these with numbers of "
             "drops and crystals (thompson)",
             {.choices = microphysics}},
            {"surface_layer",
             of_physics(&P::surface_layer),
             "fluxes between the surface and the air next to it, roughness by land use, values at 2 m and "
             "10 m: none; Monin-Obukhov similarity as Jimenez et al. (2012) (revised-mm5); or fluxes that a "
             "built-in case prescribes (prescribed-fluxes)",
             {.choices = choices(surface_layer_schemes())}},
            {"boundary_layer",
             of_physics(&P::boundary_layer),
             "mixing by the turbulence above the surface: none; bulk formulae with implicit mixing of "
             "Reed and Jablonowski (2012), which have fluxes of their own (bulk); or on a surface layer, by "
             "turbulence that is predicted, level 2.5 of Nakanishi and Niino (2009) (mynn), or non-local "
             "with "
             "stated entrainment, Hong, Noh and Dudhia (2006) (ysu); or, where the grid resolves the eddies, "
             "none but the surface's fluxes into the lowest layer (resolved)",
             {.choices = choices(boundary_layer_schemes())}},
            {"land",
             of_physics(&P::land),
             "the ground, on a surface layer and under radiation: as it is at the start (none); five layers "
             "that conduct heat, Dudhia (1996) (slab); or four layers with water and ice, vegetation and "
             "snow, Chen and Dudhia (2001) (noah)",
             {.choices = choices(land_schemes())}},
            {"sea_skin",
             of_physics(&P::sea_skin),
             "the skin of the sea over the temperature of the water: the same (none), or a layer that the "
             "sun "
             "warms under a cool skin, Zeng and Beljaars (2005) (WRF's sst_skin)",
             {.choices = {"none", "zeng-beljaars"}}},
            {"cumulus",
             of_physics(&P::cumulus),
             "convection that the grid does not resolve: none; plumes with downdraughts, deep and shallow, "
             "Kain "
             "(2004), for cells of more than 5 to 10 km (kain-fritsch); or such that do less where cells are "
             "smaller and move wind too, Tiedtke (1989), Zhang and Wang (2017) (tiedtke)",
             {.choices = choices(cumulus_schemes())}},
            {"cumulus_interval",
             of_physics(&P::cumulus_interval),
             "from one call of the cumulus scheme to the next, rounded to whole time steps (WRF's cudt)",
             {.unit = "s", .min = 0, .max = 3600},
             {},
             "every time step"},
            {"gravity_wave_drag",
             of_physics(&P::gravity_wave_drag),
             "drag by mountains that the grid does not resolve: none; or their gravity waves and the flow "
             "that "
             "they block, Kim and Arakawa (1995), Choi and Hong (2015), for cells of more than 5 km "
             "(kim-arakawa); needs an `initial.file` that holds their statistics (WRF's gwd_opt)",
             {.choices = choices(gravity_wave_drag_schemes())}},
            {"radiation",
             of_physics(&P::radiation),
             "sunlight and thermal radiation: none; RRTMGP with 128 and 112 g-points (rrtmgp) or 256 and "
             "224 (rrtmgp-fine), with tables that `squall fetch radiation` gets; or without tables, all "
             "wavelengths together, sunlight by Dudhia (1989) (broadband); or a cloud's water alone cools, "
             "Stevens et al. (2005) (stratocumulus). Needs `initial.file`, or a case with a latitude",
             {.choices = choices(radiation::schemes())}},
            {"radiation_interval",
             of_physics(&P::radiation_interval),
             "from one call of the radiation to the next, rounded to whole time steps (WRF's radt)",
             {.unit = "s", .min = 0, .max = 86400},
             {},
             "a minute for each km of dx, at most 30"},
            {"slope_radiation",
             of_physics(&P::slope_radiation),
             "the sun's beam falls on the ground as it is inclined, Garnier and Ohmura (1968) (WRF's "
             "slope_rad)",
             {}},
            {"topographic_shading",
             of_physics(&P::topographic_shading),
             "it is taken from ground that lies in the shadow of other ground (WRF's topo_shading)",
             {}},
            {"shadow_length",
             of_physics(&P::shadow_length),
             "how far away that other ground may be (WRF's shadlen)",
             {.unit = "m", .min = 0, .max = 2e5, .above = true}},
            {"aerosol_optical_depth",
             of_physics(&P::aerosol_optical_depth),
             "at 550 nm, of what floats in the air beside cloud, Ruiz-Arias et al. (2014): most of it near "
             "the "
             "ground, falling by e in 2.5 km (WRF's aer_opt = 2, aer_aod550_val)",
             {.min = 0, .max = 5}},
            {"aerosol_file",
             of_physics(&P::aerosol_file),
             "a file with that of each cell instead, AOD5502D, of which run.start counts; from the directory "
             "of "
             "the run file (WRF's aer_aod550_opt = 2)",
             {},
             {},
             "none"},
            {"aerosol_type",
             of_physics(&P::aerosol_type),
             "what it is, Shettle and Fenn (1979) by the humidity of the air, unless the next three say "
             "(WRF's aer_type)",
             {.choices = choices_of(radiation::aerosol_types())}},
            {"aerosol_angstrom_exponent",
             of_physics(&P::aerosol_angstrom_exponent),
             "optical depth goes with wavelength to the power of less this (WRF's aer_angexp_val)",
             {.min = -0.3, .max = 2.5},
             {},
             "that of aerosol_type"},
            {"aerosol_single_scattering_albedo",
             of_physics(&P::aerosol_single_scattering_albedo),
             "part of what it takes from sunlight that it scatters, and does not absorb (WRF's aer_ssa_val)",
             {.min = 0, .max = 1},
             {},
             "that of aerosol_type"},
            {"aerosol_asymmetry",
             of_physics(&P::aerosol_asymmetry),
             "of the directions that it scatters into: 1 forward, -1 backward (WRF's aer_asy_val)",
             {.min = -1, .max = 1},
             {},
             "that of aerosol_type"},
            {"radiation_tables",
             of_physics(&P::radiation_tables),
             "folder of the radiation's tables, from the directory of the run file",
             {},
             {},
             "that of squall fetch radiation"},
            {"insolation",
             of_physics(&P::insolation),
             "of a sun that stands still, on a plane that faces it, in place of that of time and place",
             {.unit = "W/m2", .min = 0, .max = 5000},
             {},
             "none"},
            {"zenith_angle",
             of_physics(&P::zenith_angle),
             "of the sun that stands still",
             {.unit = "degrees", .min = 0, .max = 90}},
            {"ozone",
             of_physics(&P::ozone),
             "that of latitude and season, Van Heuklon (1979), or of tropical air by pressure alone, Wing et "
             "al. (2018)",
             {.choices = {"season", "rcemip"}}},
            {"surface_temperature",
             of_physics(&P::surface_temperature),
             "of the surface under boundary layer and radiation at the start, everywhere; a built-in case "
             "with a "
             "boundary layer "
             "needs it",
             {.unit = "K", .min = 150, .max = 400},
             {},
             "TSK of `initial.file`"},
            {"land_wetness",
             of_physics(&P::land_wetness),
             "evaporation of land under `boundary_layer = \"bulk\"` over that of open water; built-in cases "
             "lie "
             "over water",
             {.min = 0, .max = 1}},
        }};
}

} // namespace squall
