#include "config/run_schema.hpp"

namespace squall {

TableSchema run_table() {
    using R = RunConfig;
    const auto in = [](auto member) { return slot_of(&Config::run, member); };
    return {
        "run",
        "Name, time span and time step of the run.",
        {
            {"name", in(&R::name), "name of the run", {}, {}, "the run file's name"},
            {"directory",
             in(&R::directory),
             "directory for all output, relative to the current directory",
             {},
             {},
             "runs/ and the name"},
            {"start",
             in(&R::start),
             "calendar time of step 0, UTC; that of `initial.file` if there is one",
             {.calendar = true}},
            {"duration",
             in(&R::duration),
             "model time from `start` to the end, also after a restart; a whole number of time steps",
             {.unit = "s", .min = 0, .max = 1e11, .above = true},
             Presence::required},
            {"time_step",
             in(&R::time_step),
             "time step of the Runge-Kutta scheme; with an adaptive time step, the first step",
             {.unit = "s", .min = 0, .max = 1e5, .above = true},
             Presence::required},
            {"adaptive_time_step",
             in(&R::adaptive_time_step),
             "adapt the time step to the Courant numbers (WRF's use_adaptive_time_step); output, nests and "
             "boundaries keep their times, at each of which a step ends",
             {}},
            {"target_courant_horizontal",
             in(&R::target_courant_horizontal),
             "target of the horizontal Courant number, summed over both directions, for the adaptive step "
             "(WRF's target_hcfl)",
             {.min = 0, .max = 1.6, .above = true}},
            {"target_courant_vertical",
             in(&R::target_courant_vertical),
             "target of the Courant number of the flow through coordinate surfaces, for the adaptive step "
             "(WRF's target_cfl)",
             {.min = 0, .max = 1.6, .above = true}},
            {"max_step_increase",
             in(&R::max_step_increase),
             "largest relative increase from one adaptive step to the next (WRF's max_step_increase_pct)",
             {.min = 0, .max = 1, .above = true}},
            {"min_time_step",
             in(&R::min_time_step),
             "lower limit of the adaptive step",
             {.unit = "s", .min = 0, .max = 1e5, .above = true},
             {},
             "a third of time_step"},
            {"max_time_step",
             in(&R::max_time_step),
             "upper limit of the adaptive step",
             {.unit = "s", .min = 0, .max = 1e5, .above = true},
             {},
             "8 s per km of dx, or less where sound would need more acoustic_substeps"},
            {"acoustic_substeps",
             in(&R::acoustic_substeps),
             "acoustic substeps in a time step",
             {.min = 2, .max = 1000, .even = true}},
            {"compatibility",
             in(&R::compatibility),
             "`wrf`: do as WRF where Squall deliberately differs, for comparisons. `kessler`: rain falls as "
             "in WRF. Diffusion: `v` mixes along coordinate surfaces, and scalars mix in physical space by "
             "WRF's forms, which do not conserve water mass. `wsm6`: snow and graupel melt and evaporate "
             "with WRF's latent heats, which do not conserve enthalpy, and what stays in the two uppermost "
             "layers is lost. Cumulus schemes: the mean of w that they use has a longer averaging time if "
             "they are not called every step. Specified boundaries: near them geopotential is not advected "
             "where WRF does not advect it, and mixing ratios are relaxed to the file's as products with "
             "mass. Open boundaries: vertical transport changes the wind where it does in WRF",
             {.choices = {"none", "wrf"}}},
            {"restart_from",
             in(&R::restart_from),
             "restart frame to continue from, relative to the current directory",
             {},
             {},
             "none: a new run"},
        }};
}

} // namespace squall
