"""What has fallen. Amounts are of water [kg m-2, which is mm]."""

import xarray as xr

from squall.diagnose.staggering import centred

_SECONDS_AN_HOUR = 3600.0


def precipitation(history: xr.Dataset) -> xr.DataArray:
    """Precipitation since the start [mm], of clouds that the grid resolves (RAINNC) and those that it does
    not (RAINC)."""
    resolved = centred(history["RAINNC"])
    return resolved + centred(history["RAINC"]) if "RAINC" in history else resolved


def snow(history: xr.Dataset) -> xr.DataArray:
    """Of that snow and ice, of clouds that the grid resolves [mm]."""
    return centred(history["SNOWNC"])


def graupel(history: xr.Dataset) -> xr.DataArray:
    """Of that graupel, and hail where the scheme has it [mm]."""
    fallen = centred(history["GRAUPELNC"])
    return fallen + centred(history["HAILNC"]) if "HAILNC" in history else fallen


def rain(history: xr.Dataset) -> xr.DataArray:
    """Of that rain: what is neither snow nor graupel [mm]."""
    return (precipitation(history) - snow(history) - graupel(history)).clip(min=0)


def rate(history: xr.Dataset) -> xr.DataArray:
    """Precipitation rate over the interval that ends with a frame [mm h-1], of a history with the dimension
    Time and the coordinate `elapsed`; of the first frame not a number."""
    return _over_time(history, precipitation(history))


def _over_time(history: xr.Dataset, amount: xr.DataArray) -> xr.DataArray:
    """Change from the frame before, an hour."""
    hours = xr.DataArray(history["elapsed"].variable) / _SECONDS_AN_HOUR
    return (amount - amount.shift(Time=1)) / (hours - hours.shift(Time=1))
