"""Rules for time, domain, lateral boundaries and output."""

from datetime import datetime

from squall.errors import UserError
from squall.run_files.time_steps import step_up_to
from squall.wrf.dates import UNITS, moment
from squall.wrf.namelist import Value
from squall.wrf.rules import Outcome, Rule, Setting, Values, off

#: The names of WRF's input files where a namelist has no others.
INITIAL_FILE, BOUNDARY_FILE = "wrfinput_d<domain>", "wrfbdy_d<domain>"
_RUN = {"run_days": 86400, "run_hours": 3600, "run_minutes": 60, "run_seconds": 1}
_ENGINES = {2: "netcdf", 11: "pnetcdf", 13: "netcdf-parallel", 14: "adios", 22: "adios", 102: "netcdf-split"}


def quantity(seconds: float) -> str:
    """A time as a run file has it, in its largest whole unit."""
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds > 0 and seconds % length == 0:
            return f"{seconds / length:.15g} {unit}"
    return f"{seconds:.15g} s"


def date_keys(group: str, which: str, default: tuple[int, ...]) -> dict[str, Value]:
    """The six keys of a date with WRF's defaults."""
    return {f"{group}.{which}_{part}": number for part, number in zip(UNITS, default, strict=True)}


def date_of(v: Values, which: str) -> datetime:
    """Of the keys start_year, start_month, ..."""
    return moment(which, [v.whole(f"{which}_{part}") for part in UNITS])


def _duration(v: Values) -> Outcome:
    seconds = sum(v.number(key) * length for key, length in _RUN.items())
    if seconds == 0:
        start, end = date_of(v, "start"), date_of(v, "end")
        seconds = (end - start).total_seconds()
        if seconds < 0:
            raise UserError(
                f"The run ends at {end:%Y-%m-%d %H:%M:%S}, before it starts at {start:%Y-%m-%d %H:%M:%S}: "
                f"check end_year, end_month, ..., or set run_hours."
            )
    if seconds <= 0:
        raise UserError("run_days, run_hours, ... and the dates start_* and end_* define a run of no length.")
    if v.flag("restart"):
        return Outcome(
            {"run.duration": quantity(seconds)},
            "WRF restart files are not read: the run starts from the initial file; to continue a Squall "
            "run, name its restart frame in run.restart_from and count run.duration from the start of "
            "that run",
        )
    return Outcome({"run.duration": quantity(seconds)})


def _time_step(v: Values) -> Outcome:
    step = v.number("time_step") + v.number("time_step_fract_num") / v.number("time_step_fract_den")
    usual = 6e-3 * min(v.number("dx"), v.number("dy"))
    if v.flag("use_adaptive_time_step"):
        first = max(v.number("starting_time_step"), 0) or step
        return _adaptive(v, first if first > 0 else usual)
    if step <= 0:
        proposed = float(step_up_to(usual))
        return Outcome(
            {"run.time_step": quantity(proposed)},
            f"the namelist has none: {proposed:g} s is proposed, as usual for its grid spacing",
        )
    return Outcome({"run.time_step": quantity(step)})


def _adaptive(v: Values, first: float) -> Outcome:
    """WRF's bounds of -1 are 3 and 8 s per km, of which the second is Squall's too."""
    least, most = v.number("min_time_step"), v.number("max_time_step")
    settings: dict[str, Setting] = {
        "run.time_step": quantity(first),
        "run.adaptive_time_step": True,
        "run.target_courant_horizontal": v.number("target_hcfl"),
        "run.target_courant_vertical": v.number("target_cfl"),
        "run.max_step_increase": v.number("max_step_increase_pct") / 100,
    }
    least = least if least > 0 else 3e-3 * min(v.number("dx"), v.number("dy"))
    settings["run.min_time_step"] = quantity(min(least, first))
    if most > 0:
        settings["run.max_time_step"] = quantity(max(most, first))
    return Outcome(settings)


def _substeps(v: Values) -> Outcome:
    asked = v.whole("time_step_sound")
    if asked == 0:
        step = v.number("time_step") + v.number("time_step_fract_num") / v.number("time_step_fract_den")
        asked = max(2 * (int(300 * step / min(v.number("dx"), v.number("dy")) - 0.01) + 1), 4)
    if asked % 2:
        return Outcome(
            {"run.acoustic_substeps": asked + 1}, "the number of acoustic substeps must be even: one is added"
        )
    return Outcome({"run.acoustic_substeps": asked})


_SIDES = {"west": "xs", "east": "xe", "south": "ys", "north": "ye"}


