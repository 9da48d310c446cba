"""Finds the highs and lows of a chart: those enclosed by a contour and large enough to matter."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from squall.geo.projection import Float


@dataclass(frozen=True)
class Extreme:
    """The highest or lowest point within a closed contour: its row and column, and what it is."""

    j: int
    i: int
    letter: Literal["H", "L"]
    value: float


def find(
    values: Float, interval: float, smallest: float, doubtful: NDArray[np.bool_] | None = None
) -> list[Extreme]:
    """The highs and lows of values (south_north, west_east), contoured at multiples of `interval`.

    One counts where a contour closes around it within the domain, encloses at least `smallest` points, and
    it is the highest or lowest in there; so of two centres in one contour the shallower needs a contour of
    its own of that size. None is found where it is `doubtful`, nor where values are missing.
    """
    found = []
    for letter, sign in (("L", 1.0), ("H", -1.0)):
        for j, i in _lowest(sign * values, interval, smallest):
            if doubtful is None or not doubtful[j, i]:
                found.append(Extreme(j, i, "L" if letter == "L" else "H", float(values[j, i])))
    return found


def _lowest(values: Float, interval: float, smallest: float) -> list[tuple[int, int]]:
    """Centres of lows: row and column."""
    filled = np.where(np.isfinite(values), values, np.inf)
    finite = filled[np.isfinite(filled)]
    if not finite.size:
        return []
    levels = np.arange(np.ceil(finite.min() / interval), np.floor(finite.max() / interval) + 1) * interval
    centres: dict[tuple[int, int], None] = {}
    for level in levels:
        parts, _ = ndimage.label(filled < level)
        for number, where in enumerate(ndimage.find_objects(parts), start=1):
            inside = parts[where] == number
            if inside.sum() >= smallest and not _at_edge(where, parts.shape):
                lowest = np.unravel_index(np.argmin(np.where(inside, filled[where], np.inf)), inside.shape)
                centres[where[0].start + int(lowest[0]), where[1].start + int(lowest[1])] = None
    return list(centres)


def _at_edge(where: tuple[slice, ...], shape: tuple[int, ...]) -> bool:
    return any(part.start == 0 or part.stop == size for part, size in zip(where, shape, strict=True))
