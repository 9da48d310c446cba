"""Horizontal wind on mass points: components, speed and direction. SI units, degrees from north."""

from typing import Any

import numpy as np
import xarray as xr

from squall.diagnose.columns import of_points
from squall.diagnose.staggering import centred


def along_grid(history: xr.Dataset) -> tuple[xr.DataArray, xr.DataArray]:
    """Wind along x and y on mass points [m s-1]."""
    return centred(history["U"]), centred(history["V"])


def speed(_: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """Of a wind [m s-1]."""
    return of_points(np.hypot, u, v)


def eastward(history: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """The part towards the east of a wind along the grid, which is turned by an angle of sine SINALPHA and
    cosine COSALPHA [m s-1]."""
    return u * centred(history["COSALPHA"]) - v * centred(history["SINALPHA"])


def northward(history: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """The part towards the north of a wind along the grid [m s-1]; see `eastward`."""
    return v * centred(history["COSALPHA"]) + u * centred(history["SINALPHA"])


def direction(history: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """Where a wind along the grid comes from, in degrees clockwise from true north, in [0, 360)."""
    return of_points(_direction, eastward(history, u, v), northward(history, u, v))


def _direction(east: Any, north: Any) -> Any:
    return (270.0 - np.degrees(np.arctan2(north, east))) % 360.0
