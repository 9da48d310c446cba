"""Functions of points and of whole columns, applied to lazy arrays."""

from collections.abc import Callable
from typing import Any

import xarray as xr

LEVEL = "bottom_top"
INTERFACE = "bottom_top_stag"


def of_columns(function: Callable[..., Any], *arrays: xr.DataArray, results: int = 1) -> Any:
    """What a function of NumPy arrays makes of each column, which it is given along the last axis of its
    arguments: one value a column; not computed where an array is Dask's. results: how many arrays the
    function returns, as a tuple where more than one."""
    return xr.apply_ufunc(
        function,
        *arrays,
        input_core_dims=[[LEVEL]] * len(arrays),
        output_core_dims=[[]] * results,
        dask="parallelized",
        dask_gufunc_kwargs={"allow_rechunk": True},
        output_dtypes=[float] * results,
    )


def of_points(function: Callable[..., Any], *arrays: xr.DataArray) -> xr.DataArray:
    """What a function of NumPy arrays, element by element, makes of arrays; not computed where they are
    Dask's."""
    found: xr.DataArray = xr.apply_ufunc(function, *arrays, dask="parallelized", output_dtypes=[float])
    return found
