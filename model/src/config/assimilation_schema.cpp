#include "config/assimilation_schema.hpp"

namespace squall {

TableSchema nudging_table() {
    using N = NudgingConfig;
    const auto in = [](auto member) { return slot_of(&Config::nudging, member); };
    const Rule rate{.unit = "s-1", .min = 0, .max = 0.01};
    const auto layers = [&](const char *key, int N::*member) -> Key {
        return {key,
                in(member),
                "of spectral nudging: layers from the ground in which there is none of it, "
                "if it is nudged in the boundary layer as well (WRF's if_zfac and k_zfac)",
                {.min = 0}};
    };
    const auto growth = [&](const char *key, int N::*member) -> Key {
        return {key,
                in(member),
                "of spectral nudging: layers over which it grows to its coefficient, above "
                "the boundary layer or those without (WRF's dk_zfac)",
                {.min = 1}};
    };
    return {
        "nudging",
        "Nudging of the outermost domain towards analyses, Stauffer and Seaman (1990) (WRF's grid_fdda); "
        "nests follow their parents.",
        {
            {"file",
             in(&N::file),
             "wrffdda_d01 file, relative to the run file; `squall prepare` makes it",
             {},
             {},
             "none: no nudging"},
            {"scheme",
             in(&N::scheme),
             "grid: fields are drawn to the analyses; spectral: only their long waves are, and the "
             "geopotential's, Miguez-Macho et al. (2004) (WRF's grid_fdda 1 and 2)",
             {.choices = {"grid", "spectral"}}},
            {"wind", in(&N::wind), "nudging coefficient of wind (WRF's guv)", rate},
            {"temperature", in(&N::temperature), "nudging coefficient of potential temperature (WRF's gt)",
             rate},
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
            {"geopotential", in(&N::geopotential),
             "of spectral nudging: nudging coefficient of geopotential (WRF's gph)", rate},
            {"geopotential_in_boundary_layer",
             in(&N::geopotential_in_boundary_layer),
             "of spectral nudging: nudge geopotential inside the boundary layer as well",
             {}},
            {"waves_x",
             in(&N::waves_x),
             "of spectral nudging: shortest wave that is drawn, as how many fit into the domain "
             "west-east; 0: the mean alone (WRF's xwavenum)",
             {.min = 0, .max = 100}},
            {"waves_y", in(&N::waves_y), "the same south-north (WRF's ywavenum)", {.min = 0, .max = 100}},
            layers("wind_above", &N::wind_above),
            layers("temperature_above", &N::temperature_above),
            layers("moisture_above", &N::moisture_above),
            layers("geopotential_above", &N::geopotential_above),
            growth("wind_growth", &N::wind_growth),
            growth("temperature_growth", &N::temperature_growth),
            growth("moisture_growth", &N::moisture_growth),
            growth("geopotential_growth", &N::geopotential_growth),
            {"lid",
             in(&N::lid),
             "of spectral nudging: layer from the ground above which temperature and water vapour are not "
             "nudged, and in which half as much (WRF's ktrop); 0: none",
             {.min = 0}},
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
