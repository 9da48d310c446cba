"""Translates nests of a namelist to tables [nest.<name>] of a run file.

Unlike the rules of other keys, those of a nest look at a column of the namelist that is not the first.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from squall.wrf.dates import end_of_run, parts_of, time_of
from squall.wrf.namelist import Namelist, Value
from squall.wrf.nest_schemes import own_schemes, parent_of, parents_schemes
from squall.wrf.rules import Setting
from squall.wrf.run_rules import INITIAL_FILE

#: What tells where a nest lies. WRF's extents count faces: one more than cells.
_PLACE = ("parent_id", "i_parent_start", "j_parent_start", "e_we", "e_sn", "parent_grid_ratio")
_TOLD = ("parent_id", "parent_grid_ratio", "i_parent_start", "j_parent_start", "e_we", "e_sn")
_SMOOTHING = {0: "none", 1: "1-2-1", 2: "smooth-desmooth"}
_INTERPOLATION = {1: "bilinear", 2: "monotone", 3: "nearest"}
#: Of a nest that follows a vortex, with WRF's defaults: minutes, m/s, cells of the parent, Pa, minutes.
_VORTEX: dict[str, Value] = {
    "vortex_interval": 15,
    "max_vortex_speed": 40,
    "corral_dist": 8,
    "track_level": 50000,
    "time_to_move": 0,
}
#: Seconds that a digital filter takes, the default of its span, in which there are no nests.
FILTERED = 3600
#: What a nest that moves does without.
_GROUND = ("initial_file", "lower_file", "aerosol_file", "blend_rows")


@dataclass(frozen=True)
class Nest:
    """One nest: its keys as the namelist has them, the settings they become, and what is lost of it."""

    wrf: str
    settings: dict[str, Setting]
    lost: str


def nests(namelist: Namelist, outermost: Mapping[str, Setting]) -> Iterator[Nest]:
    """The nests of max_dom, by number. One whose place the namelist does not say has no settings.
    `outermost`: settings of the first domain that are no defaults."""
    for domain in range(2, int(namelist.column("domains.max_dom") or 1) + 1):
        yield _nest(namelist, domain, outermost)


def _nest(namelist: Namelist, domain: int, outermost: Mapping[str, Setting]) -> Nest:
    told = ", ".join(
        f"{key} = {value}"
        for key in _TOLD
        if (value := namelist.column(f"domains.{key}", domain)) is not None
    )
    wrf = f"nest d{domain:02d}: {told}"
    if why := not_run(namelist, domain):
        return Nest(wrf, {}, why)
    settings = _place(namelist, domain) | own_schemes(namelist, domain, outermost)
    settings |= _files(namelist, domain, outermost) | _life(namelist, domain)
    lost = _lost(namelist, domain)
    filtered = outermost.get("digital_filter.scheme")
    if filtered == "launch" and _begins(namelist, domain) < FILTERED:
        settings["start"] = f"{FILTERED} s"
        lost.append("it starts when the outermost domain has been filtered, an hour after the run")
    elif filtered and _begins(namelist, domain) == 0:
        settings["start"] = outermost["run.time_step"]
        lost.append("it starts one time step after the outermost domain, which is filtered first")
    if path := moves(namelist, domain):  # over its parent's ground
        settings = {key: value for key, value in settings.items() if key not in _GROUND} | path
    if "initial_file" not in settings:  # which brings its levels
        settings |= _levels(namelist, domain)
    lost = [*parents_schemes(namelist, domain, outermost), *lost]
    return Nest(wrf, {f"nest.d{domain:02d}.{key}": value for key, value in settings.items()}, "; ".join(lost))


def not_run(namelist: Namelist, domain: int) -> str:
    """Why a nest is not run, in words; empty: it is."""
    around = domain
    while around > 1:
        missing = [key for key in _PLACE if namelist.column(f"domains.{key}", around) is None]
        if missing and around == domain:
            return f"the namelist does not give its position ({', '.join(missing)}), so it is not run"
        if missing:
            return f"its parent, d{around:02d}, is not run, so it is not run either"
        around = parent_of(namelist, around)
    return ""


def steps_of(namelist: Namelist, domain: int) -> int:
    """Time steps of a nest in one of its parent's."""
    own = namelist.column("domains.parent_time_step_ratio", domain)
    return int(own or namelist.column("domains.parent_grid_ratio", domain) or 1)


def _place(namelist: Namelist, domain: int) -> dict[str, Setting]:
    """Where it lies, its steps, and what it and its parent tell each other."""
    place = {key: int(namelist.column(f"domains.{key}", domain) or 0) for key in _PLACE}
    settings: dict[str, Setting] = {key: place[key] for key in ("i_parent_start", "j_parent_start")}
    settings |= {"nx": place["e_we"] - 1, "ny": place["e_sn"] - 1}
    if place["parent_id"] > 1:
        settings["parent"] = f"d{place['parent_id']:02d}"
    ratio = place["parent_grid_ratio"]
    steps = steps_of(namelist, domain)
    settings["parent_grid_ratio"] = ratio
    if steps != ratio:
        settings["parent_time_step_ratio"] = steps
    feedback = namelist.column("domains.feedback")
    settings["feedback"] = feedback is None or int(feedback) != 0
    if settings["feedback"]:
        smoothing = namelist.column("domains.smooth_option")
        settings["smoothing"] = _SMOOTHING.get(2 if smoothing is None else int(smoothing), "smooth-desmooth")
    rule = _INTERPOLATION.get(int(namelist.column("domains.interp_method_type") or 2))
    if rule not in (None, "monotone"):
        settings["interpolation"] = rule
    return settings


