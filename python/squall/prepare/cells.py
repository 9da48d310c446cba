"""Aggregates points of a fine data set to the cells of a domain: fractions of classes, and means.

Classes: where the domain is coarser than the data by half or more, all points within a cell count (geogrid's
fractions of categories); else, and in a cell that holds none, the nearest point does. Values: cells are
sampled evenly, several times within the data's spacing; finer data is averaged over blocks first.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from squall.geo.domain import Domain
from squall.prepare.horizontal import COARSER
from squall.prepare.sources.grids import Float, SourceGrid
from squall.prepare.sources.piece import Array, Window

BLOCK = 1 << 22  # points worked on at once
SAMPLES = 6  # of a cell in each direction, at most; finer data is averaged first
BLOCK_ROWS = 32  # of the domain, sampled at once


class Cells:
    """The positions in a domain of the points of a window of a grid."""

    def __init__(self, grid: SourceGrid, window: Window, domain: Domain) -> None:
        self._grid, self._window, self._domain, self._shape = grid, window, domain, window.shape

    def _places(self, i: Float, j: Float) -> tuple[Float, Float]:
        """Row and column in the window of what is at column i and row j of the domain."""
        column, row = self._grid.indices(*self._domain.locate(i, j))
        column = column - self._window.first_column
        if self._grid.wraps:
            column = column % self._grid.turn
        return row - self._window.rows.start, column

    @cached_property
    def _cell(self) -> NDArray[np.int32]:
        """The cell of each point, (rows, columns); -1: outside the domain."""
        ny, nx = self._domain.ny, self._domain.nx
        if min(self._domain.dx, self._domain.dy) < COARSER * self._grid.spacing:
            return np.full(self._shape, -1, np.int32)
        made = np.empty(self._shape, np.int32)
        longitude = np.concatenate([self._grid.x[run] for run in self._window.columns])
        latitude = self._grid.y[self._window.rows]
        step = max(1, BLOCK // self._shape[1])
        for first in range(0, self._shape[0], step):
            rows = slice(first, first + step)
            i, j = self._domain.indices(*np.meshgrid(longitude, latitude[rows]))
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
        middles = np.meshgrid(*(np.arange(n, dtype=np.float64) for n in (self._domain.nx, self._domain.ny)))
        nearest = [
            np.clip(np.rint(x.ravel()[empty]).astype(int), 0, n - 1)
            for x, n in zip(self._places(*middles), self._shape, strict=True)
        ]
        found[empty, numbers[tuple(nearest)]] = 1
        known = found[:, 1:]
        made = known / np.maximum(known.sum(axis=1, keepdims=True), 1)
        return np.asarray(made.T.reshape(count, self._domain.ny, self._domain.nx), np.float32)

    def means(self, values: Array) -> Array:
        """(ny, nx) from (rows, columns), of points that are numbers; NaN where none is near."""
        valid = np.isfinite(values)
        share, total = self._sampled(valid.astype(np.float32), np.where(valid, values, np.float32(0)))
        return np.where(share > 1e-6, total / np.maximum(share, 1e-6), np.nan).astype(np.float32)

    def _sampled(self, *fields: Array) -> Array:
        """Means over samples of each cell, (field, ny, nx)."""
        domain, spacing = self._domain, self._grid.spacing
        factor = max(1, int(min(domain.dx, domain.dy) / spacing / SAMPLES))
        blocks = [_blocks(field, factor) for field in fields]
        samples = int(np.clip(np.ceil(2 * max(domain.dx, domain.dy) / (spacing * factor)), 1, 2 * SAMPLES))
        offsets = (np.arange(samples) + 0.5) / samples - 0.5
        made = np.empty((len(fields), domain.ny, domain.nx), np.float32)
        columns = (np.arange(domain.nx)[:, None] + offsets).ravel()
        for first in range(0, domain.ny, BLOCK_ROWS):
            rows = np.arange(first, min(first + BLOCK_ROWS, domain.ny))
            fine = np.meshgrid(columns, (rows[:, None] + offsets).ravel())
            # Middles of blocks of `factor` points.
            at = [(place - (factor - 1) / 2) / factor for place in self._places(*fine)]
            for made_of, block in zip(made, blocks, strict=True):
                sampled = map_coordinates(block, at, order=1, mode="nearest")
                made_of[rows] = sampled.reshape(len(rows), samples, domain.nx, samples).mean(axis=(1, 3))
        return made


def _blocks(values: Array, factor: int) -> Array:
    """Means over blocks of factor x factor points; what does not fill one is left out."""
    if factor == 1:
        return values
    rows, columns = (n // factor for n in values.shape)
    cut = values[: rows * factor, : columns * factor]
    return np.asarray(cut.reshape(rows, factor, columns, factor).mean(axis=(1, 3)))
