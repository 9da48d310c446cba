"""Interpolation from the points of an analysis to those of a domain.

* "cubic": convolution with 4 x 4 points (Keys 1981, IEEE Trans. ASSP 29, 1153, a = -1/2), third
  order; for smooth fields.
* "limited": the same, limited to the range of the four surrounding points: no new extremes; for
  water and what has steep edges.
* "linear": bilinear with the four surrounding points; monotone.
* masked: bilinear with those of the four that are valid, if they have a quarter of the weight;
  else the nearest valid point, however far; for fields of land or of sea only.

Where the domain is coarser than the analysis by half or more, the first three give way to the mean
of all the analysis's points in a cell, so that nothing finer than the domain is sampled at random.

Weights are found once for each grid, kind of points and method, and are sparse matrices.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

from squall.diagnose.constants import EARTH_RADIUS
from squall.geo.domain import Domain, Stagger
from squall.prepare.sources.grids import Float, SourceGrid
from squall.prepare.sources.piece import Array, Window

COARSER = 1.5  # from which ratio of spacings on a cell's mean is taken

_Search = tuple[NDArray[np.intp], NDArray[np.intp], Float]


@dataclass
class Masked:
    """A field of land or sea, and how far its values come from where no valid point was near."""

    values: Array  # (ny, nx)
    searched: int  # points
    farthest: float  # km


class Interpolation:
    """Interpolation from a window of a source's grid to the domain's points of one stagger."""

    def __init__(self, grid: SourceGrid, window: Window, domain: Domain, stagger: Stagger) -> None:
        self._grid, self._window = grid, window
        self._domain, self._stagger = domain, stagger
        points = domain.points(stagger)
        self.longitude, self.latitude = points.longitude, points.latitude
        self.shape = points.latitude.shape
        i, j = grid.indices(points.longitude, points.latitude)
        i = i - window.first_column
        if grid.wraps:
            i = 1 + (i - 1) % grid.turn  # the column before is there too, all the way round
        rows, columns = window.shape
        self._i = np.clip(i.ravel(), 0, columns - 1)
        self._j = np.clip(j.ravel() - window.rows.start, 0, rows - 1)
        self._searches: dict[bytes, _Search] = {}

    def __call__(self, values: Array, method: str) -> Array:
        """(levels, rows, columns) of the window to (levels, *shape); NaN where too much is missing.

        method: "cubic", "limited" or "linear".
        """
        flat = _columns_last(values)
        whole = np.isfinite(flat).all()
        weights = self._weights(method)
        found = weights @ (flat if whole else np.nan_to_num(flat))
        if method == "limited" and self._mean is None:
            self._limit(found, flat)
        if not whole:
            self._mend(found, flat, weights)
        return np.ascontiguousarray(found.T).reshape(len(values), *self.shape)

    def _weights(self, method: str) -> csr_array:
        if self._mean is not None:
            return self._mean
        return self._linear if method == "linear" else self._cubic

    def masked(self, values: Array, valid: NDArray[np.bool_], wanted: NDArray[np.bool_]) -> Masked | None:
        """A plane (rows, columns) of which only `valid` points are to be used; None: there is none.

        `wanted` (ny, nx) are the points that count in what is told of the search.
        """
        valid = (valid & np.isfinite(values)).ravel()
        if not valid.any():
            return None
        known = np.where(valid, values.ravel(), 0).astype(np.float32)
        share = self._linear @ valid.astype(np.float32)
        found = (self._linear @ known) / np.maximum(share, np.float32(1e-6))
        far, nearest, distance = self._search(valid, share)
        found[far] = values.ravel()[nearest]
        counted = distance[wanted.ravel()[far]]
        return Masked(found.reshape(self.shape), counted.size, float(counted.max(initial=0.0)))

    def _search(self, valid: NDArray[np.bool_], share: Array) -> _Search:
        """Points with little valid around them, the nearest valid one of each and how far it is, km."""
        key = valid.tobytes()
        if key not in self._searches:
            far = np.flatnonzero(share < 0.25)
            tree = cKDTree(_on_sphere(*self._source_points())[valid])
            chord, nearest = tree.query(_on_sphere(self.longitude.ravel()[far], self.latitude.ravel()[far]))
            distance = 2 * np.arcsin(np.minimum(chord / 2, 1)) * EARTH_RADIUS / 1000
            self._searches[key] = far, np.flatnonzero(valid)[nearest], distance
        return self._searches[key]

    def _source_points(self) -> tuple[Float, Float]:
        grid, window = self._grid, self._window
        x = np.concatenate([grid.x[run] for run in window.columns])
        made: tuple[Float, Float] = grid.inverse(*np.meshgrid(x, grid.y[window.rows]))
        return made[0].ravel(), made[1].ravel()

    def _limit(self, found: Array, flat: Array) -> None:
        low = high = None
        for corner in self._corners:
            value = flat[corner]
            low = value if low is None else np.fmin(low, value)
            high = value.copy() if high is None else np.fmax(high, value)
        np.clip(found, low, high, out=found)

    def _mend(self, found: Array, flat: Array, weights: csr_array) -> None:
        """Repairs values that used a missing point: uses the remaining surrounding points, or NaN."""
        missing = ~np.isfinite(flat)
        for level in np.flatnonzero(missing.any(axis=0)):
            gaps = missing[:, level]
            touched = np.flatnonzero((abs(weights) @ gaps.astype(np.float32)) > 1e-6)
            share = self._linear[touched] @ (~gaps).astype(np.float32)
            rest = self._linear[touched] @ np.nan_to_num(flat[:, level])
            found[touched, level] = np.where(share > 0.5, rest / np.maximum(share, 1e-6), np.nan)

    @cached_property
    def _corners(self) -> list[NDArray[np.intp]]:
        rows, columns = self._window.shape
        i0, j0 = np.floor(self._i).astype(np.intp), np.floor(self._j).astype(np.intp)
        i1, j1 = np.minimum(i0 + 1, columns - 1), np.minimum(j0 + 1, rows - 1)
        return [j * columns + i for j in (j0, j1) for i in (i0, i1)]

    @cached_property
    def _linear(self) -> csr_array:
        return self._stencil(_hat, (0, 1))

    @cached_property
    def _cubic(self) -> csr_array:
        return self._stencil(_keys, (-1, 0, 1, 2))

    def _stencil(self, kernel, offsets: tuple[int, ...]) -> csr_array:  # type: ignore[no-untyped-def]
        rows, columns = self._window.shape
        i0, j0 = np.floor(self._i), np.floor(self._j)
        ti, tj = self._i - i0, self._j - j0
        indices, weights = [], []
        for n in offsets:
            row = np.clip(j0 + n, 0, rows - 1) * columns
            wj = kernel(tj - n)
            for m in offsets:
                indices.append(row + np.clip(i0 + m, 0, columns - 1))
                weights.append(wj * kernel(ti - m))
        points = len(self._i)
        start = np.arange(points + 1, dtype=np.int32) * len(indices)
        made = csr_array(
            (
                np.stack(weights, 1).astype(np.float32).ravel(),
                np.stack(indices, 1).astype(np.int32).ravel(),
                start,
            ),
            shape=(points, rows * columns),
        )
        made.sum_duplicates()
        return made

    @cached_property
    def _mean(self) -> csr_array | None:
        """Means over the cells around the domain's points; None: the domain is not that coarse."""
        if min(self._domain.dx, self._domain.dy) < COARSER * self._grid.spacing:
            return None
        longitude, latitude = self._source_points()
        # Rows over a pole have their points elsewhere, too.
        own = np.abs(latitude) <= 90 if self._grid.degrees else np.ones(latitude.shape, bool)
        i, j = self._domain.indices(longitude, np.where(own, latitude, 0.0))
        ny, nx = self.shape
        column = np.floor(i + (1.0 if self._stagger == "u" else 0.5))
        row = np.floor(j + (1.0 if self._stagger == "v" else 0.5))
        inside = own & (column >= 0) & (column < nx) & (row >= 0) & (row < ny)
        source = np.flatnonzero(inside)
        target = (row[inside] * nx + column[inside]).astype(np.int64)
        size = np.cos(np.radians(latitude[inside])) if self._grid.degrees else np.ones(len(source))
        total = np.bincount(target, size, minlength=ny * nx)
        # A cell that happens to hold one point or none is interpolated.
        few = np.bincount(target, minlength=ny * nx) < 2
        keep = ~few[target]
        means = csr_array(
            ((size / np.maximum(total[target], 1e-9))[keep].astype(np.float32), (target[keep], source[keep])),
            shape=self._linear.shape,
        )
        rest = self._linear * few.astype(np.float32)[:, None]
        return csr_array(means + rest)


