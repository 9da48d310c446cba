"""Precipitation. Amounts are in kg m-2 of water, which is mm."""

import xarray as xr

from squall.diagnose.staggering import centred

_SECONDS_AN_HOUR = 3600.0


def precipitation(history: xr.Dataset) -> xr.DataArray:
    """Precipitation since the start [mm]: grid-scale (RAINNC) and convective (RAINC)."""
    resolved = centred(history["RAINNC"])
    return resolved + centred(history["RAINC"]) if "RAINC" in history else resolved


def snow(history: xr.Dataset) -> xr.DataArray:
    """Grid-scale snow and ice since the start [mm]."""
    return centred(history["SNOWNC"])


def graupel(history: xr.Dataset) -> xr.DataArray:
    """Graupel since the start, and hail if the scheme has it [mm]."""
    fallen = centred(history["GRAUPELNC"])
    return fallen + centred(history["HAILNC"]) if "HAILNC" in history else fallen


def rain(history: xr.Dataset) -> xr.DataArray:
    """Rain since the start: precipitation minus snow and graupel [mm]."""
    return (precipitation(history) - snow(history) - graupel(history)).clip(min=0)


def rate(history: xr.Dataset) -> xr.DataArray:
    """Precipitation rate over the interval that ends with a frame [mm h-1], from a history with the dimension
    Time and the coordinate `elapsed`; NaN for the first frame."""
    return _over_time(history, precipitation(history))


def _over_time(history: xr.Dataset, amount: xr.DataArray) -> xr.DataArray:
    """Change from the frame before, an hour."""
    hours = xr.DataArray(history["elapsed"].variable) / _SECONDS_AN_HOUR
    return (amount - amount.shift(Time=1)) / (hours - hours.shift(Time=1))