def _side(v: Values, ending: str) -> str | None:
    if v.flag(f"periodic_{ending[0]}"):
        return "periodic"
    if v.flag(f"symmetric_{ending}"):
        return "symmetric"
    if v.flag(f"open_{ending}"):
        return "open"
    return "specified" if v.flag("specified") else None


def _boundaries(v: Values) -> Outcome:
    sides = {side: _side(v, ending) for side, ending in _SIDES.items()}
    settings: dict[str, Setting] = {f"domain.boundary_{s}": kind for s, kind in sides.items() if kind}
    lost = []
    if "specified" in sides.values():
        settings["boundary.file"] = str(v["bdy_inname"])
        settings["boundary.specified_rows"] = v.whole("spec_zone")
        settings["boundary.relaxation_rows"] = v.whole("relax_zone")
        if v.number("spec_exp") > 0:
            settings["boundary.relaxation_decay"] = v.number("spec_exp")
        if v.flag("multi_bdy_files"):
            lost.append("only one boundary file is read: join them")
    if set(sides.values()) == {"specified"}:  # as boundary.file alone says
        settings = {key: value for key, value in settings.items() if not key.startswith("domain.")}
    if None in sides.values():
        lost.append("some sides have no boundary condition: they become periodic")
    if v.flag("polar"):
        lost.append("polar boundaries and the polar filter are not supported")
    return Outcome(settings, "; ".join(lost))


def interval_of(v: Values, stream: str) -> float:
    """Seconds between frames of WRF's `stream`: history, restart, auxhist3, ..."""
    minutes = v.number(f"{stream}_interval_m") or v.number(f"{stream}_interval")
    parts = (("d", 86400), ("h", 3600), ("s", 1))
    return minutes * 60 + sum(v.number(f"{stream}_interval_{part}") * length for part, length in parts)


def frames_in_a_file(v: Values, stream: str) -> int:
    """WRF closes a file after the frame with which it holds so many: below 1 after each."""
    return max(v.whole(f"frames_per_{stream}"), 1)


def _engine(v: Values, stream: str) -> tuple[dict[str, Setting], str]:
    form = v.whole(f"io_form_{stream}")
    if form in _ENGINES:
        return {f"output.{stream}.engine": _ENGINES[form]}, ""
    return {}, f"format {form} is not supported: netCDF is written"


def _history(v: Values) -> Outcome:
    interval = interval_of(v, "history")
    if interval <= 0 or v.whole("io_form_history") == 0:
        return Outcome({"output.history.interval": "0 s"})
    engine, lost = _engine(v, "history")
    name = str(v["history_outname"]).replace("<date>", "%Y-%m-%d_%H:%M:%S")
    settings: dict[str, Setting] = {
        "output.history.interval": quantity(interval),
        "output.history.path": name.replace(":", "_") if v.flag("nocolons") else name,
        "output.history.frames_per_file": frames_in_a_file(v, "outfile"),
    }
    return Outcome(settings | engine, "; ".join(filter(None, (lost, late(v, "history")))))


def _restart(v: Values) -> Outcome:
    interval = interval_of(v, "restart")
    if interval <= 0 or v.whole("io_form_restart") == 0:
        return Outcome({})
    engine, lost = _engine(v, "restart")
    return Outcome({"output.restart.interval": quantity(interval)} | engine, lost)


def _servers(v: Values) -> Outcome:
    groups, tasks = v.whole("nio_groups"), v.whole("nio_tasks_per_group")
    if tasks == 0:
        return Outcome({})
    return Outcome({"output.servers": groups * tasks, "output.groups": groups})


def _ranks(v: Values) -> Outcome:
    pairs = {"parallel.ranks_x": v.whole("nproc_x"), "parallel.ranks_y": v.whole("nproc_y")}
    return Outcome({key: ranks for key, ranks in pairs.items() if ranks > 0})


def _tiles(v: Values) -> Outcome:
    pairs = {f"parallel.tile_{x}": v.whole(f"tile_sz_{x}") for x in "xy"}
    return Outcome({key: cells for key, cells in pairs.items() if cells > 0})


def interval_keys(stream: str) -> dict[str, Value]:
    """The keys that say so, with WRF's defaults."""
    suffixes = ("", "_d", "_h", "_m", "_s")
    return {f"time_control.{stream}_interval{suffix}": 0 for suffix in suffixes}


def late_keys(stream: str) -> dict[str, Value]:
    """The keys that say when a stream begins and ends, with WRF's defaults."""
    suffixes = ("", "_d", "_h", "_m", "_s")
    return {f"time_control.{stream}_{word}{suffix}": 0 for word in ("begin", "end") for suffix in suffixes}


