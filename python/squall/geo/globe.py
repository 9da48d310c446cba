"""Histories of the globe, as squall-transport writes them: on longitudes and latitudes, with layers of
pressure; and the form in which pictures and pages have them."""

from typing import TypeVar

import numpy as np
import xarray as xr

from squall.diagnose.constants import EARTH_RADIUS, P0

LEVEL = "pressure_level"  # what the streams of limited-area runs call levels of pressure
ALL_AROUND = 360.0
DEGREE = EARTH_RADIUS * np.pi / 180  # of the equator [m]

Longitudes = TypeVar("Longitudes", np.ndarray, xr.DataArray)

_PRESSURE = {"long_name": "pressure over a surface of 1000 hPa", "units": "Pa", "positive": "down"}


def is_globe(history: xr.Dataset) -> bool:
    """Whether a history is one of squall-transport."""
    return str(history.attrs.get("source", "")).startswith("squall-transport")


def prepared(history: xr.Dataset) -> xr.Dataset:
    """A history from `open_run` with its layers along `pressure_level` [Pa], where these are over a surface
    of 1000 hPa, and its columns in order from the date line on, -180 to 180 degrees east."""
    if "lev" in history.dims:
        pressure = (history["ap"] + history["b"] * P0).values
        history = history.rename({"lev": LEVEL}).drop_vars(["ap", "b"])
        history = history.assign_coords({LEVEL: (LEVEL, pressure, _PRESSURE)})
    if "lon" in history.dims:
        east = wrapped(history["lon"].values.astype(float))
        history = history.assign_coords(lon=("lon", east, history["lon"].attrs)).isel(lon=np.argsort(east))
    return history.assign_attrs(MAP_PROJ=6)  # its times are dates of the Earth


def as_domain(history: xr.Dataset) -> xr.Dataset:
    """A history from `open_run` as one of a limited area that goes around the globe: with the dimensions
    and attributes by which WRF describes a grid of longitudes and latitudes."""
    found = prepared(history)
    found = found.rename_dims({"lat": "south_north", "lon": "west_east"})
    lon, lat = (found[name].values.astype(float) for name in ("lon", "lat"))
    over = ("south_north", "west_east")
    for array in found.data_vars.values():
        array.attrs.setdefault("description", array.attrs.get("long_name", array.name))
    found = found.drop_vars(["lat", "lon"]).assign_coords(
        XLAT=(over, np.repeat(lat[:, None], len(lon), axis=1), {"units": "degrees_north"}),
        XLONG=(over, np.repeat(lon[None], len(lat), axis=0), {"units": "degrees_east"}),
    )
    middle = 0.0 if goes_around(lon) else float(lon.mean())
    return found.assign_attrs(
        CASE=history.attrs.get("title", ""),
        CEN_LON=middle,
        STAND_LON=middle,
        POLE_LAT=90.0,
        DX=_step(lon) * DEGREE,
        DY=_step(lat) * DEGREE,
    )


def stations_on_map(history: xr.Dataset) -> xr.Dataset:
    """A history with stations; those of the globe with `x` and `y`, how far they are east of the date line
    and north of the south pole on the map that `as_domain` describes [m]."""
    if not (is_globe(history) and {"longitude", "latitude"} <= set(history.variables)):
        return history
    x, y = wrapped(history["longitude"]) + 180, history["latitude"] + 90
    return history.assign(x=x * DEGREE, y=y * DEGREE)


def wrapped(longitude: Longitudes) -> Longitudes:
    """Longitudes in degrees as -180 <= longitude < 180."""
    return (longitude + 180) % ALL_AROUND - 180


def goes_around(lon: np.ndarray) -> bool:
    """Whether columns in order go around the globe."""
    return len(lon) > 2 and abs(len(lon) * _step(lon) - ALL_AROUND) < 0.5 * _step(lon)


def _step(degrees: np.ndarray) -> float:
    return float(np.diff(degrees).mean()) if len(degrees) > 1 else 1.0
