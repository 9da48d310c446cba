"""Nests of a namelist as tables [nest.<name>] of a run file.

Unlike the rules of other keys, those of a nest look at a column of the namelist that is not the first.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from squall.wrf.namelist import Namelist, Value
from squall.wrf.rules import Setting

#: What a nest is made of, by the key of the run file. WRF's extents count faces: one more than cells.
_PLACE = {"i_parent_start": "i_parent_start", "j_parent_start": "j_parent_start", "nx": "e_we", "ny": "e_sn"}
_TOLD = ("parent_id", "parent_grid_ratio", "i_parent_start", "j_parent_start", "e_we", "e_sn")


@dataclass(frozen=True)
class Nest:
    """One nest: its keys as the namelist has them, the settings they become, and what is lost of it."""

    wrf: str
    settings: dict[str, Setting]
    lost: str


def nests(namelist: Namelist) -> Iterator[Nest]:
    """The nests of max_dom, by number. One whose place the namelist does not say has no settings."""
    for domain in range(2, int(namelist.column("domains.max_dom") or 1) + 1):
        yield _nest(namelist, domain)


def _nest(namelist: Namelist, domain: int) -> Nest:
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
    return Nest(
        wrf, {f"nest.d{domain:02d}.{key}": value for key, value in settings.items()}, _lost(namelist, domain)
    )


def _lost(namelist: Namelist, domain: int) -> str:
    """What a run makes otherwise than WRF."""
    lost = []
    if namelist.column("time_control.input_from_file", domain):
        lost.append("it begins with its parent's state and terrain, not with its own wrfinput file")
    smooth = namelist.column("domains.smooth_option")
    two_way = (
        int(namelist.column("domains.feedback") or 0) != 0 or namelist.column("domains.feedback") is None
    )
    if two_way and (smooth is None or int(smooth) != 0):
        lost.append("what its parent takes from it is not smoothed (smooth_option)")
    return "; ".join(lost)
