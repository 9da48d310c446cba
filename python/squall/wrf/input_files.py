"""Finds differences between a namelist and the input files beside it.

WRF stops at most of these; Squall uses size, spacing and date of the files.
"""

from collections.abc import Iterator
from pathlib import Path

from squall.errors import UserError
from squall.wrf.dates import end_of_run, time_of, written
from squall.wrf.initial_file import attributes_of, times_of
from squall.wrf.namelist import Namelist
from squall.wrf.run_rules import BOUNDARY_FILE, INITIAL_FILE

#: Of the namelist's group &domains and of files of WRF's, by what they say. Extents count faces.
_SIZES = {"e_we": "west-east_grid_dimension", "e_sn": "south-north_grid_dimension",
          "e_vert": "bottom-top_grid_dimension"}  # fmt: skip
_PLACES = ("i_parent_start", "j_parent_start", "parent_grid_ratio")


def differences(namelist: Namelist, folder: Path) -> list[str]:
    """A sentence each, those of the date first; none of files that are not there."""
    told = []
    domains = range(1, int(namelist.column("domains.max_dom") or 1) + 1)
    for domain in domains:
        file = folder / namelist.file("input_inname", INITIAL_FILE, domain)
        if file.is_file():
            told += [f"{file.name}: {what}" for what in _of_initial_file(namelist, domain, file)]
    boundary = folder / namelist.file("bdy_inname", BOUNDARY_FILE, 1)
    if boundary.is_file() and namelist.column("bdy_control.specified"):
        told += [f"{boundary.name}: {what}" for what in _of_boundary_file(namelist, boundary)]
    return sorted(told, key=lambda what: "begin" not in what)


def _of_initial_file(namelist: Namelist, domain: int, file: Path) -> Iterator[str]:
    found = attributes_of(file)
    start, told = time_of(namelist, "start", domain), found.get("start_date")
    theirs = written(told)
    if told is not None and theirs is None:
        yield f"its start_date, {told}, is not a date"
    elif start is not None and theirs is not None and start != theirs:
        yield f"its state is valid at {theirs}, but the namelist starts at {start}"
    sizes = _SIZES if domain == 1 else _SIZES | {key: key for key in _PLACES}
    for key, name in sizes.items():
        wanted = namelist.column(f"domains.{key}", domain)
        if wanted is None and key == "e_vert":
            wanted = namelist.column(f"domains.{key}")
        if wanted is not None and name in found and int(wanted) != int(found[name]):
            yield f"it has {key} = {found[name]}, the namelist {int(wanted)}"
    for key in ("dx", "dy"):
        spacing = _spacing(namelist, key, domain)
        if spacing is not None and key in found and abs(float(found[key]) - spacing) > 1e-3 * spacing:
            yield f"its {key} is {float(found[key]):g} m, the namelist's {spacing:g} m"


def _spacing(namelist: Namelist, key: str, domain: int) -> float | None:
    """As WRF has it of a nest: its parent's over the ratio, whatever its own column says."""
    if domain == 1:
        own = namelist.column(f"domains.{key}")
        return None if own is None else float(own)
    parent = int(namelist.column("domains.parent_id", domain) or 1)
    outer = _spacing(namelist, key, parent) if parent < domain else None
    ratio = namelist.column("domains.parent_grid_ratio", domain)
    return None if outer is None or ratio is None else outer / float(ratio)


def _of_boundary_file(namelist: Namelist, file: Path) -> Iterator[str]:
    try:
        first, last = times_of(file)
    except UserError:
        return  # what reads it says so
    start = time_of(namelist, "start", 1)
    if start is None:
        return
    if start < first:
        yield f"its records begin at {first}, the namelist at {start}"
    end = end_of_run(namelist)
    if end is not None and end > last:
        yield f"its records end at {last}, the namelist runs to {end}"
