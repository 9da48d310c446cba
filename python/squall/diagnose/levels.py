"""Fields on surfaces of pressure, height or potential temperature.

Temperature, wind and height are closer to linear in the logarithm of pressure than in pressure, so
interpolation to pressures is linear in the logarithm.
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
    """Interpolates layer values to given values of a coordinate on the same layers: linear in the coordinate
    or its logarithm, NaN outside the layers. If a column crosses a value more than once, the highest or
    lowest crossing is used.

    values: one value, for a result without levels, or several, which become the coordinate `name` in place of
    the layers. Dask arrays stay lazy. Raises UserError for an array without levels.
    """
    if LEVEL not in array.dims:
        raise UserError(f"{array.name} has no levels.")
    if array.sizes[LEVEL] < 2:
        raise UserError(f"{array.name} has only one layer, so it cannot be interpolated.")
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
    """Layer values at heights [m] above sea level or above ground; see `interpolated`."""
    z = air.height(history)
    if above_ground:
        z = z - air.surface_height(history)
    return interpolated(array, z, height, name="height")


def on_theta(history: xr.Dataset, array: xr.DataArray, theta: Levels) -> xr.DataArray:
    """Layer values at potential temperatures [K], at the lowest crossing, like streams with theta_levels and
    MetPy's isentropic_interpolation; see `interpolated`."""
    return interpolated(array, air.theta(history), theta, name="theta", passage="lowest")