def late(v: Values, stream: str) -> str:
    """What is lost of them, in words."""
    told = any(v.number(key.split(".")[1]) for key in late_keys(stream))
    return f"{stream} is written from the start to the end" if told else ""


START = date_keys("time_control", "start", (1993, 3, 13, 12, 0, 0))
_TIME = (
    {f"time_control.{key}": 0 for key in _RUN}
    | START
    | date_keys("time_control", "end", (1993, 3, 14, 12, 0, 0))
)
_STEP: dict[str, Value] = {
    "domains.time_step": -1,
    "domains.time_step_fract_num": 0,
    "domains.time_step_fract_den": 1,
}
_SPACING: dict[str, Value] = {"domains.dx": 200.0, "domains.dy": 200.0}
_CLOSED = {f"bdy_control.{kind}_{e}": False for kind in ("symmetric", "open") for e in _SIDES.values()}
_BOUNDARY: dict[str, Value] = {
    "bdy_control.specified": False,
    "bdy_control.spec_zone": 1,
    "bdy_control.relax_zone": 4,
    "bdy_control.spec_exp": 0.0,
    "bdy_control.multi_bdy_files": False,
    "bdy_control.periodic_x": False,
    "bdy_control.periodic_y": False,
    **_CLOSED,
    "bdy_control.polar": False,
    "time_control.bdy_inname": BOUNDARY_FILE,
}

HISTORY_RULE = Rule(
    interval_keys("history")
    | late_keys("history")
    | {
        "time_control.history_outname": "wrfout_d<domain>_<date>",
        "time_control.nocolons": False,
        "time_control.frames_per_outfile": 10,
        "time_control.io_form_history": 2,
    },
    "`output.history.interval`, `path`, `frames_per_file`, `engine`",
    _history,
    "io_form 2: `netcdf`, 11: `pnetcdf`, 13: `netcdf-parallel`, 14 and 22: `adios`, 102: `netcdf-split`",
)

RUN_RULES = [
    Rule(
        _TIME | {"time_control.restart": False},
        "`run.duration`; the start is that of the initial file",
        _duration,
        "from run_days to run_seconds if given, else the time between the dates",
    ),
    Rule(
        _STEP
        | _SPACING
        | {
            "domains.use_adaptive_time_step": False,
            "domains.starting_time_step": -1,
            "domains.min_time_step": -1,
            "domains.max_time_step": -1,
            "domains.target_cfl": 1.2,
            "domains.target_hcfl": 0.84,
            "domains.max_step_increase_pct": 5,
            "domains.adaptation_domain": 1,
            "domains.step_to_output_time": True,
        },
        "`run.time_step`; `dx`, `dy` are those of the initial file; `adaptive_time_step`, "
        "`target_courant_horizontal`, `target_courant_vertical`, `max_step_increase`, `min_time_step`, "
        "`max_time_step`",
        _time_step,
        "the adaptive step considers all domains and always meets output times; the horizontal Courant "
        "number is the sum of both directions",
    ),
    Rule(
        {"dynamics.time_step_sound": 0} | _STEP | _SPACING,
        "`run.acoustic_substeps`",
        _substeps,
        "for 0, WRF's choice is used",
    ),
    Rule(
        {"time_control.input_inname": INITIAL_FILE},
        "`initial.file`",
        lambda v: Outcome({"initial.file": str(v["input_inname"])}),
    ),
    Rule(
        _BOUNDARY,
        "`boundary.file`, `specified_rows`, `relaxation_rows`; "
        "`domain.boundary_west`, `_east`, `_south`, `_north`",
        _boundaries,
    ),
    HISTORY_RULE,
    Rule(
        interval_keys("restart") | {"time_control.io_form_restart": 2},
        "`output.restart.interval`, `engine`",
        _restart,
    ),
    Rule(
        {"namelist_quilt.nio_tasks_per_group": 0, "namelist_quilt.nio_groups": 1},
        "`output.servers` (of all groups), `output.groups`",
        _servers,
    ),
    Rule({"domains.nproc_x": -1, "domains.nproc_y": -1}, "`parallel.ranks_x`, `ranks_y`", _ranks),
    Rule({"domains.tile_sz_x": 0, "domains.tile_sz_y": 0}, "`parallel.tile_x`, `tile_y`", _tiles),
    off("time_control.cycling", False, "has no effect: the run starts like any other"),
    off(
        "time_control.write_hist_at_0h_rst",
        False,
        "a continued run does not rewrite the frame it starts from",
    ),
]
