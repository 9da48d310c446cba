"""What a weather chart shows, from the variables of a history: pressure at sea level, wind at 10 m,
heights and winds on pressure levels, vorticity, precipitation.

Arrays and units as in `squall.air`.
"""

from typing import Any

import numpy as np
import xarray as xr

from squall import air
from squall.air import LEVEL, centred

LAPSE = 0.0065  # K m-1, of the standard atmosphere
ROUGHNESS_LAND, ROUGHNESS_WATER = 0.1, 2e-4  # m, for the wind at 10 m

_INTERFACE = LEVEL + "_stag"


def sea_level_pressure(history: xr.Dataset) -> xr.DataArray:
    """Pressure at sea level [Pa]: below the ground a column with the lapse rate of the standard
    atmosphere, tempered where the ground is very warm or cold.

    Source: Trenberth, Berry and Buja (1993), NCAR/TN-396+STR, section 4, the method of ECMWF; their
    series in closed form, with virtual temperature from the lowest layer 100 m or more above the ground.
    """
    ground, pressure = air.surface_height(history), air.surface_pressure(history)
    depth = (air.height(history) - ground).mean(["south_north", "west_east"])
    deep = depth >= 100.0
    lowest = deep & ~deep.shift({LEVEL: 1}, fill_value=False)  # one layer of each frame

    def aloft(array: xr.DataArray) -> xr.DataArray:
        return array.where(lowest, 0).sum(LEVEL)

    temperature = aloft(air.virtual_temperature(history))
    surface = temperature * (pressure / aloft(air.pressure(history))) ** (air.R * LAPSE / air.G)
    log = xr.apply_ufunc(_logarithm, surface, ground, dask="parallelized", output_dtypes=[float])
    found: xr.DataArray = pressure * np.exp(log)
    return found


def _logarithm(surface: Any, ground: Any) -> Any:
    """Of the pressure at sea level over that at the surface, from temperature [K] and height [m] there."""
    top, lapse = _below_ground(surface, ground)
    exponent = air.G * ground / (air.R * top)
    a = lapse * air.R / air.G
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(a > 0, np.log1p(a * exponent) / a, exponent)


def _below_ground(surface: Any, ground: Any) -> tuple[Any, Any]:
    """Temperature at the top of the column below the ground [K], and its lapse rate [K m-1], above 0
    where it is not even."""
    sea = surface + LAPSE * ground
    hot = 290.5
    top = np.where(surface < 255.0, 0.5 * (surface + 255.0), surface)
    top = np.where(surface > hot, 0.5 * (surface + hot), top)
    with np.errstate(invalid="ignore", divide="ignore"):
        tempered = np.where(surface > hot, 0.0, (hot - surface) / ground)
    return top, np.where((sea > hot) & (ground > 0), tempered, LAPSE)


def layer_height(frame: xr.Dataset) -> xr.DataArray:
    """Height at which a layer has its mean pressure [m]. It lies below the layer's middle, by about an
    eighth of the square of its thickness over the scale height."""
    z = air.interface_height(frame).rename({_INTERFACE: LEVEL})
    low, high = z.isel({LEVEL: slice(0, -1)}), z.isel({LEVEL: slice(1, None)})
    r = air.G * (high - low) / (air.R * air.virtual_temperature(frame))
    found: xr.DataArray = low + (high - low) * np.log(2 / (1 + np.exp(-r))) / r
    return found


def on_pressure(frame: xr.Dataset, array: xr.DataArray, level: float) -> xr.DataArray:
    """Layer values at a pressure [Pa], linear in its logarithm; NaN where that is outside the layers."""

    def of_columns(values: Any, pressure: Any) -> Any:
        return _at_zero(values, -np.log(pressure / level))

    return air.along_levels(of_columns, array, air.pressure(frame))


def _at_zero(values: Any, log: Any) -> Any:
    """Values where a coordinate that rises along the last axis is zero."""
    above = np.clip((log < 0).sum(-1), 1, log.shape[-1] - 1)[..., None]
    lower, upper = (np.take_along_axis(log, above - step, -1)[..., 0] for step in (1, 0))
    low, high = (np.take_along_axis(values, above - step, -1)[..., 0] for step in (1, 0))
    inside = (lower <= 0) & (upper >= 0)
    return np.where(inside, low + (high - low) * (-lower) / (upper - lower), np.nan)


def curl(frame: xr.Dataset, u: Any, v: Any) -> Any:
    """Relative vorticity [s-1] of winds on mass points (..., south_north, west_east), with map factors
    where the frame has them; centred differences, one-sided at the edges."""
    factor = frame["MAPFAC_M"].data if "MAPFAC_M" in frame else np.ones(u.shape[-2:])
    factor = np.where(factor > 0, factor, 1.0)  # zeros: a file that was made without
    dvdx = np.gradient(v / factor, float(frame.attrs["DX"]), axis=-1)
    dudy = np.gradient(u / factor, float(frame.attrs["DY"]), axis=-2) if u.shape[-2] > 1 else 0.0
    return factor**2 * (dvdx - dudy)


def vorticity(frame: xr.Dataset) -> xr.DataArray:
    """Relative vorticity along layers [s-1]."""
    u = centred(frame["U"])
    return u.copy(data=curl(frame, u.data, centred(frame["V"]).data))


def wind_10m(frame: xr.Dataset) -> tuple[xr.DataArray, xr.DataArray]:
    """Wind at 10 m along the grid [m s-1]: U10 and V10, or else that of the lowest layer by the
    logarithmic profile of neutral air over land or water (LANDMASK; without it, land)."""
    if "U10" in frame and "V10" in frame:
        return centred(frame["U10"]), centred(frame["V10"])
    lowest = air.height(frame).isel({LEVEL: 0}) - air.surface_height(frame)
    roughness = xr.full_like(lowest, ROUGHNESS_LAND)
    if "LANDMASK" in frame:
        roughness = roughness.where(centred(frame["LANDMASK"]) >= 0.5, ROUGHNESS_WATER)
    factor = np.log(10 / roughness) / np.log(lowest / roughness)
    u, v = (centred(frame[name].isel({LEVEL: 0})) for name in ("U", "V"))
    return u * factor, v * factor


def wind_speed_10m(frame: xr.Dataset) -> xr.DataArray:
    """Wind speed at 10 m [m s-1], see `wind_10m`."""
    u, v = wind_10m(frame)
    speed: xr.DataArray = xr.apply_ufunc(np.hypot, u, v, dask="allowed")
    return speed


def precipitation(history: xr.Dataset) -> xr.DataArray:
    """Precipitation since the start [mm], of clouds that the grid resolves and those that it does not."""
    resolved = centred(history["RAINNC"])
    return resolved + centred(history["RAINC"]) if "RAINC" in history else resolved
