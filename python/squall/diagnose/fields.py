"""Fields by name: those of history files, interpolated to mass points, and those derived from them."""

import difflib
from collections.abc import Collection

import xarray as xr

from squall.diagnose import surfaces, wind
from squall.diagnose.columns import LEVEL
from squall.diagnose.derived import Derived
from squall.diagnose.placing import placed
from squall.diagnose.staggering import centred
from squall.diagnose.surfaces import Level, Surface
from squall.diagnose.table import TABLE
from squall.errors import UserError

_IN_WORDS = {"U": "wind along x", "V": "wind along y", "W": "vertical wind"}


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


def field(history: xr.Dataset, name: str, level: Level | None = None) -> xr.DataArray:
    """A field on mass points, on all layers or on a level, with its coordinates, units and map.

    Parameters:
        history: a dataset in WRF's layout: of `squall.open_run`, of xarray, or one frame of it. Select times
            first: all frames are read, unless the arrays are Dask arrays; the result is then lazy too.
        name: a variable of the history, a derived field, or a CF standard name of one of them.
        level: None for all layers (or a field without any); "850 hPa", "2 km" (above sea level), "100 m above
            ground" or "320 K" (potential temperature), interpolated; a list of these, all of one kind; an
            index, 0 the lowest layer; or a `Surface`, in SI units. On a surface, horizontal differences are
            taken of the winds on that surface; below the ground and above the top it is not a number.

    Returns:
        The array (Time, bottom_top, south_north, west_east), or what the history and the level leave of
        these dimensions; several levels are a dimension pressure_level [Pa], height_level [m], ground_level
        [m] or theta_level [K] in place of bottom_top, one is a coordinate of that name. Coordinates are those
        of the history, with XLAT and XLONG (latitude and longitude, if those are plain variables there);
        where the run lies on a map, its description is a coordinate, too, which the encoding `grid_mapping`
        names, so that a file of it is CF's. Attributes: units (SI), long_name and, where CF has one,
        standard_name.

    Raises:
        UserError: an unknown name (the message lists the known ones), a level that is none, or a level of a
            field without levels.

        >>> squall.diagnose.field(history, "temperature", ["850 hPa", "500 hPa"]).sel(Time="2007-01-24T18")
    """
    asked = None if level is None else surfaces.parse(level)
    surface = asked if isinstance(asked, Surface) else None
    found = _known(history, name)
    row = TABLE.get(found)
    made_there = False
    if row is None:
        array = centred(history[found])
        array.attrs.setdefault("units", "")
        array.attrs["long_name"] = _IN_WORDS.get(found) or history[found].attrs.get("description", found)
    else:
        given = found in history and (surface is None or LEVEL not in history[found].dims)
        made_there = not given and row.of_wind is not None
        array = centred(history[found]) if given else _derived(history, row, surface)
        array.attrs = {"units": row.units, "long_name": row.long_name}
        if row.standard_name:
            array.attrs["standard_name"] = row.standard_name
    array.name = found
    if surface is not None and not made_there:
        array = surfaces.on(history, array, surface)
    elif isinstance(asked, int):
        array = surfaces.layer(array, asked)
    return placed(history, array)


def _derived(history: xr.Dataset, row: Derived, surface: Surface | None) -> xr.DataArray:
    """Of the surface where it has to be made there, else on layers."""
    if surface is not None and row.of_wind is not None:
        u, v = (surfaces.on(history, component, surface) for component in wind.along_grid(history))
        return row.of_wind(history, u, v)
    if surface is not None and surface.kind == "pressure" and row.on_pressure is not None:
        return row.on_pressure(history)
    return row.compute(history)


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
