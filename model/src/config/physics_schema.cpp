#include "config/physics_schema.hpp"

#include <fmt/format.h>

#include "physics/boundary_layer_scheme.hpp"
#include "physics/cumulus_scheme.hpp"
#include "physics/gravity_wave_drag_scheme.hpp"
#include "physics/land_scheme.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/radiation/aerosol.hpp"
#include "physics/radiation/carried_aerosol.hpp"
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

/// Types of aerosol, and that which the air carries.
std::vector<std::string> aerosols() {
    std::vector<std::string> all = choices_of(radiation::aerosol_types());
    all.push_back(radiation::carried_aerosol);
    return all;
}

/// What suites are for, of all of them.
std::string meaning_of_suites() {
    std::string text =
        "set of schemes that suit each other; a scheme that this table names takes precedence: none";
    for (const auto &[name, suite] : suites()) {
        std::string schemes;
        for (const auto &[key, scheme] : suite.schemes) {
            const bool bound = key == "cumulus" && !suite.cumulus_at_any_spacing;
            schemes += fmt::format("{}{}", schemes.empty() ? "" : ", ", scheme);
            if (bound) schemes += fmt::format(" on cells larger than {} km", convection_resolved / 1000);
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
        "Parametrizations of physics, which work on single columns of air.",
        {
            {"suite", of_physics(&P::suite), meaning_of_suites(), {.choices = choices(suites())}},
            {"microphysics",
             of_physics(&P::microphysics),
             "cloud microphysics: none, for dry air; vapour without condensation (vapour); cloud without "
             "rain (condensation); warm rain (kessler); single-moment with simple ice (wsm3), with ice and "
             "snow "
             "(wsm5), and with graupel too (lin, wsm6); or also with number concentrations of rain and ice "
             "(thompson), also of droplets and the aerosols that they and crystals form on "
             "(thompson-aerosol), of droplets, rain and condensation nuclei (wdm5, wdm6 with graupel), or of "
             "rain, ice, snow and what is dense (morrison, with hail; morrison-graupel)",
             {.choices = microphysics}},
            {"condensation_nuclei",
             of_physics(&P::condensation_nuclei),
             "condensation nuclei for cloud droplets per kg of air, at the start and in what comes in at "
             "specified sides, with microphysics wdm5 or wdm6 (WRF's ccn_conc)",
             {.min = 1e6, .max = 1e11}},
            {"surface_layer",
             of_physics(&P::surface_layer),
             "fluxes between the surface and the air, and values at 2 m and 10 m: none; Monin-Obukhov "
             "similarity with roughness from land use, Jimenez et al. (2012) (revised-mm5), with drag of the "
             "sea that does not grow under storms (revised-mm5-donelan, revised-mm5-garratt: WRF's isftcflx "
             "1 "
             "and 2), before its revision, Zhang and Anthes (1982) (mm5), that of the Eta model with a "
             "viscous "
             "sublayer over water, Janjic (1994, 1996) (eta), or MYNN's with a roughness of its own for "
             "heat, "
             "Olson et al. (2021) (mynn); or fluxes that a built-in case prescribes (prescribed-fluxes)",
             {.choices = choices(surface_layer_schemes())}},
            {"heat_fluxes",
             of_physics(&P::heat_fluxes),
             "whether the surface layer's fluxes of heat and vapour reach the air, beside that of momentum; "
             "without them there is no land, and ground and sea keep their temperature (WRF's isfflx)",
             {}},
            {"boundary_layer",
             of_physics(&P::boundary_layer),
             "boundary-layer turbulence: none; bulk formulae with implicit mixing, Reed and Jablonowski "
             "(2012), which compute their own fluxes (bulk); or, with a surface layer, prognostic turbulence "
             "at level 2.5, Nakanishi and Niino (2009) (mynn), with plumes and clouds smaller than cells as "
             "in WRF, Olson et "
             "al. (2019) (mynn-edmf, with other lengths mynn-edmf-blended, carried by the wind "
             "mynn-edmf-advected), or Janjic (1990, 2002) (myj), or non-local "
             "mixing with explicit "
             "entrainment, Hong, Noh and Dudhia (2006) (ysu); or, where the grid resolves eddies, only the "
             "surface fluxes into the lowest layer (resolved)",
             {.choices = choices(boundary_layer_schemes())}},
            {"eddy_variance",
             of_physics(&P::eddy_variance),
             "variance of water in eddies, with `boundary_layer` \"mynn-edmf\" and its forms: predicted, "
             "level 2.6 (predicted), or in balance with its dissipation, level 2.5 (balanced) (WRF's "
             "bl_mynn_closure)",
             {.choices = {"predicted", "balanced"}}},
            {"plume_turbulence",
             of_physics(&P::plume_turbulence),
             "whether plumes of `boundary_layer` \"mynn-edmf\" and its forms carry turbulence (WRF's "
             "bl_mynn_edmf_tke)",
             {}},
            {"land",
             of_physics(&P::land),
             "land surface, with a surface layer and radiation: constant (none); five layers of soil that "
             "conduct heat, Dudhia (1996) (slab, which does without radiation too); four layers of soil "
             "with water and ice, vegetation and "
             "snow, Chen and Dudhia (2001) (noah), or with leaves apart from the ground and up to three "
             "layers "
             "of snow, Niu et al. (2011) (noah-mp)",
             {.choices = choices(land_schemes())}},
            {"sea_skin",
             of_physics(&P::sea_skin),
             "difference between the sea's skin and the water below: zero (none), or a warm layer under a "
             "cool skin, Zeng and Beljaars (2005) (WRF's sst_skin)",
             {.choices = {"none", "zeng-beljaars"}}},
            {"ocean",
             of_physics(&P::ocean),
             "ocean below open water: of the temperature that the run starts with (none), or a mixed layer "
             "that wind deepens and fluxes cool, Pollard, Rhines and Thompson (1973), Davis et al. (2008) "
             "(mixed-layer; WRF's sf_ocean_physics = 1)",
             {.choices = {"none", "mixed-layer"}}},
            {"ocean_layer_depth",
             of_physics(&P::ocean_layer_depth),
             "depth of the ocean's mixed layer at the start (WRF's oml_hml0)",
             {.unit = "m", .min = 1, .max = 1000}},
            {"ocean_lapse_rate",
             of_physics(&P::ocean_lapse_rate),
             "decrease of temperature with depth below the mixed layer (WRF's oml_gamma)",
             {.unit = "K/m", .min = 1e-4, .max = 10}},
            {"ocean_relaxation_time",
             of_physics(&P::ocean_relaxation_time),
             "time in which the mixed layer returns to what it was at the start (WRF's oml_relaxation_time)",
             {.unit = "s", .min = 0, .max = 1e9},
             {},
             "it does not"},
            {"fractional_sea_ice",
             of_physics(&P::fractional_sea_ice),
             "whether a cell of the sea with 2 % of ice and more is partly ice and partly water, with fluxes "
             "of both; else half a cell of ice is a whole one and less is none (WRF's fractional_seaice)",
             {}},
            {"cumulus",
             of_physics(&P::cumulus),
             "convection that the grid does not resolve: none; deep and shallow plumes with downdraughts, "
             "Kain (2004), for cells larger than 5 to 10 km (kain-fritsch); deep plumes whose mass flux is "
             "the mean of many closures and that weaken as cells shrink, Grell and Freitas (2014) "
             "(grell-freitas), and shallow plumes too (grell-freitas-shallow); a mass-flux scheme that "
             "weakens "
             "as cells shrink and also transports momentum, Tiedtke (1989), Zhang and Wang (2017) "
             "(tiedtke); or its older form, which does not weaken, Nordeng (1994) (tiedtke-1989)",
             {.choices = choices(cumulus_schemes())}},
            {"cumulus_interval",
             of_physics(&P::cumulus_interval),
             "time between calls of the cumulus scheme, rounded to whole time steps (WRF's cudt)",
             {.unit = "s", .min = 0, .max = 3600},
             {},
             "every time step"},
            {"gravity_wave_drag",
             of_physics(&P::gravity_wave_drag),
             "drag by mountains that the grid does not resolve: none; or gravity waves and flow blocking, "
             "Kim and Arakawa (1995), Choi and Hong (2015), for cells larger than 5 km (kim-arakawa); needs "
             "an `initial.file` that holds the statistics of the subgrid orography (WRF's gwd_opt)",
             {.choices = choices(gravity_wave_drag_schemes())}},
            {"terrain_wind",
             of_physics(&P::terrain_wind),
             "what hills within cells do to the wind near the ground, with the boundary layer \"ysu\": "
             "nothing (none); more drag, less on summits, Jimenez and Dudhia (2012) (jimenez-dudhia; WRF's "
             "topo_wind = 1); or more drag by the hills' height alone (mass-ovens; 2). Needs an "
             "`initial.file` with VAR_SSO, of mass-ovens with VAR",
             {.choices = {"none", "jimenez-dudhia", "mass-ovens"}}},
            {"radiation",
             of_physics(&P::radiation),
             "shortwave and longwave radiation: none; RRTMGP with 128 and 112 g-points (rrtmgp) or 256 and "
             "224 (rrtmgp-fine), with tables from `squall fetch radiation`; broadband without tables, "
             "shortwave by Dudhia (1989) (broadband); that shortwave with RRTMGP's longwave (rrtmgp-dudhia); "
             "or "
             "longwave cooling by cloud water alone, Stevens et "
             "al. (2005) (stratocumulus). Needs `initial.file`, or a case with a latitude",
             {.choices = choices(radiation::schemes())}},
            {"radiation_interval",
             of_physics(&P::radiation_interval),
             "time between calls of the radiation, rounded to whole time steps (WRF's radt)",
             {.unit = "s", .min = 0, .max = 86400},
             {},
             "a minute per km of dx, at most 30"},
            {"cloud_radiation",
             of_physics(&P::cloud_radiation),
             "whether clouds act on radiation (WRF's icloud)",
             {}},
            {"longwave_ice",
             of_physics(&P::longwave_ice),
             "whether the longwave of \"rrtmgp-dudhia\" sees the crystals of clouds, which WRF's RRTM with "
             "WSM3 does not",
             {}},
            {"newtonian_cooling",
             of_physics(&P::newtonian_cooling),
             "whether temperature relaxes to the base profile of the initial state in 12 h, by 2 K a day at "
             "most, in place of radiation, Rotunno and Emanuel (1987) (WRF's rad_nudge)",
             {}},
            {"slope_radiation",
             of_physics(&P::slope_radiation),
             "whether the direct beam falls on the inclined ground, Garnier and Ohmura (1968) (WRF's "
             "slope_rad)",
             {}},
            {"topographic_shading",
             of_physics(&P::topographic_shading),
             "whether terrain shades the direct beam (WRF's topo_shading)",
             {}},
            {"shadow_length",
             of_physics(&P::shadow_length),
             "largest distance of the terrain that casts a shadow (WRF's shadlen)",
             {.unit = "m", .min = 0, .max = 2e5, .above = true}},
            {"aerosol_optical_depth",
             of_physics(&P::aerosol_optical_depth),
             "aerosol optical depth at 550 nm, Ruiz-Arias et al. (2014); it decreases exponentially with "
             "height, by a factor of e in 2.5 km (WRF's aer_opt = 2, aer_aod550_val)",
             {.min = 0, .max = 5}},
            {"aerosol_file",
             of_physics(&P::aerosol_file),
             "file with the optical depth of each cell at run.start, AOD5502D; relative to the run file "
             "(WRF's aer_aod550_opt = 2)",
             {},
             {},
             "none"},
            {"aerosol_type",
             of_physics(&P::aerosol_type),
             "type of aerosol, whose optical properties follow the humidity of the air, Shettle and Fenn "
             "(1979), unless the next three keys set them (WRF's aer_type); or the aerosols that "
             "`microphysics` \"thompson-aerosol\" carries, with the properties of rural ones (carried; "
             "WRF's aer_opt = 3)",
             {.choices = aerosols()}},
            {"aerosol_angstrom_exponent",
             of_physics(&P::aerosol_angstrom_exponent),
             "Ångström exponent: optical depth falls with wavelength to this power (WRF's "
             "aer_angexp_val)",
             {.min = -0.3, .max = 2.5},
             {},
             "that of aerosol_type"},
            {"aerosol_single_scattering_albedo",
             of_physics(&P::aerosol_single_scattering_albedo),
             "single-scattering albedo of the aerosol (WRF's aer_ssa_val)",
             {.min = 0, .max = 1},
             {},
             "that of aerosol_type"},
            {"aerosol_asymmetry",
             of_physics(&P::aerosol_asymmetry),
             "asymmetry parameter of the aerosol: 1 scatters forward, -1 backward (WRF's aer_asy_val)",
             {.min = -1, .max = 1},
             {},
             "that of aerosol_type"},
            {"radiation_tables",
             of_physics(&P::radiation_tables),
             "folder with the radiation tables, relative to the run file",
             {},
             {},
             "the folder of `squall fetch radiation`"},
            {"insolation",
             of_physics(&P::insolation),
             "flux of a constant sun on a plane that faces it, in place of the sun of place and time",
             {.unit = "W/m2", .min = 0, .max = 5000},
             {},
             "none"},
            {"zenith_angle",
             of_physics(&P::zenith_angle),
             "zenith angle of the constant sun of `insolation`",
             {.unit = "degrees", .min = 0, .max = 90}},
            {"ozone",
             of_physics(&P::ozone),
             "ozone profile: by latitude and season, Van Heuklon (1979), or of tropical air as a function of "
             "pressure, Wing et al. (2018)",
             {.choices = {"season", "rcemip"}}},
            {"surface_temperature",
             of_physics(&P::surface_temperature),
             "uniform surface temperature at the start, for boundary layer and radiation; a built-in case "
             "with a boundary layer needs it",
             {.unit = "K", .min = 150, .max = 400},
             {},
             "TSK of `initial.file`"},
            {"land_wetness",
             of_physics(&P::land_wetness),
             "evaporation of land under `boundary_layer = \"bulk\"` relative to open water; built-in cases "
             "lie over water",
             {.min = 0, .max = 1}},
        }};
}

} // namespace squall
