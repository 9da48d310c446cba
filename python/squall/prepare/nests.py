"""Nests: what the run file says of them, and the domains that they are.

Positions are WRF's: `i_parent_start` and `j_parent_start` count the parent's cells from 1, and the nest's
first cell lies in the south-western corner of that one.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from squall.errors import UserError
from squall.geo.domain import Domain

MARGIN = 5  # of the parent's cells that stay outside on every side


@dataclass(frozen=True)
class Nest:
    """A table [[prepare.nests]], by the same names."""

    i_parent_start: int
    j_parent_start: int
    nx: int
    ny: int
    parent: int = 1
    parent_grid_ratio: int = 3


KEYS = tuple(field.name for field in fields(Nest))
_NEEDED = KEYS[:4]
_LEAST = {"parent_grid_ratio": 2, "i_parent_start": MARGIN + 1, "j_parent_start": MARGIN + 1}

Problems = list[tuple[int, str, str]]  # number of the table from 1, key, what is wrong


def read_nests(given: list[dict[str, Any]]) -> tuple[list[Nest], Problems]:
    """The nests of a run file's tables [[prepare.nests]], of which the first is d02."""
    nests: list[Nest] = []
    problems: Problems = []
    for number, table in enumerate(given, start=1):
        found = _problems(table, number)
        problems += [(number, key, what) for key, what in found]
        if not found:
            nests.append(Nest(**table))
    return nests, problems


def _problems(table: dict[str, Any], number: int) -> list[tuple[str, str]]:
    """What is wrong with the keys of a nest, as far as no other domain is asked."""
    found = [(key, "is missing") for key in _NEEDED if key not in table]
    for key, value in table.items():
        least = _LEAST.get(key, 1)
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(KEYS)}"
            found.append((key, f"unknown key; {hint}"))
        elif not isinstance(value, int) or isinstance(value, bool):
            found.append((key, f"{value!r} is not a whole number"))
        elif value < least:
            found.append((key, f"{value} is not possible: it must be at least {least}"))
    if found:
        return found
    ratio = table.get("parent_grid_ratio", Nest.parent_grid_ratio)
    found = [
        (key, f"{table[key]} is not a multiple of the ratio: take {max(1, table[key] // ratio) * ratio}")
        for key in ("nx", "ny")
        if table[key] % ratio
    ]
    if table.get("parent", 1) > number:
        known = ", ".join(str(n) for n in range(1, number + 1))
        found.append(("parent", f"{table['parent']} is no domain before d{number + 1:02d}: take {known}"))
    return found


def place(outermost: Domain, nests: Sequence[Nest], boundary_rows: int) -> list[Domain]:
    """The outermost domain, d01, and its nests d02, d03, ... in this order.

    Raises UserError where a nest does not fit its parent, or is too small for its boundary's rows.
    """
    domains = [outermost]
    for number, nest in enumerate(nests, start=2):
        parent = domains[nest.parent - 1]
        _check_axis(("i", "nx", "west to east"), (nest.i_parent_start, nest.nx), parent.nx, nest, number)
        _check_axis(("j", "ny", "south to north"), (nest.j_parent_start, nest.ny), parent.ny, nest, number)
        for key, size in (("nx", nest.nx), ("ny", nest.ny)):
            if size < 2 * boundary_rows:
                raise _refusal(
                    key,
                    number,
                    f"{size} is too small: {boundary_rows} rows on each side follow the boundary file",
                )
        start = (nest.i_parent_start - 1, nest.j_parent_start - 1)
        domains.append(parent.child(nest.parent_grid_ratio, *start, nest.nx, nest.ny, number))
    return domains


def _check_axis(
    names: tuple[str, str, str], position: tuple[int, int], cells: int, nest: Nest, number: int
) -> None:
    """Along one axis: its names, the nest's start and size, and the parent's size."""
    (letter, key, along), (start, size) = names, position
    ratio, last = nest.parent_grid_ratio, start + size // nest.parent_grid_ratio - 1
    parent = f"d{nest.parent:02d}, which has {cells} cells from {along}"
    if last - start + 1 > cells - 2 * MARGIN:
        most = max(0, cells - 2 * MARGIN) * ratio
        raise _refusal(key, number, f"{size} is too large for {parent}: at most {most} fit")
    if start <= MARGIN or last > cells - MARGIN:
        raise _refusal(
            f"{letter}_parent_start",
            number,
            f"the nest covers cells {start} to {last} of {parent}. {MARGIN} must stay outside on each side: "
            f"begin it between {MARGIN + 1} and {cells - MARGIN - size // ratio + 1}",
        )


def _refusal(key: str, number: int, what: str) -> UserError:
    return UserError(f"prepare.nests.{key} of d{number:02d}: {what}.")


def file_of(path: Path, number: int) -> Path:
    """The name that a file of d01 has for another domain: `d01` in it replaced, else "_d02" added."""
    own = f"d{number:02d}"
    return path.with_name(path.name.replace("d01", own) if "d01" in path.name else f"{path.name}_{own}")
