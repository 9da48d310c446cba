"""The horizontal grids of analyses: locates points of the Earth among their points.

Latitudes and longitudes are taken over from a source as they are, whatever its Earth's shape: the
sphere of the model is used as forecast models use theirs.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from pyproj import Proj

Float = NDArray[np.float64]
Mapping = Callable[[Float, Float], tuple[Float, Float]]


@dataclass(frozen=True)
class SourceGrid:
    """Points at the crossings of `x` and `y`, which run as the file's columns and rows do.

    x and y are degrees (`degrees`) or m; either may fall. `forward` brings longitude and latitude
    to x and y, `inverse` gives longitudes from -180 to 180, whatever turn x is in. `kind` is for messages.
    Two grids are the same when `key` is.
    """

    kind: str
    x: Float
    y: Float
    forward: Mapping
    inverse: Mapping
    degrees: bool
    key: tuple[object, ...]
    wraps: bool = field(default=False)  # x goes once round the Earth

    @property
    def spacing(self) -> float:
        """Between neighbouring points, in m, at most."""
        length = 111177.0 if self.degrees else 1.0
        return float(length * max(abs(self.x[1] - self.x[0]), np.abs(np.diff(self.y)).max()))

    @property
    def turn(self) -> int:
        """Columns once round the Earth, of a grid that wraps: files may repeat some at the end."""
        return round(360 * (len(self.x) - 1) / abs(float(self.x[-1] - self.x[0])))

    def indices(self, longitude: Float, latitude: Float) -> tuple[Float, Float]:
        """Column and row as fractions; beyond the sides they go on evenly."""
        x, y = self.forward(longitude, latitude)
        step = (self.x[-1] - self.x[0]) / (len(self.x) - 1)
        if not self.degrees:
            return (x - self.x[0]) / step, _fraction(self.y, y)
        # The turn of the columns; where they leave a gap, the one that starts in the middle of it.
        way = (x - self.x[0]) * np.sign(step)
        first = 0.0 if self.wraps else abs(self.x[-1] - self.x[0]) / 2 - 180
        return (first + (way - first) % 360) / abs(step), _fraction(self.y, y)

    def inside(self, longitude: Float, latitude: Float, margin: float = 0.0) -> NDArray[np.bool_]:
        """Whether points lie among the grid's, `margin` cells from its sides. Beyond the last row
        of a grid round the Earth, less than a cell is left to the pole: that counts as inside."""
        i, j = self.indices(longitude, latitude)
        rows, columns = len(self.y), len(self.x)
        low, high = margin, rows - 1 - margin
        if self.wraps:
            step = abs(self.y[1] - self.y[0])
            at_pole = [abs(abs(end) - 90) < step for end in (self.y[0], self.y[-1])]
            low, high = (-1.0 if at_pole[0] else low), (float(rows) if at_pole[1] else high)
            return np.asarray((j >= low) & (j <= high))
        # np.isfinite: a projection has an end.
        return np.asarray(
            np.isfinite(i) & (i >= margin) & (i <= columns - 1 - margin) & (j >= low) & (j <= high)
        )

    def north(self, longitude: Float, latitude: Float) -> tuple[Float, Float]:
        """True north as a unit vector along the grid's x and y: sine and cosine of WRF's alpha."""
        reach = 1e-3
        above = np.minimum(latitude + reach, 90.0)
        x1, y1 = self.forward(longitude, above)
        x0, y0 = self.forward(longitude, above - 2 * reach)
        dx, dy = x1 - x0, y1 - y0
        if self.degrees:
            dx = ((dx + 180) % 360 - 180) * np.cos(np.radians(y0))
        length = np.hypot(dx, dy)
        return dx / length, dy / length

    def shifted(self, columns: float, rows: float, more_columns: int, more_rows: int) -> "SourceGrid":
        """The grid of staggered points: moved by fractions of a cell, with more of them."""

        def move(axis: Float, by: float, more: int) -> Float:
            step = (axis[-1] - axis[0]) / (len(axis) - 1)
            return np.asarray(axis[0] + step * (by + np.arange(len(axis) + more)))

        return replace(
            self,
            x=move(self.x, columns, more_columns),
            y=move(self.y, rows, more_rows),
            key=(*self.key, columns, rows),
        )


def _fraction(axis: Float, values: Float) -> Float:
    """Index of values on a monotonic axis, which goes on evenly beyond its ends."""
    rising = axis if axis[-1] > axis[0] else -axis
    values = values if axis[-1] > axis[0] else -values
    n = np.clip(np.searchsorted(rising, values, side="right") - 1, 0, len(rising) - 2)
    return np.asarray(n + (values - rising[n]) / (rising[n + 1] - rising[n]))


def one_turn(longitude: Float) -> Float:
    """Longitudes in degrees from -180 to 180: PROJ takes none that are more than some turns away. What is
    nowhere on a map stays so."""
    longitude = np.asarray(longitude, np.float64)
    inside = np.abs(longitude) <= 180
    with np.errstate(invalid="ignore"):
        return np.where(inside, longitude, (longitude + 180) % 360 - 180)


def lat_lon(longitude: Float, latitude: Float) -> SourceGrid:
    """A grid of meridians and parallels, evenly spaced or Gaussian, in degrees."""
    longitude = np.unwrap(np.asarray(longitude, np.float64), period=360)
    latitude = np.asarray(latitude, np.float64)
    step = (longitude[-1] - longitude[0]) / (len(longitude) - 1)
    wraps = abs(step * len(longitude)) > 360 - abs(step) / 2

    def same(x: Float, y: Float) -> tuple[Float, Float]:
        return np.asarray(x, np.float64), np.asarray(y, np.float64)

    def inverse(x: Float, y: Float) -> tuple[Float, Float]:
        return one_turn(x), np.asarray(y, np.float64)

    key = ("lat-lon", *np.round([longitude[0], step, *latitude], 5), len(longitude))
    return SourceGrid("latitude-longitude", longitude, latitude, same, inverse, True, key, bool(wraps))


def projected(kind: str, proj: Proj, x: Float, y: Float) -> SourceGrid:
    """A grid on the plane of a projection, in m."""

    def forward(longitude: Float, latitude: Float) -> tuple[Float, Float]:
        made = proj(one_turn(longitude), latitude)
        return np.asarray(made[0]), np.asarray(made[1])

    def inverse(x: Float, y: Float) -> tuple[Float, Float]:
        made = proj(x, y, inverse=True)
        return one_turn(made[0]), np.asarray(made[1])

    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    key = (proj.definition_string(), *np.round([x[0], x[-1], y[0], y[-1]]), len(x), len(y))
    return SourceGrid(kind, x, y, forward, inverse, False, key)


def rotated(longitude: Float, latitude: Float, pole_latitude: float, pole_longitude: float) -> SourceGrid:
    """A grid of the meridians and parallels of another pole: that of the grid's north, in degrees."""
    tilt, turn = np.radians(90 - pole_latitude), pole_longitude + 180

    def turned(longitude: Float, latitude: Float, angle: float) -> tuple[Float, Float]:
        lam, phi = np.radians(longitude), np.radians(latitude)
        x, y, z = np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)
        x, z = x * np.cos(angle) + z * np.sin(angle), z * np.cos(angle) - x * np.sin(angle)
        return np.degrees(np.arctan2(y, x)), np.degrees(np.arcsin(np.clip(z, -1, 1)))

    def forward(lon: Float, lat: Float) -> tuple[Float, Float]:
        return turned(np.asarray(lon) - turn, np.asarray(lat), tilt)

    def inverse(x: Float, y: Float) -> tuple[Float, Float]:
        lon, lat = turned(np.asarray(x), np.asarray(y), -tilt)
        return one_turn(lon + turn), lat

    x = np.unwrap(np.asarray(longitude, np.float64), period=360)
    y = np.asarray(latitude, np.float64)
    key = ("rotated", pole_latitude, pole_longitude, *np.round([x[0], x[-1], y[0], y[-1]], 5), len(x), len(y))
    return SourceGrid("rotated latitude-longitude", x, y, forward, inverse, True, key)
