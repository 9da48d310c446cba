"""Fields by name: those of history files, interpolated to mass points, and those derived from them."""

import difflib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import xarray as xr

from squall.diagnose import levels, wind
from squall.diagnose.derived import Derived
from squall.diagnose.staggering import centred
from squall.diagnose.table import TABLE
from squall.errors import UserError

_IN_WORDS = {"U": "wind along x", "V": "wind along y", "W": "vertical wind"}


@dataclass(frozen=True)
class Surface:
    """A surface of constant pressure [Pa], height above sea level or above ground [m], or potential
    temperature [K]."""

    kind: Literal["pressure", "height", "height_above_ground", "theta"]
    value: float


def available(history: xr.Dataset) -> list[str]:
    """The names that `field` accepts for a history, derived fields first."""
    derived = makeable([str(name) for name in history.variables])
    return derived + [
        str(name) for name, array in history.data_vars.items() if _is_field(array) and name not in derived
    ]


def makeable(variables: Collection[str]) -> list[str]:
    """Names of the fields that can be derived from these variables."""

    def can(row: Derived) -> bool:
        return row.name in variables or any(set(enough) <= set(variables) for enough in row.needs)

    return [name for name, row in TABLE.items() if can(row)]


def _is_field(array: xr.DataArray) -> bool:
    horizontal = {str(dim).removesuffix("_stag") for dim in array.dims}
    return {"south_north", "west_east"} <= horizontal and array.dtype.kind in "fi"


def field(history: xr.Dataset, name: str, surface: Surface | None = None) -> xr.DataArray:
    """A field on mass points, with the attributes units and long_name; on the layers, or on a surface.

    `name` is a variable of the history, a derived field or a CF standard name of one of them. Select times
    first: all frames of `history` are read, unless its arrays are Dask arrays; the result is then lazy too.
    On a surface, horizontal differences are taken of the winds on that surface. Raises UserError, with the
    known names, for an unknown name, and for a surface of a field without levels.
    """
    found = _known(history, name)
    row = TABLE.get(found)
    if row is None:
        array = centred(history[found])
        array.attrs.setdefault("units", "")
        array.attrs["long_name"] = _IN_WORDS.get(found) or history[found].attrs.get("description", found)
    else:
        given = found in history and surface is None
        array = centred(history[found]) if given else _derived(history, row, surface)
        array.attrs = {"units": row.units, "long_name": row.long_name}
        if row.standard_name:
            array.attrs["standard_name"] = row.standard_name
    array.name = found
    if surface is None or (row is not None and row.of_wind is not None):
        return array
    return _on(history, array, surface)


def _derived(history: xr.Dataset, row: Derived, surface: Surface | None) -> xr.DataArray:
    """Of the surface where it has to be made there, else on layers."""
    if surface is not None and row.of_wind is not None:
        u, v = (_on(history, component, surface) for component in wind.along_grid(history))
        return row.of_wind(history, u, v)
    if surface is not None and surface.kind == "pressure" and row.on_pressure is not None:
        return row.on_pressure(history)
    return row.compute(history)


def _on(history: xr.Dataset, array: xr.DataArray, surface: Surface) -> xr.DataArray:
    if surface.kind == "pressure":
        return levels.on_pressure(history, array, surface.value)
    if surface.kind == "theta":
        return levels.on_theta(history, array, surface.value)
    return levels.on_height(history, array, surface.value, surface.kind == "height_above_ground")


def _known(history: xr.Dataset, name: str) -> str:
    """The name under which a field is in the table or the history."""
    names = available(history)
    if name in names:
        return name
    for known in names:
        row = TABLE.get(known)
        if name == (row.standard_name if row else history[known].attrs.get("standard_name")):
            return known
    raise UserError(_unknown(name, names))


def _unknown(name: str, names: list[str]) -> str:
    folded = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name.lower(), folded, n=1)
    hint = f" Did you mean {folded[near[0]]}?" if near else ""
    there = f"Its fields are {', '.join(names)}." if names else "This run has no fields."
    return f"There is no field {name}.{hint} {there}"