class Rotation:
    """Turns winds of a source to the domain's grid, at points of one kind.

    u = a u_source + b v_source and v = a v_source - b u_source.
    """

    def __init__(self, grid: SourceGrid, domain: Domain, stagger: Stagger, along_grid: bool) -> None:
        points = domain.points(stagger)
        sine, cosine = points.sin_alpha, points.cos_alpha
        if along_grid:
            east, north = grid.north(points.longitude, points.latitude)
            sine, cosine = sine * north - cosine * east, cosine * north + sine * east
        self.a, self.b = cosine.astype(np.float32), sine.astype(np.float32)

    @property
    def is_none(self) -> bool:
        """Whether the source's winds are along the domain's grid already."""
        return bool(np.abs(self.b).max() < 1e-6)


def _columns_last(values: Array) -> Array:
    """(points, levels), as a sparse matrix takes them in one pass."""
    return np.ascontiguousarray(values.reshape(len(values), -1).T)


def _hat(t: Float) -> Float:
    return np.asarray(np.maximum(1 - np.abs(t), 0))


def _keys(t: Float) -> Float:
    t = np.abs(t)
    near = (1.5 * t - 2.5) * t * t + 1
    far = ((-0.5 * t + 2.5) * t - 4) * t + 2
    return np.where(t < 1, near, np.where(t < 2, far, 0.0))


def _on_sphere(longitude: Float, latitude: Float) -> Float:
    lam, phi = np.radians(longitude), np.radians(latitude)
    return np.stack([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)], axis=-1)
