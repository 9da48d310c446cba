"""Maps of the whole globe, or of what is around a pole, with coasts and a graticule.

Robinson's table is PROJ's; the maps of a pole are Lambert's, of true areas (Snyder 1987, USGS Professional
Paper 1395, chapter 24). All are centred on Greenwich, with their seam on the date line.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from pyproj import Proj

from squall.diagnose.constants import EARTH_RADIUS
from squall.geo import coasts, maps
from squall.geo.globe import goes_around
from squall.geo.projection import Float

NAMES = ("plate-carree", "robinson", "north-pole", "south-pole")

_SMALLEST = 3000.0  # km2 of an island or a lake that is drawn
_PARALLELS = np.arange(-60.0, 61.0, 30.0)
_MERIDIANS = np.arange(-180.0, 180.0, 30.0)
_BEYOND = 6.0  # degrees beyond the equator, which the rim cuts off


@dataclass(frozen=True)
class WholeMap:
    """One of NAMES."""

    name: str

    @property
    def pole(self) -> float:
        """90 and -90 degrees for the maps of a pole, else 0."""
        return {"north-pole": 90.0, "south-pole": -90.0}.get(self.name, 0.0)

    @cached_property
    def _proj(self) -> Proj:
        own: dict[str, str | float] = (
            {"proj": "robin"} if not self.pole else {"proj": "laea", "lat_0": self.pole}
        )
        return Proj({**own, "R": EARTH_RADIUS})

    def forward(self, longitude: Float, latitude: Float) -> tuple[Float, Float]:
        """Where places are on the map: in degrees of the plate carree, else in units of the Earth's radius.
        Longitudes are -180 to 180, the seam on either side."""
        if self.name == "plate-carree":
            return longitude, latitude
        x, y = self._proj(longitude, latitude)
        return np.asarray(x) / EARTH_RADIUS, np.asarray(y) / EARTH_RADIUS

    def mesh(self, lon: Float, lat: Float, values: Float) -> tuple[Float, Float, Float]:
        """Places and values (lat, lon) of a field to draw, closed over the seam and the poles where the grid
        goes that far; around a pole, of its hemisphere and a little more."""
        if self.pole:
            kept = lat * np.sign(self.pole) > -_BEYOND
            lat, values = lat[kept], values[kept]
        lat, values = _over_poles(lat, values)
        lon, values = closed(lon, values)
        x, y = self.forward(*np.meshgrid(lon, lat))
        return x, y, values

    def dress(self, ax: Axes, lon: Float, lat: Float) -> None:
        """Adds coasts, the graticule and the rim. lon, lat: of the rows and columns that are drawn, which are
        the limits of a plate carree."""
        lines = coasts.lines("gshhs", "l", _SMALLEST)
        self._draw(ax, self._broken(lines), 0.6, maps.COAST, 2.5)
        self._draw(ax, self._graticule(), 0.3, maps.BORDER, 2.4)
        ax.set_aspect("equal")
        if self.name == "plate-carree":
            _name_degrees(ax, lon, lat)
            return
        rim = self._rim()
        patch = PathPatch(Path(rim), facecolor="none", edgecolor="#222222", linewidth=0.7, zorder=4)
        ax.add_patch(patch)
        for drawn in ax.collections:
            drawn.set_clip_path(patch)
        room = 1.12 if self.pole else 1.01  # names are around the map of a pole
        ax.set(xlim=_reach(rim[:, 0], room), ylim=_reach(rim[:, 1], room))
        ax.set_axis_off()
        self._name_lines(ax)

    def _draw(self, ax: Axes, lines: Iterator[Float], width: float, colour: str, above: float) -> None:
        drawn = LineCollection(list(lines), linewidths=width, colors=colour, zorder=above)
        ax.add_collection(drawn, autolim=False)

    def _broken(self, lines: tuple[coasts.Line, ...]) -> Iterator[Float]:
        """Lines on the map, broken at the seam and at the end of a hemisphere."""
        for line in lines:
            points = line.astype(float)
            cut = np.abs(np.diff(points[:, 0])) > 180
            if self.pole:
                beyond = points[:, 1] * np.sign(self.pole) < -_BEYOND
                cut |= beyond[:-1] | beyond[1:]
            for part in np.split(points, np.flatnonzero(cut) + 1):
                if len(part) > 1:
                    yield np.column_stack(self.forward(part[:, 0], part[:, 1]))

    def _graticule(self) -> Iterator[Float]:
        along = np.linspace(-180, 180, 181)
        south, north = {90.0: (0.0, 90.0), -90.0: (-90.0, 0.0)}.get(self.pole, (-90.0, 90.0))
        up = np.linspace(south, north, 91)
        for degrees in (degrees for degrees in _PARALLELS if south <= degrees <= north):
            yield np.column_stack(self.forward(along, np.full_like(along, degrees)))
        for degrees in _MERIDIANS[0 if self.pole else 1 :]:
            yield np.column_stack(self.forward(np.full_like(up, degrees), up))

    def _rim(self) -> Float:
        """The edge of the map, closed."""
        around, up = np.linspace(-180, 180, 361), np.linspace(-90, 90, 181)
        if self.pole:
            return np.column_stack(self.forward(around, np.zeros_like(around)))
        sides = [(np.full_like(up, side), order) for side, order in ((-180.0, up), (180.0, up[::-1]))]
        points = [np.column_stack(self.forward(*side)) for side in sides]
        return np.concatenate([*points, points[0][:1]])

    def _name_lines(self, ax: Axes) -> None:
        """Parallels beside the rim of a Robinson map, meridians around that of a pole."""
        if not self.pole:
            for degrees in _PARALLELS:
                x, y = self.forward(np.array([-180.0]), np.array([degrees]))
                self._name(ax, maps.degree_name(degrees, "NS"), (float(x[0]) - 0.06, float(y[0])), "right")
            return
        for degrees in _MERIDIANS:
            x, y = self.forward(np.array([degrees]), np.array([0.0]))
            at = (1.07 * float(x[0]), 1.07 * float(y[0]))
            self._name(ax, maps.degree_name(degrees, "EW"), at, "center")

    def _name(self, ax: Axes, text: str, at: tuple[float, float], side: str) -> None:
        ax.annotate(text, at, ha=side, va="center", fontsize=7, color=maps.COAST, annotation_clip=False)


def closed(lon: Float, values: Float) -> tuple[Float, Float]:
    """Columns of a field that go around the globe with one more at either side, on the seam, which is between
    the last and the first; as they are, of a part of the globe."""
    if not goes_around(lon):
        return lon, values
    share = (180 - lon[-1]) / (lon[0] + 360 - lon[-1])
    seam = ((1 - share) * values[..., -1] + share * values[..., 0])[..., None]
    return np.concatenate([[-180.0], lon, [180.0]]), np.concatenate([seam, values, seam], axis=-1)


def _over_poles(lat: Float, values: Float) -> tuple[Float, Float]:
    """Rows that reach to a pole with one more there, the mean of the outermost."""
    step = np.diff(lat).mean() if len(lat) > 1 else 0.0
    for row, pole in ((0, -90.0), (-1, 90.0)):
        if 0 < abs(lat[row] - pole) < 1.1 * step:
            more = np.broadcast_to(values[row].mean(), (1, values.shape[1]))
            ends = (([pole], lat), (more, values)) if row == 0 else ((lat, [pole]), (values, more))
            lat, values = (np.concatenate(pair) for pair in ends)
    return lat, values


def _reach(points: Float, room: float) -> tuple[float, float]:
    return float(points.min()) * room, float(points.max()) * room


def _name_degrees(ax: Axes, lon: Float, lat: Float) -> None:
    ends = [(-180.0, 180.0) if goes_around(lon) else (float(lon[0]), float(lon[-1])), _to_poles(lat)]
    ax.set(xlim=ends[0], ylim=ends[1])
    for axis, (low, high), letters in zip((ax.xaxis, ax.yaxis), ends, ("EW", "NS"), strict=True):
        marks = maps.round_numbers(low, high, maps.globe_step(high - low))
        axis.set_ticks(list(marks), [maps.degree_name(mark, letters) for mark in marks], fontsize=7)


def _to_poles(lat: Float) -> tuple[float, float]:
    """The limits of rows: the poles where these are next."""
    step = float(np.diff(lat).mean()) if len(lat) > 1 else 0.0
    south = -90.0 if lat[0] + 90 < 1.1 * step else float(lat[0])
    return south, 90.0 if 90 - lat[-1] < 1.1 * step else float(lat[-1])
