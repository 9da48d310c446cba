"""Maps: plan views of runs on the Earth, in the run's own projection, with coasts and borders."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, SupportsFloat

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import LineCollection

from squall.errors import UserError
from squall.geo import coasts
from squall.geo.projection import WRF_PROJECTIONS, Float, Projection

COAST = "#4d4d4d"
BORDER = "#8a8a8a"

_NAMES = {number: name for name, (number, _) in WRF_PROJECTIONS.items()}
_CYLINDERS = ("mercator", "lat-lon")


def is_on_earth(frame: xr.Dataset) -> bool:
    """Whether a frame has a map projection and the coordinates of its points."""
    name = _name_of(frame.attrs)
    told = name is not None and all(_told(frame.attrs, *one) for one in _needed(name))
    return told and {"XLAT", "XLONG"} <= set(frame.variables)


def has_map(frame: xr.Dataset) -> bool:
    """Whether a frame also has enough rows and columns for a map."""
    return is_on_earth(frame) and min(frame.sizes.get(dim, 0) for dim in ("west_east", "south_north")) > 1


def _name_of(attrs: Mapping[str, SupportsFloat]) -> str | None:
    number = _number(attrs, "MAP_PROJ")
    return None if number is None else _NAMES.get(int(number))


def _number(attrs: Mapping[str, SupportsFloat], name: str) -> float | None:
    """An attribute that is a number, which those of other people's files need not be."""
    try:
        return float(np.ravel(np.asarray(attrs[name], float))[0])
    except (KeyError, IndexError, TypeError, ValueError):
        return None


def _told(attrs: Mapping[str, SupportsFloat], *names: str) -> bool:
    return any(_number(attrs, name) is not None for name in names)


def _needed(name: str) -> list[tuple[str, ...]]:
    """Attributes of a projection, of each several that may stand for it."""
    if name in _CYLINDERS:
        return [("CEN_LON", "STAND_LON"), *([("TRUELAT1",)] if name == "mercator" else [])]
    return [("STAND_LON",), ("TRUELAT1",), *([("TRUELAT2",)] if name == "lambert" else [])]


def projection(attrs: Mapping[str, SupportsFloat]) -> Projection:
    """The projection that the global attributes of a history describe, as in WRF."""
    name = _name_of(attrs)
    lacking = [("MAP_PROJ",)] if name is None else [a for a in _needed(name) if not _told(attrs, *a)]
    if name is None or lacking:
        raise UserError(
            f"The history has no attribute {', '.join(names[0] for names in lacking)} with a number as in "
            f"WRF, which its map needs."
        )
    if (_number(attrs, "POLE_LAT") or 90.0) != 90.0:
        raise UserError(
            f"Runs on a rotated latitude-longitude grid (POLE_LAT = {float(attrs['POLE_LAT']):g}) cannot "
            f"be drawn on a map. squall.open_run can read them; interpolate them to another projection to "
            f"draw them."
        )
    # Cylinders are unrolled about the domain, wherever that is.
    meridians = ("CEN_LON", "STAND_LON") if name in _CYLINDERS else ("STAND_LON",)
    meridian = next(found for one in meridians if (found := _number(attrs, one)) is not None)
    first = _number(attrs, "TRUELAT1") or 0.0
    second = _number(attrs, "TRUELAT2")
    return Projection(name, first, first if second is None else second, meridian)


