"""Applies functions of points or of whole columns to arrays, lazily for Dask arrays."""

from collections.abc import Callable
from typing import Any

import xarray as xr

LEVEL = "bottom_top"
INTERFACE = "bottom_top_stag"


def of_columns(function: Callable[..., Any], *arrays: xr.DataArray, results: int = 1) -> Any:
    """Applies a function of NumPy arrays to columns, which are the last axis of its arguments; it returns one
    value per column. Dask arrays stay lazy. results: number of arrays that the function returns, as a tuple
    if more than one."""
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
    """Applies an element-wise function of NumPy arrays. Dask arrays stay lazy."""
    found: xr.DataArray = xr.apply_ufunc(function, *arrays, dask="parallelized", output_dtypes=[float])
    return found
