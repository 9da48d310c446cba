#include "config/assimilation_schema.hpp"

namespace squall {

TableSchema nudging_table() {
    using N = NudgingConfig;
    const auto in = [](auto member) { return slot_of(&Config::nudging, member); };
    const Rule rate{.unit = "s-1", .min = 0, .max = 0.01};
    return {"nudging",
            "Nudging of the outermost domain towards analyses, Stauffer and Seaman (1990) (WRF's grid_fdda); "
            "nests follow their parents.",
            {
                {"file",
                 in(&N::file),
                 "wrffdda_d01 file, relative to the run file; `squall prepare` makes it",
                 {},
                 {},
                 "none: no nudging"},
                {"wind", in(&N::wind), "nudging coefficient of wind (WRF's guv)", rate},
                {"temperature", in(&N::temperature),
                 "nudging coefficient of potential temperature (WRF's gt)", rate},
                {"moisture", in(&N::moisture), "nudging coefficient of water vapour (WRF's gq)", rate},
                {"wind_in_boundary_layer",
                 in(&N::wind_in_boundary_layer),
                 "nudge wind inside the boundary layer as well (WRF's if_no_pbl_nudging_uv is the opposite)",
                 {}},
                {"temperature_in_boundary_layer",
                 in(&N::temperature_in_boundary_layer),
                 "nudge potential temperature inside the boundary layer as well",
                 {}},
                {"moisture_in_boundary_layer",
                 in(&N::moisture_in_boundary_layer),
                 "nudge water vapour inside the boundary layer as well",
                 {}},
                {"end",
                 in(&N::end),
                 "time after run.start until which nudging has its full strength (WRF's gfdda_end_h)",
                 {.unit = "s", .min = 0, .above = true},
                 {},
                 "the end of the run"},
                {"ramp",
                 in(&N::ramp),
                 "time after `end` in which nudging falls to zero (WRF's dtramp_min)",
                 {.unit = "s", .min = 0}},
            }};
}

TableSchema digital_filter_table() {
    using D = DigitalFilterConfig;
    const auto in = [](auto member) { return slot_of(&Config::digital_filter, member); };
    return {"digital_filter",
            "Digital filter initialization, Lynch and Huang (1992): removes the fast waves of an unbalanced "
            "initial state.",
            {
                {"scheme",
                 in(&D::scheme),
                 "none, or a filter that takes the weighted mean of a short integration, which stands for "
                 "its midpoint. launch (WRF's dfi_opt 1) integrates forward from run.start: the run "
                 "continues from `span` / 2 after it. diabatic (dfi_opt 2) first integrates backward, "
                 "without physics, to `span` / 2 before run.start: the run begins at run.start. twice "
                 "(dfi_opt 3) also filters the backward integration",
                 {.choices = {"none", "launch", "diabatic", "twice"}}},
                {"weights",
                 in(&D::weights),
                 "weights of the mean: Dolph (Lynch 1997) or Lanczos (WRF's dfi_nfilter 7 and 1)",
                 {.choices = {"dolph", "lanczos"}}},
                {"span",
                 in(&D::span),
                 "length of the integration, an even number of time steps (WRF's dfi_fwdstop)",
                 {.unit = "s", .min = 0, .max = 1e5, .above = true}},
                {"cutoff",
                 in(&D::cutoff),
                 "cutoff period: faster waves are removed (WRF's dfi_cutoff_seconds)",
                 {.unit = "s", .min = 0, .max = 1e5, .above = true}},
            }};
}

} // namespace squall
