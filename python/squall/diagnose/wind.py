"""Horizontal wind on mass points: components, speed and direction. SI units, degrees from north."""

from typing import Any

import numpy as np
import xarray as xr

from squall.diagnose.columns import of_points
from squall.diagnose.staggering import centred


def along_grid(history: xr.Dataset) -> tuple[xr.DataArray, xr.DataArray]:
    """Grid-relative wind components on mass points [m s-1]."""
    return centred(history["U"]), centred(history["V"])


def speed(_: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """Wind speed [m s-1]."""
    return of_points(np.hypot, u, v)


def eastward(history: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """Eastward component of a grid-relative wind, rotated by the angle with sine SINALPHA and cosine COSALPHA
    [m s-1]."""
    return u * centred(history["COSALPHA"]) - v * centred(history["SINALPHA"])


def northward(history: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """Northward component of a grid-relative wind [m s-1]; see `eastward`."""
    return v * centred(history["COSALPHA"]) + u * centred(history["SINALPHA"])


def direction(history: xr.Dataset, u: xr.DataArray, v: xr.DataArray) -> xr.DataArray:
    """Direction from which a grid-relative wind blows, in degrees clockwise from true north, in [0, 360)."""
    return of_points(_direction, eastward(history, u, v), northward(history, u, v))


def _direction(east: Any, north: Any) -> Any:
    return (270.0 - np.degrees(np.arctan2(north, east))) % 360.0
