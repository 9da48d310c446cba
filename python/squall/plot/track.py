"""The track of a vertical section: a row or column, a parallel or meridian, or a line between two points.

As text: "y=12" the 12th row, "x=300 km" by distance from the western edge, "lat=30" or "lon=97W" across
the domain, "30,-105 to 35,-80" from one latitude and longitude to another, along the great circle.
"""

import re
from dataclasses import dataclass

import numpy as np
import xarray as xr
from pyproj import Geod

from squall import quantity
from squall.diagnose import spacing
from squall.diagnose.constants import EARTH_RADIUS
from squall.errors import UserError
from squall.geo import maps
from squall.geo.projection import Float
from squall.plot import choice

_DIMENSIONS = {"x": "west_east", "y": "south_north"}
_SPHERE = Geod(a=EARTH_RADIUS, b=EARTH_RADIUS)
_DEGREES = re.compile(r"\s*([-+]?\d+(?:\.\d*)?)\s*°?\s*([NSEW]?)\s*", re.I)


@dataclass(frozen=True)
class Track:
    """The points of a section from A to B, in fractional indices of mass points.

    distance: along the track [km]. label: of the distance axis. name: the track in words. ends: latitude and
    longitude of A and B; None without a map projection.
    """

    i: Float
    j: Float
    distance: Float
    label: str
    name: str
    ends: tuple[tuple[float, float], tuple[float, float]] | None = None

    def sample(self, values: Float) -> Float:
        """Values (..., south_north, west_east) on the points (..., point): bilinear between mass points,
        exact on them."""
        i0, j0 = np.floor(self.i).astype(int), np.floor(self.j).astype(int)
        a, b = self.i - i0, self.j - j0
        i1, j1 = (np.where(w > 0, k + 1, k) for k, w in ((i0, a), (j0, b)))
        south = values[..., j0, i0] * (1 - a) + values[..., j0, i1] * a
        north = values[..., j1, i0] * (1 - a) + values[..., j1, i1] * a
        sampled: Float = south * (1 - b) + north * b
        return sampled

    @property
    def end_names(self) -> tuple[str, str] | None:
        """The ends as "A 29.5°N 110.2°W"."""
        if self.ends is None:
            return None
        first, last = (
            f"{letter}  {quantity.latitude(at[0], 1)} {quantity.longitude(at[1], 1)}"
            for letter, at in zip("AB", self.ends, strict=True)
        )
        return first, last


def straight(frame: xr.Dataset, across: str, index: int, centre: bool = False) -> Track:
    """Along a row or column: the one at an index of the dimension that the section cuts. centre: distances
    are from the middle of the domain."""
    along = "west_east" if across == "south_north" else "south_north"
    size, step = frame.sizes[along], spacing.drawn(frame, along) / 1000
    line, fixed = np.arange(size, dtype=float), np.full(size, float(index))
    i, j = (line, fixed) if along == "west_east" else (fixed, line)
    distance = (line + (0.5 - size / 2 if centre else 0.5)) * step
    axis, other = ("x", "y") if along == "west_east" else ("y", "x")
    # Of a domain of one row without DY its width is of no matter.
    wide = spacing.told(frame, across) if frame.sizes[across] == 1 else spacing.drawn(frame, across)
    at = (index + 0.5) * (wide or step * 1000) / 1000
    ends = None
    if maps.is_on_earth(frame):
        where = [np.round([j[k], i[k]]).astype(int) for k in (0, -1)]
        latitude, longitude = (frame[name].values for name in ("XLAT", "XLONG"))
        first, last = ((float(latitude[tuple(k)]), float(longitude[tuple(k)])) for k in where)
        ends = (first, last)
    return Track(i, j, distance, f"{axis} (km)", f"{other} = {at:g} km", ends)


def parse(frame: xr.Dataset, text: str) -> Track:
    """Parses a track. Raises UserError if the text is not a track, or the track lies outside the domain."""
    ends = re.split(r"\s+to\s+", text.strip())
    if len(ends) == 2:
        return _between(frame, text, *(_point(end, text) for end in ends))
    axis, equals, where = (part.strip() for part in text.partition("="))
    if equals and axis in _DIMENSIONS:
        return straight(frame, *_row(frame, text, axis, where))
    if equals and axis in ("lat", "lon"):
        return _graticule(frame, text, axis, coordinate(where, text))
    raise UserError(
        f'--section {text}: expected "x=WHERE" or "y=WHERE" with an index or a distance, "lat=30" or '
        '"lon=-97", or two points, "LAT,LON to LAT,LON".'
    )


def _row(frame: xr.Dataset, text: str, axis: str, where: str) -> tuple[str, int]:
    dim = _DIMENSIONS[axis]
    size = frame.sizes[dim]
    if choice.is_index(where):
        return dim, choice.index(where, "section", size, f' A distance needs a unit: "{axis}={where} km".')
    try:
        metres = quantity.parse(where, "length").value
    except ValueError as error:
        raise UserError(f"--section {text}: expected an index or a distance: {error}.") from None
    cell = spacing.drawn(frame, dim)
    index = int(np.floor(metres / cell))
    if not 0 <= index < size:
        raise UserError(f"--section {text}: the domain is {size * cell / 1000:g} km wide.")
    return dim, index


