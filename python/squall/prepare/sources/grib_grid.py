"""The grids of GRIB messages, and the order in which their values lie."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyproj import Proj
from pyproj.exceptions import CRSError

from squall import grib_library
from squall.prepare.sources.grids import Float, SourceGrid, lat_lon, one_turn, projected, rotated
from squall.prepare.sources.piece import fail

ec = grib_library.load()

_PROJECTED = {"lambert", "polar_stereographic", "mercator", "lambert_azimuthal_equal_area", "albers"}


@dataclass(frozen=True)
class Shape:
    """The order in which a message's list of values fills a grid."""

    rows: int
    columns: int
    columns_first: bool = False  # consecutive values lie along y
    back_and_forth: bool = False  # every second row runs the other way
    row_lengths: tuple[int, ...] = ()  # of a grid whose rows thin out towards the poles

    def plane(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """(rows, columns), in the order of the grid's y and x."""
        if self.row_lengths:
            return self._filled(values)
        if self.columns_first:
            return values.reshape(self.columns, self.rows).T
        plane = values.reshape(self.rows, self.columns)
        if self.back_and_forth:
            plane[1::2] = plane[1::2, ::-1]
        return plane

    def _filled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows interpolated linearly to as many points as the longest has."""
        plane = np.empty((self.rows, self.columns))
        wanted = np.arange(self.columns) / self.columns
        start = 0
        for row, length in enumerate(self.row_lengths):
            own = np.arange(length + 1) / length
            around = np.append(values[start : start + length], values[start])
            plane[row] = np.interp(wanted, own, around)
            start += length
        return plane


class GridReader:
    """Makes each grid of a file once."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: dict[str, tuple[SourceGrid, Shape]] = {}

    def of(self, handle: int, where: str) -> tuple[SourceGrid, Shape]:
        """The grid of a message. Raises UserError for one that cannot be read."""
        if not ec.codes_is_defined(handle, "md5GridSection"):
            raise fail(
                where, "its grid is given only by a catalogue number; write it with the grid description"
            )
        key = ec.codes_get(handle, "md5GridSection")
        if key not in self._known:
            try:
                self._known[key] = _make(handle, where)
            except (ec.CodesInternalError, CRSError) as error:
                raise fail(where, f"its grid cannot be read: {error}") from None
        return self._known[key]


def _make(handle: int, where: str) -> tuple[SourceGrid, Shape]:
    kind = ec.codes_get(handle, "gridType")
    if kind == "reduced_gg":
        return _reduced(handle)
    if kind not in {"regular_ll", "regular_gg", "rotated_ll"} | _PROJECTED:
        hint = "; request a latitude-longitude grid from the archive" if kind in ("sh", "reduced_ll") else ""
        raise fail(where, f"its grid, {kind!r}, is not supported{hint}")
    shape = Shape(
        rows=ec.codes_get(handle, "Nj"),
        columns=ec.codes_get(handle, "Ni"),
        columns_first=bool(ec.codes_get(handle, "jPointsAreConsecutive")),
        back_and_forth=bool(ec.codes_get(handle, "alternativeRowScanning")),
    )
    if kind in _PROJECTED:
        return _projected(handle, kind, shape, where), shape
    if kind == "regular_gg":
        latitude = np.sort(ec.codes_get_array(handle, "distinctLatitudes"))
        return lat_lon(_longitudes(handle, shape), latitude[:: _direction(handle, "j")]), shape
    x, y = _longitudes(handle, shape), _latitudes(handle, shape, where)
    if kind == "regular_ll":
        return lat_lon(x, y), shape
    if ec.codes_get(handle, "angleOfRotationInDegrees"):
        raise fail(
            where, "its rotated grid has an angle of rotation about the new pole, which is not supported"
        )
    south = ec.codes_get(handle, "latitudeOfSouthernPoleInDegrees")
    east = ec.codes_get(handle, "longitudeOfSouthernPoleInDegrees")
    return rotated(x, y, -south, east + 180), shape


def _direction(handle: int, axis: str) -> int:
    """1 where values run with the axis, -1 against it."""
    if axis == "i":
        return -1 if ec.codes_get(handle, "iScansNegatively") else 1
    return 1 if ec.codes_get(handle, "jScansPositively") else -1


def _longitudes(handle: int, shape: Shape) -> Float:
    first = ec.codes_get(handle, "longitudeOfFirstGridPointInDegrees")
    last = ec.codes_get(handle, "longitudeOfLastGridPointInDegrees")
    direction = _direction(handle, "i")
    # From the ends, not the increment: that may be rounded, or not given.
    span = ((last - first) * direction) % 360
    if span == 0 and shape.columns > 1:
        span = 360.0
    told = _increment(handle)
    if told is not None and shape.columns > 1:
        # The increment tells the turns, and which end was meant where the last point is the first again.
        whole = told * (shape.columns - 1)
        span += 360 * max(round((whole - span) / 360), 0)
        span = whole if abs(span - whole) > told / 2 else span
    return np.asarray(first + direction * np.linspace(0, span, shape.columns))


def _increment(handle: int) -> float | None:
    """Degrees between columns; None: not given."""
    given = ec.codes_get(handle, "iDirectionIncrementGiven")
    step = ec.codes_get(handle, "iDirectionIncrementInDegrees") if given else 0.0
    return float(step) if 0 < step < 90 else None


def _latitudes(handle: int, shape: Shape, where: str) -> Float:
    return np.linspace(_latitude(handle, "First", where), _latitude(handle, "Last", where), shape.rows)


def _latitude(handle: int, which: str, where: str) -> float:
    """The latitude of the first or last point. Some producers write southern latitudes as 300 for -60."""
    found = float(ec.codes_get(handle, f"latitudeOf{which}GridPointInDegrees"))
    degrees = found - 360 if 270 <= found <= 360 else found
    if abs(degrees) > 90.001:
        raise fail(where, f"the latitude of its {which.lower()} point is {found:g} degrees")
    return degrees


def _projected(handle: int, kind: str, shape: Shape, where: str) -> SourceGrid:
    proj = Proj(ec.codes_get(handle, "projString"))
    x0, y0 = proj(
        one_turn(ec.codes_get(handle, "longitudeOfFirstGridPointInDegrees")),
        _latitude(handle, "First", where),
    )
    if not (np.isfinite(x0) and np.isfinite(y0)):
        raise fail(where, f"its first point lies outside its {kind.replace('_', ' ')} projection")
    dx, dy = (
        ec.codes_get(handle, "DiInMetres" if kind == "mercator" else "DxInMetres"),
        ec.codes_get(handle, "DjInMetres" if kind == "mercator" else "DyInMetres"),
    )
    x = x0 + _direction(handle, "i") * dx * np.arange(shape.columns)
    y = y0 + _direction(handle, "j") * dy * np.arange(shape.rows)
    return projected(kind.replace("_", " "), proj, x, y)


def _reduced(handle: int) -> tuple[SourceGrid, Shape]:
    lengths = tuple(int(n) for n in ec.codes_get_array(handle, "pl"))
    columns = max(lengths)
    latitude = np.sort(ec.codes_get_array(handle, "distinctLatitudes"))[::-1]
    longitude = 360 * np.arange(columns) / columns
    return lat_lon(longitude, latitude), Shape(len(lengths), columns, row_lengths=lengths)
