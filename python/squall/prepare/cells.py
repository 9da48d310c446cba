"""From points of a fine data set to the cells of a domain: shares of classes, and means.

Where the domain is coarser than the data by half or more, all points within a cell count (geogrid's
"average_gcell" and its fractions of categories); else, and in a cell that holds none, classes are the nearest
point's and values bilinear between the points around.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from squall.geo.domain import Domain
from squall.prepare.horizontal import COARSER
from squall.prepare.sources.grids import SourceGrid
from squall.prepare.sources.piece import Array, Window

BLOCK = 1 << 22  # points worked on at once


class Cells:
    """Where the points of a window of a grid lie in a domain."""

    def __init__(self, grid: SourceGrid, window: Window, domain: Domain) -> None:
        self._domain, self._shape = domain, window.shape
        self._longitude = np.concatenate([grid.x[run] for run in window.columns])
        self._latitude = grid.y[window.rows]
        coarser = min(domain.dx, domain.dy) >= COARSER * grid.spacing
        i, j = grid.indices(domain.mass.longitude, domain.mass.latitude)
        i = i - window.first_column
        if grid.wraps:
            i = i % len(grid.x)
        self._at = np.array([j - window.rows.start, i])
        self._cell = self._cells() if coarser else np.full(window.shape, -1, np.int32)

    def _cells(self) -> NDArray[np.int32]:
        """The cell of each point, (rows, columns); -1: outside the domain."""
        ny, nx = self._domain.ny, self._domain.nx
        made = np.empty(self._shape, np.int32)
        step = max(1, BLOCK // self._shape[1])
        for first in range(0, self._shape[0], step):
            rows = slice(first, first + step)
            i, j = self._domain.indices(*np.meshgrid(self._longitude, self._latitude[rows]))
            with np.errstate(invalid="ignore"):
                inside = (i >= -0.5) & (i < nx - 0.5) & (j >= -0.5) & (j < ny - 0.5)
                column, row = np.floor(np.where(inside, (i, j), 0) + 0.5).astype(np.int32)
            made[rows] = np.where(inside, row * nx + column, -1)
        return made

    def shares(self, classes: Array, count: int) -> Array:
        """(count, ny, nx) from (rows, columns) of numbers from 1 to count; NaN and others count nowhere, and
        a cell of nothing else has no share of any."""
        numbers = np.nan_to_num(classes, nan=0).astype(np.int32)
        numbers[(numbers < 1) | (numbers > count)] = 0
        size = self._domain.ny * self._domain.nx
        inside = self._cell >= 0
        of_both = self._cell[inside] * (count + 1) + numbers[inside]
        found = np.bincount(of_both, minlength=size * (count + 1)).reshape(size, count + 1)
        empty = np.flatnonzero(found.sum(axis=1) == 0)
        nearest = [
            np.clip(np.rint(x.ravel()[empty]).astype(int), 0, n - 1)
            for x, n in zip(self._at, self._shape, strict=True)
        ]
        found[empty, numbers[tuple(nearest)]] = 1
        known = found[:, 1:]
        made = known / np.maximum(known.sum(axis=1, keepdims=True), 1)
        return np.asarray(made.T.reshape(count, self._domain.ny, self._domain.nx), np.float32)

    def means(self, values: Array) -> Array:
        """(ny, nx) from (rows, columns), of points that are numbers; NaN where none is near."""
        valid = np.isfinite(values)
        known = np.where(valid, values, np.float32(0))
        share, made = (
            map_coordinates(x, self._at, np.float64, order=1, mode="nearest") for x in (valid, known)
        )
        size = self._domain.ny * self._domain.nx
        keep = (self._cell >= 0) & valid
        area = np.broadcast_to(np.cos(np.radians(self._latitude))[:, None], self._shape)[keep]
        total = np.bincount(self._cell[keep], area, minlength=size).reshape(share.shape)
        summed = np.bincount(self._cell[keep], area * values[keep], minlength=size).reshape(share.shape)
        share, made = np.where(total > 0, total, share), np.where(total > 0, summed, made)
        return np.where(share > 1e-6, made / np.maximum(share, 1e-6), np.nan).astype(np.float32)
