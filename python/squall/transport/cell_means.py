"""From the points of a global analysis to the cells and faces of the globe.

Between its points the analysis is taken as linear along meridians and parallels. Of that, a cell gets the
mean over its area, so that the integral over the sphere is kept; a western face the mean over its length, on
which depends what passes it; a southern one likewise. Over the poles the rows of the other side go on.
"""

from collections.abc import Callable
from datetime import datetime

import numpy as np
from scipy.sparse import csr_array, kron

from squall.errors import UserError
from squall.geo.domain import Stagger
from squall.prepare.horizontal import Interpolation, Rotation
from squall.prepare.poles import ROWS
from squall.prepare.regrid import FieldReader
from squall.prepare.report import Report
from squall.prepare.sources import Analysis
from squall.prepare.sources.grids import SourceGrid
from squall.prepare.sources.piece import Array, Piece, Window
from squall.prepare.sources.units import check_range
from squall.transport.globe import Float, Globe


class CellMeans(Interpolation):
    """Means of a window of a source's grid in the cells of a globe, or on their faces."""

    def __init__(self, grid: SourceGrid, window: Window, globe: Globe, stagger: Stagger) -> None:
        """window: of a grid with its rows over the poles, all the way round."""
        faces = globe.lat_faces
        lat = np.radians(grid.y[window.rows])
        if stagger == "v":
            along = _rising(lambda x: _points(faces, x), lat)
        else:
            along = _rising(lambda x: _means(faces[:-1], faces[1:], x, by_area=stagger == "mass"), lat)
        across = _around(grid, window, globe.lon_faces, on_faces=stagger == "u")
        self.shape = (along.shape[0], across.shape[0])
        self._searches = {}
        self._mean = self._linear = csr_array(kron(csr_array(along), csr_array(across)), dtype=np.float32)


def _rising(weights: Callable[[Float], Float], x: Float) -> Float:
    """Weights (places, points) that are made for points in rising order, for points in either order."""
    return weights(x[::-1])[:, ::-1] if x[0] > x[-1] else weights(x)


def _around(grid: SourceGrid, window: Window, faces: Float, on_faces: bool) -> Float:
    """Weights (places, columns of the window) at the faces or of the cells between them; the first columns of
    the window, once around, have them all."""
    count, step = grid.turn, np.radians(grid.x[1] - grid.x[0])
    first = np.radians(grid.x[0]) + step * window.first_column
    west = min(first, first + step * (count - 1))
    places = west + (faces - west) % (2 * np.pi)  # up to one turn after the westernmost column
    x = west + abs(step) * np.arange(2 * count + 2)
    width = faces[1] - faces[0]
    twice = _points(places, x) if on_faces else _means(places[:-1], places[:-1] + width, x)
    once = np.zeros((len(twice), window.shape[1]))
    for n in range(len(x)):
        column = n % count
        once[:, column if step > 0 else count - 1 - column] += twice[:, n]
    return once


def _points(at: Float, x: Float) -> Float:
    """Weights (places, points) of linear interpolation between points in rising order."""
    n = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    share = (at - x[n]) / (x[n + 1] - x[n])
    weights = np.zeros((len(at), len(x)))
    weights[np.arange(len(at)), n] = 1 - share
    weights[np.arange(len(at)), n + 1] = share
    return weights


def _means(low: Float, high: Float, x: Float, by_area: bool = False) -> Float:
    """Weights (places, points) of the means from `low` to `high` of what is linear between points in rising
    order; by_area: with the cosine of x as weight."""
    weights = np.zeros((len(low), len(x)))
    for n in range(len(x) - 1):
        begin, end = np.clip(low, x[n], x[n + 1]), np.clip(high, x[n], x[n + 1])
        size, moment = _integrals(begin, end, by_area)
        rising = (moment - x[n] * size) / (x[n + 1] - x[n])
        weights[:, n] += size - rising
        weights[:, n + 1] += rising
    return weights / _integrals(low, high, by_area)[0][:, None]


def _integrals(begin: Float, end: Float, by_area: bool) -> tuple[Float, Float]:
    """Of 1 and of x, with the cosine of x as weight or without."""
    if not by_area:
        return end - begin, (end**2 - begin**2) / 2
    size = np.sin(end) - np.sin(begin)
    return size, end * np.sin(end) - begin * np.sin(begin) + np.cos(end) - np.cos(begin)


class GlobeReader(FieldReader):
    """Reads the fields of a global analysis as means in the cells of a globe and on their faces."""

    def __init__(self, analysis: Analysis, globe: Globe, report: Report) -> None:
        super().__init__(analysis, (globe.nlat, globe.nlon), report)
        self.globe = globe
        self._means: dict[tuple[object, ...], CellMeans] = {}

    def surface_pressure(self, time: datetime) -> Array | None:
        """The mean in each cell (nlat, nlon): of the analysis's own ground, as the globe has none."""
        return self.plane(time, "surface_pressure")

    def mean(self, values: Array, grid: SourceGrid) -> Array:
        """Of values in a source's whole window with its rows over the poles (rows, columns): (nlat, nlon)."""
        return np.asarray(self._interpolation(grid, "mass")(values[None], "linear")[0])

    def values(self, piece: Piece, level: int = 0) -> Array:
        """A level of a piece, or a piece of the surface, in that window; 0 where it is missing. Raises
        UserError for values that the field cannot have."""
        read = np.nan_to_num(piece.unchecked(self._own_window(piece.grid)))
        check_range(read, piece.field, piece.where)
        return np.asarray(self._over_poles(read, piece, mend=False)[level])

    def _window(self, grid: SourceGrid) -> Window:
        if grid.kind != "latitude-longitude" or len(self._poles(grid).grid.y) != len(grid.y) + 2 * ROWS:
            raise UserError(
                f"The analysis has a {grid.kind} grid of {len(grid.x)} x {len(grid.y)} points that does not "
                "go around the globe from pole to pole; winds for squall-transport need one that does."
            )
        return self._poles(grid).window(
            np.array([0.0, 90.0, 180.0, 270.0]), np.array([-90.0, 90.0, 0.0, 0.0])
        )

    def _interpolation(self, grid: SourceGrid, stagger: Stagger) -> CellMeans:
        key = (grid.key, stagger)
        if key not in self._means:
            self._means[key] = CellMeans(self._poles(grid).grid, self._window(grid), self.globe, stagger)
        return self._means[key]

    def _rotation(self, grid: SourceGrid, stagger: Stagger, along_grid: bool) -> Rotation | None:
        return None
