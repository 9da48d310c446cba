"""Interpolation along columns to given values of a coordinate.

Blocks are NumPy's, the level first, in any real type.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Block = NDArray[Any]
Beyond = Literal["nearest", "straight", "missing"]
Passage = Literal["highest", "lowest"]


class Interpolator:
    """From the levels of columns to given values of their coordinate; the search and the weights serve
    many fields."""

    def __init__(
        self, x: Block, target: Block, beyond: Beyond = "nearest", passage: Passage = "highest"
    ) -> None:
        """x: the coordinate on levels (levels, ...), rising or falling with the index, at least two levels;
        one profile (levels,) serves any target. target: its values wanted, (targets, ...) or as many as
        columns (...). beyond: what lies outside the levels takes the nearest value, goes on in a straight
        line, or is not a number. passage: which counts where a column passes a value more than once, by the
        index of its level. Raises ValueError for fewer than two levels.
        """
        if len(x) < 2:
            raise ValueError("interpolation needs at least two levels")
        if np.nansum(x[-1] - x[0]) > 0:
            x, target = -x, -target
        below = np.zeros(target.shape, np.intp)
        for m in range(1, len(x) - 1):
            np.copyto(below, m, where=x[m] > target)
        if passage == "lowest":
            for m in reversed(range(len(x) - 1)):
                np.copyto(below, m, where=_between(target, x[m], x[m + 1]))
        # Flat indices of the level below each point: np.take is the fastest way to pick.
        column = np.arange(x[0].size).reshape(x[0].shape)
        self._below = below * column.size + column
        self._above = self._below + column.size
        self._x = x
        x0, x1 = self._pick(x)
        self._h = x1 - x0
        # 0 at the lower level, 1 at the upper.
        share = (target - x0) / np.where(self._h == 0, 1, self._h)
        self._s = share if beyond == "straight" else np.clip(share, 0, 1)
        self._depth = np.maximum(target - x[0], 0)
        self._inside = _between(target, x0, x1) if beyond == "missing" else None

    def linear(self, values: Block, slope: float = 0.0) -> Block:
        """Linear interpolation in the coordinate. Values (levels, ...) as x.

        slope: below the lowest level values grow as its exponential; of x = ln p as p to the power `slope`.
        """
        f0, f1 = self._pick(values)
        return self._finish(f0 + self._s * (f1 - f0), slope)

    def cubic(self, values: Block, slope: float = 0.0) -> Block:
        """Interpolation by cubic Hermite polynomials; slopes at the levels are those of parabolas through
        three neighbours, limited to avoid new extremes (Fritsch and Carlson 1980, SIAM J. Numer. Anal. 17,
        238-246). Values and slope as in `linear`."""
        f0, f1 = self._pick(values)
        m0, m1 = self._pick(_limited_slopes(self._x, values))
        s, h = self._s, self._h
        r = 1 - s
        hermite = r * r * ((1 + 2 * s) * f0 + s * h * m0) + s * s * ((3 - 2 * s) * f1 - r * h * m1)
        return self._finish(hermite, slope)

    def _pick(self, values: Block) -> tuple[Block, Block]:
        return np.take(values, self._below), np.take(values, self._above)

    def _finish(self, values: Block, slope: float) -> Block:
        if slope:
            values = values * np.exp(slope * self._depth)
        return values if self._inside is None else np.where(self._inside, values, np.nan)


def _between(target: Block, a: Block, b: Block) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = (np.minimum(a, b) <= target) & (target <= np.maximum(a, b))
    return inside


def _limited_slopes(x: Block, f: Block) -> Block:
    h = np.diff(x, axis=0)
    d = np.diff(f, axis=0) / h
    slopes = np.empty_like(f)
    slopes[1:-1] = (h[1:] * d[:-1] + h[:-1] * d[1:]) / (h[1:] + h[:-1])
    most = 3 * np.minimum(np.abs(d[:-1]), np.abs(d[1:]))
    slopes[1:-1] = np.where(d[:-1] * d[1:] > 0, np.sign(d[1:]) * np.minimum(np.abs(slopes[1:-1]), most), 0.0)
    slopes[0], slopes[-1] = d[0], d[-1]
    return slopes
