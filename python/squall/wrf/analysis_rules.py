"""Rules for sea-surface updates, nudging and the digital filter."""

from squall.wrf.namelist import Value
from squall.wrf.rules import Outcome, Rule, Setting, Values
from squall.wrf.run_rules import START, date_keys, date_of, quantity
from squall.wrf.schemes import FLUXES, SUITE, has_fluxes, number_of
from squall.wrf.surface_rules import only_momentum

#: What tells whether there is a boundary layer, which nudging may spare.
_BOUNDARY_LAYER: dict[str, Value] = {"physics.bl_pbl_physics": -1, **SUITE}
_DFI: dict[str, Value] = {
    "dfi_control.dfi_opt": 0, "dfi_control.dfi_nfilter": 7, "dfi_control.dfi_cutoff_seconds": 3600,
    "domains.time_step_dfi": 0,
    **date_keys("dfi_control", "dfi_bckstop", (2004, 3, 14, 12, 0, 0)),
    **date_keys("dfi_control", "dfi_fwdstop", (2004, 3, 13, 12, 0, 0)),
    **START,
}  # fmt: skip
_FDDA: dict[str, Value] = {
    "fdda.grid_fdda": 0, "fdda.gfdda_inname": "wrffdda_d<domain>", "fdda.gfdda_end_h": 0,
    **{f"fdda.{key}": 0.0 for key in ("guv", "gt", "gq", "gph")},
    **{
        f"fdda.{key}_{of}": default
        for key, default in (("if_no_pbl_nudging", 0), ("if_zfac", 0), ("k_zfac", 0), ("dk_zfac", 1))
        for of in ("uv", "t", "q", "ph")
    },
    "fdda.ktrop": 0, "fdda.xwavenum": 0, "fdda.ywavenum": 0,
    "fdda.if_ramping": 0, "fdda.dtramp_min": 0.0, **_BOUNDARY_LAYER,
}  # fmt: skip


def _sea(v: Values) -> Outcome:
    if not v.flag("sst_update"):
        return Outcome({})
    if not has_fluxes(v):
        return Outcome(
            lost="without a boundary layer scheme the sea has no fluxes, so its temperature has no effect"
        )
    return Outcome({"boundary.lower_file": str(v["auxinput4_inname"])})


def _sea_ice(v: Values) -> Outcome:
    if not v.flag("fractional_seaice"):
        return Outcome({})
    land = 0 if only_momentum(v) or number_of(v, "sf_sfclay") == 0 else number_of(v, "sf_surface")
    radiates = number_of(v, "ra_lw") > 0 or number_of(v, "ra_sw") > 0
    if land > 1 and has_fluxes(v) and radiates:
        return Outcome({"physics.fractional_sea_ice": True})
    return Outcome(
        lost=("WRF stops: " if land == 1 else "")
        + "fractions of ice need the land model Noah or Noah-MP, with radiation "
        "and surface fluxes: a sea cell is ice-covered if its ice fraction is at least one half, "
        "else open water"
    )


def _skin(v: Values) -> Outcome:
    if not v.flag("sst_skin"):
        return Outcome({"physics.sea_skin": "none"})
    if not has_fluxes(v) or number_of(v, "ra_lw") == number_of(v, "ra_sw") == 0:
        return Outcome(
            lost="the sea-skin scheme needs boundary layer fluxes and sunlight, which are off: it is left out"
        )
    return Outcome({"physics.sea_skin": "zeng-beljaars"})


#: Of each field Squall's word, WRF's coefficient and how its switches end.
_NUDGED = (("wind", "guv", "uv"), ("temperature", "gt", "t"), ("moisture", "gq", "q"))
_NUDGED_SPECTRALLY = (*_NUDGED, ("geopotential", "gph", "ph"))


def _nudging(v: Values) -> Outcome:
    option = v.whole("grid_fdda")
    nudged = {1: _NUDGED, 2: _NUDGED_SPECTRALLY}.get(option, ())
    if not any(v.number(theirs) > 0 for _, theirs, _ in nudged):
        return Outcome({})  # as in WRF, whose coefficients are 0 where the namelist does not set them
    settings: dict[str, Setting] = {"nudging.file": str(v["gfdda_inname"])}
    layer = number_of(v, "bl_pbl") > 0
    for key, theirs, ending in nudged:
        settings[f"nudging.{key}"] = f"{v.number(theirs):g} s-1"
        if v.flag(f"if_no_pbl_nudging_{ending}") and layer:
            settings[f"nudging.{key}_in_boundary_layer"] = False
    if option == 2:
        settings |= _spectral(v, layer)
    lost = _nudging_ends(v, settings)
    if not layer and any(v.flag(f"if_no_pbl_nudging_{ending}") for _, _, ending in nudged):
        lost.append("without a boundary layer scheme all layers are nudged")
    if option == 1 and any(v.flag(f"if_zfac_{ending}") for _, _, ending in nudged):
        lost.append("nudging is equally strong below and above the layer of if_zfac")
    return Outcome(settings, "; ".join(lost))


