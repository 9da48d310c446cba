"""The state of the air on mass points, from the variables of a history.

Arrays keep the history's dimensions (Time, bottom_top, south_north, west_east), all or some of
them, and are Dask's, not computed, where the history's are; index 0 is the lowest layer, the
southernmost row, the westernmost column. SI units.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import xarray as xr

G = 9.81
R = 287.0
P0 = 1.0e5
KAPPA = 2.0 / 7.0
THETA0 = 300.0

LEVEL = "bottom_top"


def centred(array: xr.DataArray) -> xr.DataArray:
    """The array on mass points: the mean of neighbours along each staggered dimension."""
    variable = array.variable
    for dim in [str(dim) for dim in variable.dims if str(dim).endswith("_stag")]:
        low, high = variable.isel({dim: slice(0, -1)}), variable.isel({dim: slice(1, None)})
        variable = 0.5 * (low + high)
    dims = [str(dim).removesuffix("_stag") for dim in variable.dims]
    return xr.DataArray(variable.data, dims=dims, name=array.name, attrs=array.attrs)


def along_levels(of: Callable[..., Any], *arrays: xr.DataArray) -> xr.DataArray:
    """A function that makes one value of each column, which it is given along the last axis of arrays of
    NumPy."""
    found: xr.DataArray = xr.apply_ufunc(
        of,
        *arrays,
        input_core_dims=[[LEVEL]] * len(arrays),
        dask="parallelized",
        dask_gufunc_kwargs={"allow_rechunk": True},
        output_dtypes=[float],
    )
    return found


def interface_height(history: xr.Dataset) -> xr.DataArray:
    """Height of the interfaces between layers above sea level [m]."""
    return xr.DataArray((history["PH"].variable + history["PHB"].variable) / G)


def height(history: xr.Dataset) -> xr.DataArray:
    """Height of the layers above sea level [m]."""
    return centred(interface_height(history))


def surface_height(history: xr.Dataset) -> xr.DataArray:
    """Height of the ground above sea level [m]."""
    return interface_height(history).isel(bottom_top_stag=0)


def theta(history: xr.Dataset) -> xr.DataArray:
    """Potential temperature [K]."""
    return centred(history["T"]) + THETA0


def theta_pert(history: xr.Dataset) -> xr.DataArray:
    """Departure of theta from the initial profile at the same height, or, in a history that has no
    such profile (T_BASE on Z_BASE), from the mean of its layer [K]."""
    values = theta(history)
    profile = _initial_profile(history)
    if profile is None:
        return values - values.mean(["south_north", "west_east"])
    return values - THETA0 - _interpolated(height(history), *profile)


def _initial_profile(history: xr.Dataset) -> tuple[Any, Any] | None:
    """Heights [m] and theta - 300 K [K] of the initial profile; None: the history has none."""
    if "T_BASE" not in history or "Z_BASE" not in history:
        return None
    first = history[["Z_BASE", "T_BASE"]]
    first = first.isel(Time=0) if "Time" in first.dims else first  # it is the same in all frames
    z, t = (first[name].values for name in ("Z_BASE", "T_BASE"))
    return (z, t) if np.all(np.diff(z) > 0) else None  # zeros: a file that was made without


def _interpolated(at: xr.DataArray, x: Any, y: Any) -> xr.DataArray:
    """y(x), linear, on `at`; beyond the ends with the slope there."""

    def of_values(values: Any) -> Any:
        cell = np.clip(np.searchsorted(x, values) - 1, 0, len(x) - 2)
        slope = (y[cell + 1] - y[cell]) / (x[cell + 1] - x[cell])
        return y[cell] + slope * (values - x[cell])

    found: xr.DataArray = xr.apply_ufunc(of_values, at, dask="parallelized", output_dtypes=[float])
    return found


def pressure(history: xr.Dataset) -> xr.DataArray:
    """Pressure on layers [Pa]."""
    return centred(history["P"] + history["PB"])


def temperature(history: xr.Dataset) -> xr.DataArray:
    """Temperature [K]."""
    return theta(history) * (pressure(history) / P0) ** KAPPA


def virtual_temperature(history: xr.Dataset) -> xr.DataArray:
    """Temperature at which dry air would be as dense [K]; that of dry air in a history without vapour."""
    if "QVAPOR" not in history:
        return temperature(history)
    vapour = centred(history["QVAPOR"])
    return temperature(history) * (1 + vapour / 0.622) / (1 + vapour)


def surface_pressure(history: xr.Dataset) -> xr.DataArray:
    """Pressure at the surface [Pa]: PSFC, or the weight of the dry column."""
    if "PSFC" in history:
        return centred(history["PSFC"])
    return centred(history["MU"] + history["MUB"]) + history["P_TOP"]


def wind_speed(history: xr.Dataset) -> xr.DataArray:
    """Horizontal wind speed on layers [m s-1]."""
    u, v = centred(history["U"]), centred(history["V"])
    speed: xr.DataArray = xr.apply_ufunc(np.hypot, u, v, dask="allowed")
    return speed