def coordinate(text: str, whole: str, option: str = "--section") -> float:
    """Degrees of a latitude or longitude; raises UserError, which names the option, for what is none."""
    found = _DEGREES.fullmatch(text)
    if found is None:
        raise UserError(f'{option} {whole}: "{text}" is not a latitude or longitude such as 30, -97 or 97W.')
    return float(found[1]) * (-1 if found[2].upper() in ("S", "W") else 1)


def _point(text: str, whole: str) -> tuple[float, float]:
    latitude, comma, longitude = text.partition(",")
    if not comma:
        raise UserError(f'--section {whole}: "{text}" is not a point such as 30,-97 or 30N,97W.')
    return coordinate(latitude, whole), coordinate(longitude, whole)


def _map(frame: xr.Dataset, text: str) -> maps.Map:
    if not maps.has_map(frame):
        raise UserError(f'--section {text}: this run has no map projection; use "x=" or "y=".')
    return maps.Map.of(frame)


def _indices(plan: maps.Map, longitude: Float, latitude: Float) -> tuple[Float, Float]:
    """Fractional indices of points in degrees."""
    x, y = plan.locate(longitude, latitude)
    return (x - plan.x[0]) / (plan.x[1] - plan.x[0]), (y - plan.y[0]) / (plan.y[1] - plan.y[0])


def _between(frame: xr.Dataset, text: str, first: tuple[float, float], last: tuple[float, float]) -> Track:
    plan = _map(frame, text)
    _, _, metres = _SPHERE.inv(first[1], first[0], last[1], last[0])
    count = max(2, int(np.ceil(metres / spacing.drawn(frame, "west_east"))) + 1)
    between = _SPHERE.npts(first[1], first[0], last[1], last[0], count - 2) if count > 2 else []
    points = np.array([(first[1], first[0]), *between, (last[1], last[0])])
    track = _on(plan, points[:, 0], points[:, 1], "distance from A (km)", "A to B")
    if len(track.i) < count:
        raise UserError(f"--section {text}: the section leaves the domain, {_extent(frame)}.")
    return track


def _graticule(frame: xr.Dataset, text: str, axis: str, degrees: float) -> Track:
    """A parallel or meridian, from where it enters the domain to where it leaves."""
    plan = _map(frame, text)
    latitude, longitude = (frame[name].values.astype(float) for name in ("XLAT", "XLONG"))
    middle = float(plan.where(plan.x.mean(), plan.y.mean())[0])
    relative = (longitude - middle + 180) % 360 - 180  # so that no domain crosses a date line
    if axis == "lat":
        along = middle + np.linspace(relative.min(), relative.max(), 4001)
        lon, lat = along, np.full(4001, degrees)
        name = quantity.latitude(degrees, 1)
    else:
        lon, lat = np.full(4001, degrees), np.linspace(latitude.min(), latitude.max(), 4001)
        name = quantity.longitude(degrees, 1)
    fine = _on(plan, lon, lat, "distance from A (km)", name)
    if len(fine.i) < 2:
        raise UserError(f"--section {text}: the section does not cross the domain, {_extent(frame)}.")
    step = spacing.drawn(frame, "west_east") / 1000
    at = np.linspace(0, fine.distance[-1], max(2, int(np.ceil(fine.distance[-1] / step)) + 1))
    i, j = (np.interp(at, fine.distance, values) for values in (fine.i, fine.j))
    return Track(i, j, at, fine.label, fine.name, fine.ends)


def _on(plan: maps.Map, longitude: Float, latitude: Float, label: str, name: str) -> Track:
    """The points that lie in the domain, as a track."""
    i, j = _indices(plan, longitude, latitude)
    off = 1e-6  # of a cell: a point on the outermost row counts
    inside = (i >= -off) & (j >= -off) & (i <= len(plan.x) - 1 + off) & (j <= len(plan.y) - 1 + off)
    kept = np.flatnonzero(inside)
    lon, lat = longitude[kept], latitude[kept]
    if len(kept) < 2:
        return Track(i[kept], j[kept], np.zeros(len(kept)), label, name)
    _, _, steps = _SPHERE.inv(lon[:-1], lat[:-1], lon[1:], lat[1:])
    distance = np.concatenate([[0.0], np.cumsum(steps)]) / 1000
    ends = ((float(lat[0]), float(lon[0])), (float(lat[-1]), float(lon[-1])))
    i, j = np.clip(i[kept], 0, len(plan.x) - 1), np.clip(j[kept], 0, len(plan.y) - 1)
    return Track(i, j, distance, label, name, ends)


def _extent(frame: xr.Dataset) -> str:
    latitude, longitude = frame["XLAT"].values, frame["XLONG"].values
    middle = float(longitude[longitude.shape[0] // 2, longitude.shape[1] // 2])
    longitude = middle + (longitude - middle + 180) % 360 - 180  # the domain may lie across the date line
    return (
        f"which extends from {quantity.latitude(float(latitude.min()), 1)} to "
        f"{quantity.latitude(float(latitude.max()), 1)} and from "
        f"{quantity.longitude(float(longitude.min()), 1)} to {quantity.longitude(float(longitude.max()), 1)}"
    )
