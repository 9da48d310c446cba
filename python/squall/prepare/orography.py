"""Statistics of subgrid orography, for gravity-wave drag.

Of the points of a data set of heights h that lie in a cell, h_m being their mean (Kim and Arakawa 1995, J.
Atmos. Sci. 52, 1875; Kim and Doyle 2005, Q. J. R. Meteorol. Soc. 131, 1893):

    VAR  standard deviation sigma, m
    CON  convexity, mean of (h - h_m)^4 over sigma^4
    OA   (n_up - n_down) / (n_up + n_down), numbers of points higher than h_m upstream and downstream of the
         middle
    OL   share of points higher than 1116.2 m - 0.878 sigma along the way through the middle

for wind from west (1), south (2), south-west (3) and north-west (4) on the Earth, however the grid is turned.
Of the diagonals, OL is that of the two quarters that the way leads through; else of the middle half.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from squall.geo.domain import Domain
from squall.prepare.cells import Cells
from squall.prepare.columns import DIRECTIONS, OROGRAPHY
from squall.prepare.sources.geogrid_tiles import TileSet
from squall.prepare.sources.piece import Array, Piece, Window, fail, window_around

Float = NDArray[np.float64]

FOLDER = "orogwd_"  # begins the names of WPS's folders, each with one per statistic
POINTS = 4  # across a cell, at least, that statistics need
SMOOTH = 1.0  # m: cells of less deviation have no mountains
BLOCK = 1 << 22  # points worked on at once


@dataclass
class Orography:
    """Statistics by WRF's names, (ny, nx); none where nothing tells them. notes: how they were made."""

    values: dict[str, Array] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def on_land(self, land: Array) -> "Orography":
        """The statistics with zeros over water, as in WPS."""
        flat = {name: np.where(land > 0.5, values, np.float32(0)) for name, values in self.values.items()}
        return Orography(flat, self.notes)


def of_folder(geography: Path, domain: Domain) -> Orography | None:
    """The statistics of the WPS tiles with the resolution nearest to the domain's; None if the folder has
    none. Raises UserError if tiles are missing or do not cover the domain."""
    folders = [path for path in sorted(geography.iterdir()) if path.name.startswith(FOLDER) and path.is_dir()]
    if not folders:
        return None
    wanted = np.log(np.sqrt(domain.dx * domain.dy))
    folder = min(folders, key=lambda path: abs(np.log(_tiles(path, "VAR").grid.spacing) - wanted))
    values = {}
    for name in OROGRAPHY:
        data = _tiles(folder, name)
        corners = domain.points("corner")
        if not data.grid.inside(corners.longitude, corners.latitude).all():
            raise fail(str(data.folder), "its tiles do not cover the domain")
        window = window_around(data.grid, corners.longitude, corners.latitude, margin=2)
        means = Cells(data.grid, window, domain).means(data.load(window))
        values[name] = np.nan_to_num(means).astype(np.float32)
    return Orography(values, [f"subgrid orography: {folder}"])


def _tiles(folder: Path, name: str) -> TileSet:
    """A statistic of a set."""
    within = folder / name.lower()
    if not (within / "index").is_file():
        needed = ", ".join(OROGRAPHY).lower()
        raise fail(str(folder), f"there is no {name.lower()}/index; all of {needed} are needed")
    return TileSet(within)


def of_heights(piece: Piece, domain: Domain) -> Orography:
    """The statistics of all points of a data set of heights [m], 0 over sea; without values if its resolution
    is too coarse."""
    spacing = float(piece.grid.spacing)
    if min(domain.dx, domain.dy) < POINTS * spacing:
        note = (
            f"subgrid orography: none; the points of {piece.where} are {spacing / 1000:.3g} km apart, but "
            f"physics.gravity_wave_drag needs {POINTS} of them across a cell"
        )
        return Orography(notes=[note])
    corners = domain.points("corner")
    window = window_around(piece.grid, corners.longitude, corners.latitude, margin=2)
    heights = np.maximum(np.nan_to_num(piece.values(window)[0]), 0).astype(np.float64)
    values = _Statistics(piece, window, domain).of(heights)
    return Orography(values, [f"subgrid orography: statistics of {piece.where}"])


@dataclass
class _Points:
    """The points of some rows that lie in the domain: their cells, heights, and positions within the
    cells."""

    cell: NDArray[np.int64]
    height: Float
    east: Float  # of the middle, in widths of a cell
    north: Float
    area: Float