@dataclass(frozen=True)
class Map:
    """A map of a run's domain in its projection, with distances from the domain's western and southern edges
    [km]."""

    x: Float
    y: Float
    origin: tuple[float, float]  # of the projection, m
    projection: Projection

    @classmethod
    def of(cls, frame: xr.Dataset) -> "Map":
        """The map of a frame. Raises UserError if its points do not fit its projection."""
        transform = projection(frame.attrs)
        points = (frame[name].values.astype(float) for name in ("XLONG", "XLAT"))
        easting, northing = transform.forward(*points)
        x, y = easting.mean(0), northing.mean(1)
        dx, dy = _spacing(x), _spacing(y)
        off = max(float(np.abs(easting - x).max() / dx), float(np.abs(northing - y[:, None]).max() / dy))
        if not off < 0.2:
            raise UserError(
                f"XLAT and XLONG lie up to {off:.1f} cells off the {_NAMES[int(frame.attrs['MAP_PROJ'])]} "
                "projection of the attributes (MAP_PROJ, TRUELAT1, TRUELAT2, STAND_LON)."
            )
        origin = (float(x[0] - dx / 2), float(y[0] - dy / 2))
        return cls((x - origin[0]) / 1000, (y - origin[1]) / 1000, origin, transform)

    def locate(self, longitude: Float, latitude: Float) -> tuple[Float, Float]:
        """Distances [km] from the domain's western and southern edges of longitudes and latitudes
        [degrees]."""
        easting, northing = self.projection.forward(longitude, latitude)
        return (easting - self.origin[0]) / 1000, (northing - self.origin[1]) / 1000

    def where(self, x: Float, y: Float) -> tuple[Float, Float]:
        """Longitudes and latitudes [degrees] at distances [km]."""
        return self.projection.inverse(x * 1000 + self.origin[0], y * 1000 + self.origin[1])

    @property
    def width(self) -> float:
        """The longer side [km]."""
        return float(max(self.x[-1] - self.x[0], self.y[-1] - self.y[0]))

    def dress(self, ax: Axes) -> None:
        """Adds coasts, borders and the graticule, and sets the limits."""
        detail: coasts.Detail = "l" if self.width > 2500 else "i"
        smallest = (0.01 * self.width) ** 2
        self._draw(ax, coasts.lines("states", detail), 0.35, BORDER)
        self._draw(ax, coasts.lines("countries", detail), 0.6, BORDER)
        self._draw(ax, coasts.lines("gshhs", detail, smallest), 0.7, COAST)
        self._graticule(ax)
        ax.set_aspect("equal")
        ax.set(xlim=(self.x[0], self.x[-1]), ylim=(self.y[0], self.y[-1]))

    def _draw(self, ax: Axes, lines: tuple[coasts.Line, ...], width: float, colour: str) -> None:
        parts = list(self.inside(lines))
        ax.add_collection(LineCollection(parts, linewidths=width, colors=colour, zorder=2.5), autolim=False)

    def inside(self, lines: tuple[coasts.Line, ...]) -> Iterator[Float]:
        """The parts of lines that lie in the domain and a rim around it, in km."""
        ends = np.cumsum([len(line) for line in lines])
        x, y = self.locate(*np.concatenate(lines).astype(float).T)
        rim = 0.1 * self.width
        near = (x > -rim) & (x < self.x[-1] + rim) & (y > -rim) & (y < self.y[-1] + rim)
        kept = near[:-1] & near[1:]
        kept[ends[:-1] - 1] = False  # from one line to the next
        kept[np.hypot(np.diff(x), np.diff(y)) > self.width] = False
        edges = np.flatnonzero(np.diff(np.concatenate([[False], kept, [False]]).astype(int)))
        points = np.column_stack([x, y])
        for start, end in edges.reshape(-1, 2):
            yield points[start : end + 1]

    def _graticule(self, ax: Axes) -> None:
        """Meridians and parallels, each named where it leaves the domain in the south or west."""
        south: dict[float, str] = {}
        west: dict[float, str] = {}
        for axis, name, x, y in self.graticule():
            ax.plot(x, y, color=COAST, linewidth=0.3, linestyle=(0, (6, 6)), zorder=2.4)
            below, left = _crossing(y, x, self.y[0], self.x), _crossing(x, y, self.x[0], self.y)
            if axis == "x" and below is not None:
                south[below] = name
            elif left is not None:
                west[left] = name
            elif axis == "y":
                self._name_inside(ax, name, x, y)
        _name(ax.xaxis, south)
        _name(ax.yaxis, west)

    def _name_inside(self, ax: Axes, name: str, x: Float, y: Float) -> None:
        """Of a parallel that leaves the domain nowhere in the west: at its southernmost point within."""
        inside = (x > self.x[0]) & (x < self.x[-1]) & (y > self.y[0]) & (y < self.y[-1])
        if inside.any():
            lowest = int(np.argmin(np.where(inside, y, np.inf)))
            ax.annotate(
                name, (float(x[lowest]), float(y[lowest])), fontsize=6, color=COAST, ha="center", va="center",
                zorder=2.45, annotation_clip=True, bbox={"color": "white", "alpha": 0.7, "pad": 0.6},
            )  # fmt: skip

    def graticule(self) -> Iterator[tuple[Literal["x", "y"], str, Float, Float]]:
        """Meridians ("x", of the axis that they cross) and parallels ("y"): name, and points [km]."""
        longitude, latitude = self.where(*_rim(self))
        middle = round(float(self.where(self.x.mean(), self.y.mean())[0]), 9)
        relative = (longitude - middle + 180) % 360 - 180  # so that no domain crosses a date line
        poles = [pole for pole in (-90.0, 90.0) if self._holds(pole)]
        if poles:
            middle, relative = 0.0, np.array([-180.0, 180.0])
        south, north = min([*poles, latitude.min()]), max([*poles, latitude.max()])
        most = 90.0 if self.projection.name == "lat-lon" else 89.0  # Mercator's poles are nowhere
        along = np.linspace(max(south - 5, -most), min(north + 5, most), 100)
        for degrees in _once(
            round_numbers(middle + relative.min(), middle + relative.max(), degree_step(np.ptp(relative)))
        ):
            yield "x", degree_name(degrees, "EW"), *self._whole(np.full(100, degrees), along)
        # Not beyond the seam, behind which the line would go on at the other side of the map.
        around = middle + np.linspace(max(relative.min() - 5, -180), min(relative.max() + 5, 180), 400)
        for degrees in round_numbers(south, north, degree_step(north - south)):
            if abs(degrees) < 90:
                yield "y", degree_name(degrees, "NS"), *self._whole(around, np.full(400, degrees))

    def _holds(self, pole: float) -> bool:
        """Whether a pole lies in the domain, of a projection on which it is a point."""
        if self.projection.name in _CYLINDERS:
            return False
        x, y = self.locate(np.array(0.0), np.array(pole))
        return bool(self.x[0] <= x <= self.x[-1] and self.y[0] <= y <= self.y[-1])

    def _whole(self, longitude: Float, latitude: Float) -> tuple[Float, Float]:
        """A line on the map [km], broken where the projection has its cut."""
        x, y = self.locate(longitude, latitude)
        cut = np.flatnonzero(np.hypot(np.diff(x), np.diff(y)) > self.width) + 1
        return np.insert(x, cut, np.nan), np.insert(y, cut, np.nan)


