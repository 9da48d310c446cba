"""Fields on surfaces of pressure, height or potential temperature.

Temperature, wind and height are nearer to straight lines in the logarithm of pressure than in pressure:
interpolation to pressures is linear in it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from squall.diagnose import air
from squall.diagnose.columns import LEVEL
from squall.diagnose.interpolation import Interpolator, Passage
from squall.errors import UserError

Levels = float | Sequence[float]


def interpolated(
    array: xr.DataArray, coordinate: xr.DataArray, values: Levels, *, name: str = "level",
    logarithmic: bool = False, passage: Passage = "highest",
) -> xr.DataArray:  # fmt: skip
    """Layer values where a coordinate, on the same layers, has given values: linear between layers, in the
    coordinate or in its logarithm, NaN outside them; where a column passes a value more than once, at the
    highest or lowest passage.

    values: one, of which the result has no level, or several, which are the coordinate `name` in the place
    of the layers. Nothing is computed where `array` or `coordinate` is Dask's. Raises UserError for an array
    without levels.
    """
    if LEVEL not in array.dims:
        raise UserError(f"{array.name} has no levels.")
    if array.sizes[LEVEL] < 2:
        raise UserError(f"{array.name} has one layer: there is nothing to interpolate between.")
    wanted = np.atleast_1d(np.asarray(values, float))

    def of_columns(of: Any, at: Any) -> Any:
        shape = np.broadcast_shapes(of.shape, at.shape)
        f, x = (np.ascontiguousarray(np.moveaxis(np.broadcast_to(a, shape), -1, 0)) for a in (of, at))
        target = wanted
        if logarithmic:
            x, target = np.log(x), np.log(target)
        there = np.broadcast_to(target.reshape(-1, *[1] * (x.ndim - 1)), (len(target), *x.shape[1:]))
        return np.moveaxis(Interpolator(x, there, "missing", passage).linear(f), 0, -1)

    found: xr.DataArray = xr.apply_ufunc(
        of_columns,
        array,
        coordinate,
        input_core_dims=[[LEVEL], [LEVEL]],
        output_core_dims=[[name]],
        dask="parallelized",
        dask_gufunc_kwargs={"allow_rechunk": True, "output_sizes": {name: len(wanted)}},
        output_dtypes=[float],
    )
    found = found.rename(array.name).assign_attrs(array.attrs)
    if np.ndim(values) == 0:
        return found.isel({name: 0})
    order = [name if dim == LEVEL else dim for dim in array.dims]
    return found.assign_coords({name: wanted}).transpose(*order)


def on_pressure(history: xr.Dataset, array: xr.DataArray, pressure: Levels) -> xr.DataArray:
    """Layer values at pressures [Pa], linear in the logarithm of pressure; see `interpolated`."""
    return interpolated(array, air.pressure(history), pressure, name="pressure", logarithmic=True)


def on_height(
    history: xr.Dataset, array: xr.DataArray, height: Levels, above_ground: bool = False
) -> xr.DataArray:
    """Layer values at heights [m] above the sea, or above the ground; see `interpolated`."""
    z = air.height(history)
    if above_ground:
        z = z - air.surface_height(history)
    return interpolated(array, z, height, name="height")


def on_theta(history: xr.Dataset, array: xr.DataArray, theta: Levels) -> xr.DataArray:
    """Layer values at potential temperatures [K], the lowest of several passages, as streams of theta_levels
    have it, and MetPy's isentropic_interpolation; see `interpolated`."""
    return interpolated(array, air.theta(history), theta, name="theta", passage="lowest")
