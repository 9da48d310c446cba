#include "config/assimilation_schema.hpp"

namespace squall {

TableSchema nudging_table() {
    using N = NudgingConfig;
    const auto in = [](auto member) { return slot_of(&Config::nudging, member); };
    const Rule rate{.unit = "s-1", .min = 0, .max = 0.01};
    return {
        "nudging",
        "Analyses that the whole domain is drawn to, Stauffer and Seaman (1990) (WRF's grid_fdda); nests "
        "follow their parents.",
        {
            {"file",
             in(&N::file),
             "a wrffdda_d01 file, from the directory of the run file; `squall prepare` makes it",
             {},
             {},
             "none: no nudging"},
            {"wind", in(&N::wind), "share of the wind's departure that goes in a second (WRF's guv)", rate},
            {"temperature", in(&N::temperature), "the same of potential temperature (WRF's gt)", rate},
            {"moisture", in(&N::moisture), "the same of vapour (WRF's gq)", rate},
            {"wind_in_boundary_layer",
             in(&N::wind_in_boundary_layer),
             "whether wind is nudged there too (WRF's if_no_pbl_nudging_uv says where not)",
             {}},
            {"temperature_in_boundary_layer",
             in(&N::temperature_in_boundary_layer),
             "the same of potential temperature",
             {}},
            {"moisture_in_boundary_layer", in(&N::moisture_in_boundary_layer), "the same of vapour", {}},
            {"end",
             in(&N::end),
             "until when nudging has its full strength, after run.start (WRF's gfdda_end_h)",
             {.unit = "s", .min = 0, .above = true},
             {},
             "with the run"},
            {"ramp",
             in(&N::ramp),
             "in which it falls to nothing from then on (WRF's dtramp_min)",
             {.unit = "s", .min = 0}},
        }};
}

TableSchema digital_filter_table() {
    using D = DigitalFilterConfig;
    const auto in = [](auto member) { return slot_of(&Config::digital_filter, member); };
    return {
        "digital_filter",
        "Starts a run without the waves of an initial state out of balance, Lynch and Huang (1992).",
        {
            {"scheme",
             in(&D::scheme),
             "none, or the mean of a short integration, which is of its middle. From run.start: the run "
             "goes on from half of `span` later (launch, WRF's dfi_opt 1). From half of it before, to which "
             "the air is first brought back without physics: the run begins at run.start (diabatic, "
             "dfi_opt 2); or by the mean of all of it backward (twice, dfi_opt 3)",
             {.choices = {"none", "launch", "diabatic", "twice"}}},
            {"weights",
             in(&D::weights),
             "of the mean: Dolph's (Lynch 1997), or Lanczos's (WRF's dfi_nfilter 7 and 1)",
             {.choices = {"dolph", "lanczos"}}},
            {"span",
             in(&D::span),
             "of the integration, an even number of time steps (WRF's dfi_fwdstop)",
             {.unit = "s", .min = 0, .max = 1e5, .above = true}},
            {"cutoff",
             in(&D::cutoff),
             "period of the fastest waves that stay (WRF's dfi_cutoff_seconds)",
             {.unit = "s", .min = 0, .max = 1e5, .above = true}},
        }};
}

} // namespace squall