class _Statistics:
    """Goes three times through the points: for means, for moments and asymmetry, for lengths."""

    def __init__(self, piece: Piece, window: Window, domain: Domain) -> None:
        self._domain, self._size = domain, domain.ny * domain.nx
        self._grid = piece.grid
        self._x = np.concatenate([piece.grid.x[run] for run in window.columns])
        self._y = piece.grid.y[window.rows]
        self._turn = domain.mass.cos_alpha.ravel(), domain.mass.sin_alpha.ravel()

    def of(self, heights: Float) -> dict[str, Array]:
        total, summed = np.zeros(self._size), np.zeros(self._size)
        for p in self._points(heights):
            total += self._sum(p, p.area)
            summed += self._sum(p, p.area * p.height)
        weight = np.maximum(total, 1e-30)
        mean = summed / weight
        moments, asymmetry = self._moments(heights, mean)
        sigma = np.sqrt(moments[0] / weight)
        rough = sigma >= SMOOTH
        convexity = moments[1] / weight / np.maximum(sigma, SMOOTH) ** 4
        lengths = self._lengths(heights, 1116.2 - 0.878 * sigma)
        made = {"VAR": sigma, "CON": convexity}
        made |= {f"OA{n}": values for n, values in zip(DIRECTIONS, asymmetry, strict=True)}
        made |= {f"OL{n}": values for n, values in zip(DIRECTIONS, lengths, strict=True)}
        shape = (self._domain.ny, self._domain.nx)
        return {name: np.where(rough, x, 0).reshape(shape).astype(np.float32) for name, x in made.items()}

    def _points(self, heights: Float) -> Iterator[_Points]:
        ny, nx = self._domain.ny, self._domain.nx
        step = max(1, BLOCK // heights.shape[1])
        cosine, sine = self._turn
        for first in range(0, heights.shape[0], step):
            rows = slice(first, first + step)
            longitude, latitude = self._grid.inverse(*np.meshgrid(self._x, self._y[rows]))
            i, j = self._domain.indices(longitude, latitude)
            with np.errstate(invalid="ignore"):
                inside = (i >= -0.5) & (i < nx - 0.5) & (j >= -0.5) & (j < ny - 0.5)
            i, j = i[inside], j[inside]
            column, row = np.floor(i + 0.5).astype(np.int64), np.floor(j + 0.5).astype(np.int64)
            cell, x, y = row * nx + column, i - column, j - row
            area = np.cos(np.radians(latitude[inside])) if self._grid.degrees else np.ones(len(cell))
            yield _Points(
                cell=cell,
                height=heights[rows][inside],
                east=x * cosine[cell] - y * sine[cell],
                north=x * sine[cell] + y * cosine[cell],
                area=area,
            )

    def _sum(self, points: _Points, values: Float) -> Float:
        return np.bincount(points.cell, values, minlength=self._size).astype(np.float64)

    def _moments(self, heights: Float, mean: Float) -> tuple[tuple[Float, Float], list[Float]]:
        """Sums of the second and the fourth power of departures; OA of each direction."""
        second, fourth = np.zeros(self._size), np.zeros(self._size)
        up, down = np.zeros((4, self._size)), np.zeros((4, self._size))
        for p in self._points(heights):
            departure = p.height - mean[p.cell]
            second += self._sum(p, p.area * departure**2)
            fourth += self._sum(p, p.area * departure**4)
            high = p.area * (departure > 0)
            for n, along in enumerate((p.east, p.north, p.east + p.north, p.east - p.north)):
                up[n] += self._sum(p, high * (along < 0))
                down[n] += self._sum(p, high * (along > 0))
        return (second, fourth), list((up - down) / np.maximum(up + down, 1e-30))

    def _lengths(self, heights: Float, critical: Float) -> list[Float]:
        """OL of each direction."""
        high, all_points = np.zeros((4, self._size)), np.zeros((4, self._size))
        for p in self._points(heights):
            above = p.height > critical[p.cell]
            middle = np.abs(p.north) < 0.25, np.abs(p.east) < 0.25
            for n, on_way in enumerate((*middle, p.east * p.north > 0, p.east * p.north < 0)):
                weight = p.area * on_way
                high[n] += self._sum(p, weight * above)
                all_points[n] += self._sum(p, weight)
        return list(high / np.maximum(all_points, 1e-30))
