"""Nests: their tables in the run file, and their domains.

Positions are WRF's: `i_parent_start` and `j_parent_start` count the parent's cells from 1, and the nest's
first cell lies in the south-western corner of that one.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from squall.errors import UserError
from squall.geo.domain import Domain
from squall.prepare.levels import checked_eta
from squall.prepare.state import Settings
from squall.run_files import schema

MARGIN = 3  # of the parent's cells that stay outside on every side


@dataclass(frozen=True)
class Nest:
    """A table [nest.<name>], by the same names; either both starts or both of the middle are there."""

    name: str
    nx: int
    ny: int
    i_parent_start: int | None = None
    j_parent_start: int | None = None
    center_latitude: float | None = None  # degrees
    center_longitude: float | None = None
    parent: str = ""  # of the outermost domain
    parent_grid_ratio: int = 3
    nz: int | None = (
        None  # layers of its own, and of what lies inside it; None: its parent's, or those of eta
    )
    eta: tuple[float, ...] | None = None  # their interfaces; None: they divide its parent's
    initial_file: Path | None = None  # to be made; None: the nest begins from its parent
    lower_file: Path | None = None  # to be made beside it; None: the nest's sea stays as it is


_KEYS = tuple(name for name in Nest.__dataclass_fields__ if name != "name")
_NEEDED = ("nx", "ny")
_PLACES = (("i_parent_start", "j_parent_start"), ("center_latitude", "center_longitude"))

Problems = list[tuple[str, str]]  # key of the run file, what is wrong


def read_nests(document: dict[str, Any], folder: Path) -> tuple[list[Nest], Problems]:
    """The nests of a run file, as the model numbers them: d02 first, parents before those inside them."""
    tables = document.get("nest", {})
    known = schema.load().table(schema.NEST).keys
    nests: list[Nest] = []
    problems: Problems = []
    if not isinstance(tables, dict):
        return [], [("nest", "contains one table per nest: write [nest.inner]")]
    for name, table in tables.items():
        if not isinstance(table, dict):
            problems.append((f"nest.{name}", "contains one table per nest: write [nest.inner]"))
            continue
        values, found = _values(table, known)
        if "lower_file" in values and "initial_file" not in values:
            found.append(("lower_file", "needs initial_file, which is missing"))
        problems += [(f"nest.{name}.{key}", what) for key, what in found]
        if not found:
            files = {key: folder / values.pop(key) for key in ("initial_file", "lower_file") if key in values}
            nests.append(Nest(name, **values, **files))
    return _by_depth(nests, set(tables), problems), problems


def _values(table: dict[str, Any], known: dict[str, schema.Key]) -> tuple[dict[str, Any], Problems]:
    """The values of the keys used here, in SI units, and errors in them."""
    values: dict[str, Any] = {}
    found = [(key, "is missing") for key in _NEEDED if key not in table]
    for key, given in table.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
            found.append((key, f"unknown key; {hint}"))
            continue
        try:
            value = known[key].read(given)
        except ValueError as error:
            found.append((key, str(error)))
            continue
        if key in _KEYS:
            values[key] = value
    if not found:
        found = _wrong_together(values)
    return values, found


def _wrong_together(values: dict[str, Any]) -> Problems:
    ratio = values.get("parent_grid_ratio", Nest.parent_grid_ratio)
    if ratio < 2:
        return [("parent_grid_ratio", f"{ratio} is not possible: it must be at least 2")]
    found = [
        (key, f"{values[key]} is not a multiple of the ratio: use {max(1, values[key] // ratio) * ratio}")
        for key in _NEEDED
        if values[key] % ratio or values[key] < ratio
    ]
    if (eta := values.get("eta")) is not None:
        found += _wrong_eta(eta, values.get("nz"))
    told = [pair for pair in _PLACES if all(key in values for key in pair)]
    if len(told) != 1 or any(key in values for pair in _PLACES if pair not in told for key in pair):
        ways = " or ".join(" and ".join(pair) for pair in _PLACES)
        found.append(("", f"give its position in one way: {ways}"))
    return found


def _wrong_eta(eta: tuple[float, ...], nz: int | None) -> Problems:
    if nz is not None and len(eta) != nz + 1:
        return [("eta", f"has {len(eta)} interfaces; nz = {nz} layers need {nz + 1}")]
    try:
        checked_eta(eta)
    except UserError as error:
        return [("eta", str(error))]
    return []


def levels_inside(settings: Settings, nests: Sequence[Nest], number: int) -> Settings:
    """The levels of domain `number` (1: outermost), given those of the outermost; a nest has its parent's
    levels unless it sets its own."""
    if number == 1:
        return settings
    nest = nests[number - 2]
    parent = next((n for n, other in enumerate(nests, start=2) if other.name == nest.parent), 1)
    around = levels_inside(settings, nests, parent)
    if nest.eta is not None:
        return around.on(nest.eta)
    return around if nest.nz in (None, around.vertical_grid().nz) else around.divided(nest.nz)


def _by_depth(nests: list[Nest], names: set[str], problems: Problems) -> list[Nest]:
    """Parents first, else in the order of the file; notes parents that there are none of. names: of all
    tables, those of which something is wrong too."""
    rest, ordered = list(nests), list[Nest]()
    unread = names - {nest.name for nest in nests}
    while rest:
        known = {"", *unread, *(nest.name for nest in ordered)}
        ready = next((nest for nest in rest if nest.parent in known), None)
        if ready is None:
            all_names = ", ".join(sorted(names))
            problems += [
                (
                    f"nest.{nest.name}.parent",
                    f'"{nest.parent}" does not lead to the outermost domain; the nests are {all_names}',
                )
                for nest in rest
            ]
            break
        rest.remove(ready)
        ordered.append(ready)
    return ordered


def place(outermost: Domain, nests: Sequence[Nest], boundary_rows: int) -> list[Domain]:
    """The outermost domain, d01, and its nests d02, d03, ... in this order.

    Raises UserError where a nest does not fit its parent, or is too small for its rim's rows.
    """
    domains = {"": outermost}
    for number, nest in enumerate(nests, start=2):
        parent = domains[nest.parent]
        i, j = _start(nest, parent)
        _check_axis(("i", "nx", "west to east"), (i, nest.nx), parent, parent.nx, nest)
        _check_axis(("j", "ny", "south to north"), (j, nest.ny), parent, parent.ny, nest)
        for key, size in (("nx", nest.nx), ("ny", nest.ny)):
            if size < 2 * boundary_rows:
                raise _refusal(
                    nest, key, f"{size} is too small: {boundary_rows} rows on each side are boundary rows"
                )
        domains[nest.name] = parent.child(nest.parent_grid_ratio, i - 1, j - 1, nest.nx, nest.ny, number)
    return list(domains.values())


def _start(nest: Nest, parent: Domain) -> tuple[int, int]:
    """The parent's cell, from 1, in the nest's south-western corner."""
    if nest.i_parent_start is not None and nest.j_parent_start is not None:
        return nest.i_parent_start, nest.j_parent_start
    assert nest.center_longitude is not None  # one of the two is told
    assert nest.center_latitude is not None
    ratio = nest.parent_grid_ratio
    return parent.start_around(nest.center_longitude, nest.center_latitude, nest.nx / ratio, nest.ny / ratio)


def _check_axis(
    names: tuple[str, str, str], position: tuple[int, int], parent: Domain, cells: int, nest: Nest
) -> None:
    """Along one axis: its names, the nest's start and size, and the parent's size."""
    (letter, key, along), (start, size) = names, position
    ratio, last = nest.parent_grid_ratio, start + size // nest.parent_grid_ratio - 1
    whose = f"d{parent.grid_id:02d}, which has {cells} cells from {along}"
    if last - start + 1 > cells - 2 * MARGIN:
        most = max(0, cells - 2 * MARGIN) * ratio
        raise _refusal(nest, key, f"{size} is too large for {whose}: at most {most} fit")
    if start <= MARGIN or last > cells - MARGIN:
        raise _refusal(
            nest,
            f"{letter}_parent_start",
            f"the nest covers cells {start} to {last} of {whose}. {MARGIN} cells must stay outside on "
            f"each side: start it between {MARGIN + 1} and {cells - MARGIN - size // ratio + 1}",
        )


def _refusal(nest: Nest, key: str, what: str) -> UserError:
    return UserError(f"nest.{nest.name}.{key}: {what}.")
