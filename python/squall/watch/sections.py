"""A vertical section along a straight line of the grid."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from squall import diagnose
from squall.diagnose.columns import LEVEL
from squall.errors import UserError
from squall.plot import choice, panels, track
from squall.watch import view as views
from squall.watch.columns import check
from squall.watch.source import Source, calmly
from squall.watch.view import View

LONGEST = 500  # points of a section
Ends = tuple[int, int, int, int]

_AROUND = 2  # points around it, for differences along the grid


def section(
    origin: Source, view: View, index: int, ends: Ends
) -> tuple[dict[str, Any], NDArray[np.float32], NDArray[np.float32]]:
    """About it; heights [km] and values (level, point), the lowest row at the ground, in the unit shown.
    ends: i and j of both. Raises UserError for a field without layers, and for ends outside the grid."""
    for i, j in (ends[:2], ends[2:]):
        check(origin, i, j)
    if ends[:2] == ends[2:]:
        raise UserError("A section needs two end points.")
    rows, columns = _around(ends[1], ends[3], origin.ny), _around(ends[0], ends[2], origin.nx)
    if view.field == "theta_pert":  # may be what differs from the mean of the whole layer
        rows, columns = slice(0, origin.ny), slice(0, origin.nx)
    line = _line(origin, ends, columns.start, rows.start)
    box = origin.box(slice(max(index - 1, 0), index + 1), columns, rows)
    with calmly():
        frame = choice.frame(box, box.sizes["Time"] - 1, view.field)
        array = diagnose.field(frame, view.field)
        if LEVEL not in array.dims:
            raise UserError("This field has no layers: choose a three-dimensional field for a section.")
        cut = panels.Section.of(frame, line)
        _, factor, offset = views.unit(origin, view)
        values = cut.cut(array) * factor + offset
    about = {"distance": np.round(line.distance, 3).tolist()}
    return about, np.asarray(cut.z, np.float32), np.asarray(values, np.float32)


def _around(first: int, last: int, size: int) -> slice:
    """Indices between two, and some around them."""
    return slice(max(min(first, last) - _AROUND, 0), min(max(first, last) + _AROUND + 1, size))


def _line(origin: Source, ends: Ends, west: int, south: int) -> track.Track:
    i0, j0, i1, j1 = ends
    count = min(LONGEST, max(abs(i1 - i0), abs(j1 - j0)) + 1)
    i, j = np.linspace(i0 - west, i1 - west, count), np.linspace(j0 - south, j1 - south, count)
    dx, dy = origin.spacing
    along = np.hypot((i - i[0]) * dx, (j - j[0]) * dy)
    return track.Track(i, j, along, "distance (km)", "A to B")
