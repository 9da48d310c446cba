"""Nests of a namelist as tables [nest.<name>] of a run file.

Unlike the rules of other keys, those of a nest look at a column of the namelist that is not the first.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from squall.wrf.dates import moment
from squall.wrf.namelist import Namelist, Value
from squall.wrf.nest_schemes import parents_schemes
from squall.wrf.rules import Setting
from squall.wrf.weather_rules import CUMULUS

#: What a nest is made of, by the key of the run file. WRF's extents count faces: one more than cells.
_PLACE = {"i_parent_start": "i_parent_start", "j_parent_start": "j_parent_start", "nx": "e_we", "ny": "e_sn"}
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
#: What a nest that moves does without.
_GROUND = ("initial_file", "blend_rows")


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
    def of(key: str) -> Value | None:
        return namelist.column(f"domains.{key}", domain)

    told = ", ".join(f"{key} = {value}" for key in _TOLD if (value := of(key)) is not None)
    wrf = f"nest d{domain:02d}: {told}"
    place = {key: of(theirs) for key, theirs in _PLACE.items()}
    if missing := [_PLACE[key] for key, value in place.items() if value is None]:
        return Nest(wrf, {}, f"the namelist does not say where it lies ({', '.join(missing)}): not run")
    settings: dict[str, Setting] = {key: int(value) for key, value in place.items() if value is not None}
    settings["nx"], settings["ny"] = int(settings["nx"]) - 1, int(settings["ny"]) - 1  # type: ignore[arg-type]
    parent = int(of("parent_id") or 1)
    if parent > 1:
        settings["parent"] = f"d{parent:02d}"
    ratio = int(of("parent_grid_ratio") or 3)
    steps = int(of("parent_time_step_ratio") or ratio)
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
    cumulus, parents = (namelist.column("physics.cu_physics", number) for number in (domain, parent))
    if cumulus is not None and parents is not None and bool(int(cumulus)) != bool(int(parents)):
        settings["cumulus"] = CUMULUS.get(int(cumulus), "kain-fritsch") if int(cumulus) else "none"
    if namelist.column("time_control.input_from_file", domain) and not _own_levels(namelist, domain):
        settings["initial_file"] = f"wrfinput_d{domain:02d}"
        blend = namelist.column("domains.blend_width")
        if blend is not None and int(blend) != 5:
            settings["blend_rows"] = int(blend)
    settings |= _life(namelist, domain)
    moves = _moves(namelist, domain)
    if moves:  # over its parent's ground
        settings = {key: value for key, value in settings.items() if key not in _GROUND} | moves
    lost = [*parents_schemes(namelist, domain, outermost), *_lost(namelist, domain)]
    return Nest(wrf, {f"nest.d{domain:02d}.{key}": value for key, value in settings.items()}, "; ".join(lost))


def _own_levels(namelist: Namelist, domain: int) -> str:
    """What the namelist says of levels that are not the outermost domain's, and with them its parent's, as
    WRF's vertical refinement has them; empty: nothing. Levels of several domains stand behind each other in
    eta_levels, where they are refined by method 2."""
    counts = [int(namelist.column("domains.e_vert", number) or 0) for number in range(1, domain + 1)]
    if counts[-1] and counts[-1] != counts[0]:
        return f"e_vert = {counts[-1]}, the outermost domain's {counts[0]}"
    eta = namelist.numbers("domains.eta_levels") or []
    below = sum(counts[:-1])
    own = eta[below : below + counts[-1]]
    refined = int(namelist.column("domains.vert_refine_method", domain) or 0)
    if refined and own and own != eta[: counts[0]]:
        return "eta_levels of its own"
    return ""


def _moves(namelist: Namelist, domain: int) -> dict[str, Setting]:
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
    for number in range(1, int(namelist.column("domains.num_moves") or 0) + 1):
        move = [
            namelist.column(f"domains.{key}", number)
            for key in ("move_id", "move_interval", "move_cd_x", "move_cd_y")
        ]
        if None not in move:
            yield tuple(float(part or 0) for part in move)


def _life(namelist: Namelist, domain: int) -> dict[str, Setting]:
    """When it begins and ends, where that is not with the run."""
    life: dict[str, Setting] = {}
    for key, theirs in (("start", "start"), ("end", "end")):
        run, own = time_of(namelist, theirs, 1), time_of(namelist, theirs, domain)
        begun = time_of(namelist, "start", 1)
        if run is not None and own is not None and begun is not None and own != run:
            life[key] = f"{(own - begun).total_seconds():g} s"
    return life


def time_of(namelist: Namelist, which: str, domain: int) -> datetime | None:
    """time_control.start_year and so on, or start_date, of a domain; None: not told. Raises UserError."""
    whole = namelist.column(f"time_control.{which}_date", domain)
    if whole is not None:
        return datetime.fromisoformat(str(whole).replace("_", "T"))
    parts = [
        namelist.column(f"time_control.{which}_{unit}", domain)
        for unit in ("year", "month", "day", "hour", "minute", "second")
    ]
    if any(part is None for part in parts[:3]):
        return None
    return moment(which, [int(part or 0) for part in parts])


def _lost(namelist: Namelist, domain: int) -> list[str]:
    """What a run makes otherwise than WRF of where a nest's values come from."""
    lost = []
    method = int(namelist.column("domains.interp_method_type") or 2)
    if method not in _INTERPOLATION:
        lost.append(
            f"its parent is interpolated by the monotone scheme, not by interp_method_type = {method}"
        )
    levels = _own_levels(namelist, domain)
    if levels:
        lost.append(f"its levels are its parent's ({levels})")
    if levels and namelist.column("time_control.input_from_file", domain):
        lost.append(
            "it begins as its parent and has its ground, not those of its own file, which has other levels"
        )
    elif _moves(namelist, domain) and namelist.column("time_control.input_from_file", domain):
        lost.append("a nest that moves begins as its parent and has its ground, not those of its own file")
    elif namelist.column("time_control.fine_input_stream", domain):
        lost.append("of its own file the state is used too, where it begins with the run (fine_input_stream)")
    return lost