def _files(namelist: Namelist, domain: int, outermost: Mapping[str, Setting]) -> dict[str, Setting]:
    settings: dict[str, Setting] = {}
    if namelist.column("time_control.input_from_file", domain):
        settings["initial_file"] = namelist.file("input_inname", INITIAL_FILE, domain)
        if "boundary.lower_file" in outermost:
            settings["lower_file"] = namelist.file("auxinput4_inname", "wrflowinp_d<domain>", domain)
        blend = namelist.column("domains.blend_width")
        if blend is not None and int(blend) != 5:
            settings["blend_rows"] = int(blend)
    aerosol = str(namelist.column("time_control.auxinput15_inname") or "")
    if "physics.aerosol_file" in outermost and "<domain>" in aerosol:
        settings["aerosol_file"] = namelist.file("auxinput15_inname", "", domain)
    return settings


def _levels(namelist: Namelist, domain: int) -> dict[str, Setting]:
    """The levels of a domain where they are not its parent's, as WRF's vertical refinement has them. Levels
    of several domains stand behind each other in eta_levels, where they are refined by method 2."""

    def layers(number: int) -> int:
        return int(namelist.column("domains.e_vert", number) or 0)

    def told(number: int) -> list[float]:
        eta = namelist.numbers("domains.eta_levels") or []
        below = sum(layers(other) for other in range(1, number))
        return eta[below : below + layers(number)]

    parent = parent_of(namelist, domain)
    refined = int(namelist.column("domains.vert_refine_method", domain) or 0)
    own = told(domain)
    if refined == 2 and own and own[0] == 1 and own[-1] == 0 and own != told(parent):
        return {"eta": own}
    if layers(domain) and layers(domain) != layers(parent):
        return {"nz": layers(domain) - 1}
    return {}


def moves(namelist: Namelist, domain: int) -> dict[str, Setting]:
    """How it moves: by a list of moves, each of some nest, or after a vortex, as a WRF that is built for that
    does, if the namelist says anything of how."""
    planned = [
        f"{minutes:g} min, {int(east)}, {int(north)}"
        for number, minutes, east, north in _planned(namelist)
        if number == domain
    ]
    if planned:
        return {"moves": planned}
    given = {key: namelist.column(f"domains.{key}", domain) for key in _VORTEX}
    if all(value is None for value in given.values()):
        return {}
    told = {key: default if given[key] is None else given[key] for key, default in _VORTEX.items()}
    settings: dict[str, Setting] = {
        "follow": "vortex",
        "follow_interval": f"{told['vortex_interval']:g} min",
        "follow_speed": f"{told['max_vortex_speed']:g} m/s",
        "follow_margin": int(told["corral_dist"] or 0),
        "follow_level": f"{float(told['track_level'] or 0) / 100:g} hPa",
    }
    if told["time_to_move"]:
        settings["follow_start"] = f"{told['time_to_move']:g} min"
    return settings


def _planned(namelist: Namelist) -> Iterator[tuple[float, ...]]:
    """Of each move the nest, the minutes after the start, and cells of the parent eastward and northward."""
    listed = min(int(namelist.column("domains.num_moves") or 0), len(namelist.columns("domains.move_id")))
    for number in range(1, listed + 1):
        move = [
            namelist.column(f"domains.{key}", number)
            for key in ("move_id", "move_interval", "move_cd_x", "move_cd_y")
        ]
        if None not in move:
            yield tuple(float(part or 0) for part in move)


def _life(namelist: Namelist, domain: int) -> dict[str, Setting]:
    """When it begins and ends, where that is not with the run, whose own end counts only where nothing says
    how long it is."""
    run, own = time_of(namelist, "start", 1), time_of(namelist, "start", domain)
    if run is None:
        return {}
    life: dict[str, Setting] = {}
    if own is not None and own != run:
        life["start"] = f"{(own - run).total_seconds():g} s"
    told = parts_of(namelist, "end", domain)
    if None in told[:3] or told == parts_of(namelist, "end", 1):
        return life
    own, run_end = time_of(namelist, "end", domain), end_of_run(namelist)
    if own is not None and run_end is not None and own != run_end:
        life["end"] = f"{(own - run).total_seconds():g} s"
    return life


def _begins(namelist: Namelist, domain: int) -> float:
    """In seconds after the run does."""
    run, own = time_of(namelist, "start", 1), time_of(namelist, "start", domain)
    return 0 if run is None or own is None else (own - run).total_seconds()


def _lost(namelist: Namelist, domain: int) -> list[str]:
    """What a run makes otherwise than WRF of where a nest's values come from."""
    lost = []
    method = int(namelist.column("domains.interp_method_type") or 2)
    if method not in _INTERPOLATION:
        lost.append(
            f"it is interpolated from its parent by the monotone scheme, not by interp_method_type = {method}"
        )
    if moves(namelist, domain) and namelist.column("time_control.input_from_file", domain):
        lost.append(
            "a moving nest takes its initial state and land surface from its parent, not from its own file"
        )
    elif namelist.column("time_control.fine_input_stream", domain):
        lost.append(
            "if it starts with the run, the atmospheric state of its own file is used too (fine_input_stream)"
        )
    return lost
