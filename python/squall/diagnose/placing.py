"""Where a field lies: its coordinates, and CF's description of the map."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import xarray as xr

from squall.diagnose.constants import EARTH_RADIUS
from squall.diagnose.spacing import number

_MAPPINGS = ("crs", "map_projection")  # names of the map's description
_CF_NAMES = {"XLAT": ("latitude", "degrees_north"), "XLONG": ("longitude", "degrees_east")}


def placed(history: xr.Dataset, array: xr.DataArray) -> xr.DataArray:
    """The array with the coordinates of the history that fit its dimensions, places among them, and
    with the map's description as the coordinate that its `grid_mapping` names. Values are not read."""
    found = {}
    for name, variable in _coordinates(history):
        if set(variable.dims) <= set(array.dims) and name != array.name and name not in array.coords:
            found[name] = variable
    if "Time" in array.dims and "Time" not in found and _are_dates(history):
        found["Time"] = history["XTIME"].variable.to_index_variable()
    array = array.assign_coords(found)
    array.attrs.pop("grid_mapping", None)
    mapping = None
    if {"south_north", "west_east"} <= set(array.dims):
        mapping = grid_mapping(history)
    if mapping is not None:
        # What is a variable of the history cannot be merged with a coordinate of its name.
        free = next((name for name in _MAPPINGS if name not in history.data_vars), _MAPPINGS[0])
        name = mapping[0] if mapping[0] in history.coords else free
        array = array.assign_coords({name: mapping[1]})
        array.encoding = {"grid_mapping": name}
    return array


def _coordinates(history: xr.Dataset) -> Iterator[tuple[str, xr.Variable]]:
    """Of the history; places that it has as variables only, which could not be merged with coordinates of the
    same names, under CF's names."""
    for name in history.coords:
        yield str(name), _named(str(name), history[name].variable)
    for name, (standard_name, _) in _CF_NAMES.items():
        if name in history.data_vars and standard_name not in history.variables:
            yield standard_name, _named(name, history[name].variable)


def _named(name: str, variable: xr.Variable) -> xr.Variable:
    """With the attributes of CF, which WRF's own files lack."""
    if name not in _CF_NAMES or "standard_name" in variable.attrs:
        return variable
    standard_name, units = _CF_NAMES[name]
    named = variable.copy(deep=False)
    named.attrs = variable.attrs | {"standard_name": standard_name, "units": units}
    return named


def _are_dates(history: xr.Dataset) -> bool:
    """WRF's files have no index of times; Dask's would have to be computed."""
    xtime = history.variables.get("XTIME")
    return bool(
        xtime is not None and xtime.dims == ("Time",) and xtime.dtype.kind in "MO" and xtime.chunks is None
    )


def grid_mapping(history: xr.Dataset) -> tuple[str, xr.Variable] | None:
    """Name and content of CF's grid mapping: the history's own, or by its global attributes as WRF writes
    them. None: it has no map, or not one that CF describes."""
    for name, variable in history.variables.items():
        if "grid_mapping_name" in variable.attrs and not variable.dims:
            return str(name), variable
    told = _by_attributes(history)
    return (_MAPPINGS[0], xr.Variable((), np.int32(0), told)) if told else None


def _by_attributes(of: xr.Dataset) -> dict[str, Any]:
    """CF's attributes of the map that WRF's global attributes describe; empty: they describe none.

    x and y have their origin where WRF has it: on the standard meridian, at the latitude MOAD_CEN_LAT of
    Lambert's projection, at the pole of a polar one, at the equator of Mercator's.
    """
    kind = int(number(of, "MAP_PROJ") or 0)
    first, meridian = number(of, "TRUELAT1"), number(of, "STAND_LON")
    if kind == 6:
        turned = (number(of, "POLE_LAT") or 90.0) != 90.0
        return {} if turned else {"grid_mapping_name": "latitude_longitude", "earth_radius": EARTH_RADIUS}
    if kind not in (1, 2, 3) or first is None or meridian is None:
        return {}
    second = number(of, "TRUELAT2")
    parallels = [first] if second is None or abs(first - second) < 0.1 else [first, second]
    own: dict[int, dict[str, Any]] = {
        1: {
            "grid_mapping_name": "lambert_conformal_conic",
            "standard_parallel": np.array(parallels) if len(parallels) > 1 else first,
            "longitude_of_central_meridian": meridian,
            "latitude_of_projection_origin": number(of, "MOAD_CEN_LAT") or number(of, "CEN_LAT") or first,
        },
        2: {
            "grid_mapping_name": "polar_stereographic",
            "straight_vertical_longitude_from_pole": meridian,
            "latitude_of_projection_origin": -90.0 if first < 0 else 90.0,
            "standard_parallel": first,
        },
        3: {
            "grid_mapping_name": "mercator",
            "longitude_of_projection_origin": meridian,
            "standard_parallel": first,
        },
    }
    return own[kind] | {"earth_radius": EARTH_RADIUS, "false_easting": 0.0, "false_northing": 0.0}
