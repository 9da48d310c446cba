#include "config/run_schema.hpp"

namespace squall {

TableSchema run_table() {
    using R = RunConfig;
    const auto in = [](auto member) { return slot_of(&Config::run, member); };
    return {
        "run",
        "What is run, and for how long.",
        {
            {"name", in(&R::name), "name of the run", {}, {}, "the run file's name"},
            {"directory",
             in(&R::directory),
             "where everything is written, from the current directory",
             {},
             {},
             "runs/ and the name"},
            {"start",
             in(&R::start),
             "calendar time of step 0, UTC; that of `initial.file` where there is one",
             {.calendar = true}},
            {"duration",
             in(&R::duration),
             "model time from `start` to the end, also after a restart; a whole number of time steps",
             {.unit = "s", .min = 0, .max = 1e11, .above = true},
             Presence::required},
            {"time_step",
             in(&R::time_step),
             "time step of the Runge-Kutta scheme; the first, of a run that adapts it",
             {.unit = "s", .min = 0, .max = 1e5, .above = true},
             Presence::required},
            {"adaptive_time_step",
             in(&R::adaptive_time_step),
             "let the time step follow the Courant numbers (WRF's use_adaptive_time_step); output, nests and "
             "boundaries keep their times, each of which ends a step",
             {}},
            {"target_courant_horizontal",
             in(&R::target_courant_horizontal),
             "that an adaptive step aims at, of the largest sum of both directions (WRF's target_hcfl)",
             {.min = 0, .max = 1.6, .above = true}},
            {"target_courant_vertical",
             in(&R::target_courant_vertical),
             "the same of the flow through coordinate surfaces (WRF's target_cfl)",
             {.min = 0, .max = 1.6, .above = true}},
            {"max_step_increase",
             in(&R::max_step_increase),
             "from one adaptive step to the next, as a part of it (WRF's max_step_increase_pct)",
             {.min = 0, .max = 1, .above = true}},
            {"min_time_step",
             in(&R::min_time_step),
             "that an adaptive step may be",
             {.unit = "s", .min = 0, .max = 1e5, .above = true},
             {},
             "a third of time_step"},
            {"max_time_step",
             in(&R::max_time_step),
             "that an adaptive step may be",
             {.unit = "s", .min = 0, .max = 1e5, .above = true},
             {},
             "8 s per km of dx, or less where sound needs more acoustic_substeps"},
            {"acoustic_substeps",
             in(&R::acoustic_substeps),
             "acoustic steps in a time step",
             {.min = 2, .max = 1000, .even = true}},
            {"compatibility",
             in(&R::compatibility),
             "`wrf`: as WRF where Squall differs on purpose, for comparisons: rain of `kessler` falls, `v` "
             "mixes along coordinate surfaces and scalars mix in physical space by WRF's forms, which do "
             "not keep the mass of water, and snow and graupel of `wsm6` melt and evaporate with WRF's "
             "heats, "
             "which do not keep enthalpy, and what stays in its two uppermost layers is lost; the mean of w "
             "that cumulus schemes see lasts longer where they are not called in every step; near specified "
             "sides geopotential is not advected where WRF does not, and mixing ratios are drawn to the "
             "file's by their product with mass; vertical transport changes the wind through an open side "
             "where it does in WRF",
             {.choices = {"none", "wrf"}}},
            {"restart_from",
             in(&R::restart_from),
             "restart frame to go on from, from the current directory",
             {},
             {},
             "a new run"},
        }};
}

} // namespace squall
