"""Interpolation between cell centres and faces, by means of neighbours."""

from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

Block = NDArray[np.float64]


def centred(array: xr.DataArray) -> xr.DataArray:
    """The array on mass points: the mean of neighbours along each staggered dimension, those whose names
    end in _stag. Keeps attributes and name, drops coordinates. Dask arrays stay lazy."""
    variable = array.variable
    for dim in [str(dim) for dim in variable.dims if str(dim).endswith("_stag")]:
        low, high = variable.isel({dim: slice(0, -1)}), variable.isel({dim: slice(1, None)})
        variable = 0.5 * (low + high)
    dims = [str(dim).removesuffix("_stag") for dim in variable.dims]
    return xr.DataArray(variable.data, dims=dims, name=array.name, attrs=array.attrs)


def to_centres(faces: NDArray[Any], axis: int = 0) -> NDArray[Any]:
    """Means of neighbours along an axis, one fewer than before; of interfaces (k, ...) the layers."""
    n = faces.shape[axis]
    return np.asarray(0.5 * (faces.take(range(n - 1), axis) + faces.take(range(1, n), axis)))


def to_faces(cells: Block, axis: int, sides: tuple[bool, bool] = (True, True)) -> Block:
    """Means of neighbours along an axis. sides: whether the first and the last face are those of the
    domain's sides, which have a cell on one side only and take its value."""
    pad = [(0, 0)] * cells.ndim
    pad[axis] = (int(sides[0]), int(sides[1]))
    return to_centres(np.pad(cells, pad, mode="edge"), axis)