def _spacing(points: Float) -> float:
    return float(np.diff(points).mean())


def _rim(plan: Map) -> tuple[Float, Float]:
    """Points all around the domain [km]."""
    a, b = np.linspace(plan.x[0], plan.x[-1], 50), np.linspace(plan.y[0], plan.y[-1], 50)
    one = np.ones(50)
    x = np.concatenate([a, a, one * plan.x[0], one * plan.x[-1]])
    y = np.concatenate([one * plan.y[0], one * plan.y[-1], b, b])
    return x, y


def degree_step(reach: float) -> float:
    """Degrees from one line of a graticule to the next, of a map that has so many."""
    return next((step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30) if reach / step <= 9), 45)


def globe_step(reach: float) -> float:
    """The same of axes of the whole globe, which read better with fewer."""
    return 60 if reach > 270 else 30 if reach > 120 else degree_step(reach)


def round_numbers(low: float, high: float, step: float) -> Float:
    """Multiples of a step between two numbers."""
    return np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step


def _once(meridians: Float) -> Float:
    """Without the last where that is the first again, a turn further."""
    return meridians[:-1] if len(meridians) and meridians[-1] - meridians[0] > 360 - 1e-6 else meridians


def degree_name(value: float, letters: str) -> str:
    """A longitude (letters "EW") or a latitude ("NS") as maps have it: 30°W."""
    value = (value + 180) % 360 - 180
    letter = "" if value in (0, -180) else letters[int(value < 0)]
    return f"{abs(value):g}°{letter}"


def _crossing(across: Float, along: Float, edge: float, side: Float) -> float | None:
    """Where a line of points first crosses an edge between the ends of a side; None: nowhere."""
    with np.errstate(invalid="ignore"):
        found = np.flatnonzero((across[:-1] - edge) * (across[1:] - edge) <= 0)
    for n in found:
        ends = slice(n, n + 2)
        order = np.argsort(across[ends])
        at = float(np.interp(edge, across[ends][order], along[ends][order]))
        if side[0] <= at <= side[-1]:
            return at
    return None


def _name(axis: Axis, marks: dict[float, str]) -> None:
    axis.set_ticks(list(marks), list(marks.values()), fontsize=7)
    axis.set_tick_params(length=2)