def _spectral(v: Values, layer: bool) -> dict[str, Setting]:
    settings: dict[str, Setting] = {
        "nudging.scheme": "spectral",
        "nudging.waves_x": v.whole("xwavenum"),
        "nudging.waves_y": v.whole("ywavenum"),
    }
    for key, _, ending in _NUDGED_SPECTRALLY:
        spared = v.flag(f"if_no_pbl_nudging_{ending}") and layer
        lowest = v.flag(f"if_zfac_{ending}") and not v.flag(f"if_no_pbl_nudging_{ending}")
        if lowest and v.whole(f"k_zfac_{ending}") > 0:
            settings[f"nudging.{key}_above"] = v.whole(f"k_zfac_{ending}")
        if (spared or lowest) and v.whole(f"dk_zfac_{ending}") > 1:
            settings[f"nudging.{key}_growth"] = v.whole(f"dk_zfac_{ending}")
    if v.whole("ktrop") > 0:
        settings["nudging.lid"] = v.whole("ktrop")
    return settings


def _nudging_ends(v: Values, settings: dict[str, Setting]) -> list[str]:
    """When it does; what of that is lost. A ramp below 0 is one that ends with nudging."""
    ramp = v.number("dtramp_min") if v.flag("if_ramping") else 0
    end = v.number("gfdda_end_h")
    if end <= 0:
        return ["nudging lasts for the whole run; in WRF it ends at gfdda_end_h, which is its start"]
    settings["nudging.end"] = f"{end + min(ramp, 0) / 60:g} h"
    if ramp:
        settings["nudging.ramp"] = f"{abs(ramp):g} min"
    return []


_FILTERS = {1: "lanczos", 7: "dolph"}
_STARTS = {1: "launch", 2: "diabatic", 3: "twice"}


def _filter_span(v: Values, option: int) -> tuple[float, str]:
    """How long is filtered [s], and what that loses. The launch goes from the start to dfi_fwdstop, the
    diabatic filter from dfi_bckstop to dfi_fwdstop; that which is made twice back from the start to
    dfi_bckstop and, from the middle of that, to dfi_fwdstop."""
    start, back, forward = (date_of(v, which) for which in ("start", "dfi_bckstop", "dfi_fwdstop"))
    before, after = (start - back).total_seconds(), (forward - start).total_seconds()
    if option not in (2, 3):
        return (
            (after, "")
            if after > 0
            else (3600, "dfi_fwdstop is not after the start: a span of one hour is used")
        )
    if before <= 0 or after <= 0:
        return 3600, "the start is not between dfi_bckstop and dfi_fwdstop: a span of one hour is used"
    half = before / 2 if option == 3 else before
    uneven = (
        f"the filter integrates equally far forward and backward from the start, {quantity(half)}, so its "
        f"mean is centred on the start"
    )
    return 2 * half, "" if after == half else uneven


def _digital_filter(v: Values) -> Outcome:
    option, window = v.whole("dfi_opt"), v.whole("dfi_nfilter")
    if option == 0:
        return Outcome({})
    span, uneven = _filter_span(v, option)
    settings: dict[str, Setting] = {
        "digital_filter.span": quantity(span),
        "digital_filter.scheme": _STARTS.get(option, "launch"),
        "digital_filter.weights": _FILTERS.get(window, "dolph"),
        "digital_filter.cutoff": f"{v.number('dfi_cutoff_seconds'):g} s",
    }
    lost = [] if window in _FILTERS else [f"dfi_nfilter = {window} is replaced by Dolph's filter"]
    if option not in _STARTS:
        lost.append(f"dfi_opt = {option} is unknown: the digital filter launch is used")
    if uneven:
        lost.append(uneven)
    if v.number("time_step_dfi") > 0:
        lost.append("the filter's time step is the run's, not time_step_dfi")
    return Outcome(settings, "; ".join(lost))


SEA = Rule(
    {"physics.sst_update": 0, "time_control.auxinput4_inname": "wrflowinp_d<domain>", **FLUXES},
    "`boundary.lower_file`",
    _sea,
    "linear in time between the analyses, VEGFRA and with Noah-MP LAI too; needs a boundary layer scheme",
)
SEA_ICE = Rule(
    {
        "physics.fractional_seaice": 0, "physics.sf_surface_physics": -1, "physics.ra_lw_physics": -1,
        "physics.ra_sw_physics": -1, "physics.isfflx": 1, **FLUXES,
    },
    "`physics.fractional_sea_ice`", _sea_ice, "needs a land model with soil water, fluxes and radiation",
)  # fmt: skip
SEA_SKIN = Rule(
    {"physics.sst_skin": 0, "physics.ra_lw_physics": -1, "physics.ra_sw_physics": -1, **FLUXES},
    '`physics.sea_skin`: 1: `"zeng-beljaars"`', _skin, "needs a boundary layer scheme and radiation",
)  # fmt: skip
NUDGING = Rule(
    _FDDA,
    '`nudging.file`, `wind`, `temperature`, `moisture`, `geopotential`, each with `_in_boundary_layer`, '
    '`_above` and `_growth`; `scheme`: grid_fdda 2 `"spectral"`; `waves_x`, `waves_y`, `lid`, `end`, `ramp`',
    _nudging, "none where all coefficients are 0; of grid_fdda 1 without if_zfac",
)  # fmt: skip
DIGITAL_FILTER = Rule(
    _DFI,
    '`digital_filter.scheme`: 1: `"launch"`, 2: `"diabatic"`, 3: `"twice"`; `weights`: dfi_nfilter 1: '
    '`"lanczos"`, 7: `"dolph"`; `cutoff`; `span`: 1: `dfi_fwdstop` less `start`, 2: twice `start` less '
    "`dfi_bckstop`, 3: `start` less `dfi_bckstop`",
    _digital_filter, "the forward part of 2 and 3 extends half the span beyond the start, regardless of "
    "dfi_fwdstop",
)  # fmt: skip
