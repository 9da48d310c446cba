"""Global grids: continuation across the poles, and single values in polar rows.

Beyond its last row a grid of meridians and parallels has the rows on the other side of the pole, half a turn
away, where winds towards east and north have the other sign. With them interpolation near a pole is like that
anywhere else, whether or not the grid has a row at the pole.

The row at the pole itself is one point. Its scalars are equal; its wind is one vector, whose components turn
with the meridian. Archives often break that: one wind for all longitudes, zeros, or nothing. Such a row is
made from the two beside it: the mean over a small circle is f0 + r^2/4 laplacian(f), so that two of them give
f0.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from squall.prepare.sources.grids import Float, SourceGrid
from squall.prepare.sources.piece import Array, Window, window_around

ROWS = 2  # beyond the last: as far as cubic convolution reaches
_AT_POLE = 1e-4  # degrees
_SAME = 0.02  # of the differences along the next row: scalars that differ by more are not one value
_ONE_WIND = 0.05  # of the fastest wind of the row, and _SLOWEST: what is farther from one vector is none
_SLOWEST = 0.3  # m s-1


class Poles:
    """A source's grid with the rows over the poles that it reaches: `grid`, the grid itself elsewhere."""

    def __init__(self, grid: SourceGrid) -> None:
        self._own = grid
        ends = {0: grid.y[0], -1: grid.y[-1]} if _is_of_meridians(grid) else {}
        self._at = {end: abs(90 - abs(latitude)) < _AT_POLE for end, latitude in ends.items()}
        step = abs(grid.y[1] - grid.y[0])
        self._over = {
            end: grid.wraps and abs(90 - abs(latitude)) < step and len(grid.y) > 2 * ROWS
            for end, latitude in ends.items()
        }
        y = grid.y
        if self._over.get(0):
            y = np.concatenate([[_beyond(grid.y, n) for n in reversed(self._sources(0))], y])
        if self._over.get(-1):
            y = np.concatenate([y, [_beyond(grid.y, n) for n in self._sources(-1)]])
        self.grid = grid if y is grid.y else replace(grid, y=y)
        self._before = ROWS if self._over.get(0) else 0

    def _sources(self, end: int) -> list[int]:
        """The grid's rows that lie beyond an end, from there on outwards."""
        first = 1 if self._at[end] else 0
        return [first + n if end == 0 else len(self._own.y) - 1 - first - n for n in range(ROWS)]

    def window(self, longitude: Float, latitude: Float) -> Window:
        """The window of `grid` around points; all the way round where it comes to a pole."""
        found = window_around(self.grid, longitude, latitude)
        first, last = found.rows.start, found.rows.stop
        rows, inner = len(self._own.y), ROWS + 1  # what a row at a pole is made from
        low, high = first <= self._before, last >= self._before + rows
        round_it = (low and bool(self._over.get(0))) or (high and bool(self._over.get(-1)))
        if low and 0 in self._at:
            last = max(last, self._before + inner)
        if high and -1 in self._at:
            first = min(first, self._before + rows - inner)
        if not round_it:
            return replace(found, rows=slice(first, last))
        columns, margin = self._own.turn, _MARGIN
        runs = (slice(columns - margin, columns), slice(0, columns), slice(0, margin))
        return Window(slice(first, last), runs, -margin)

    def own(self, window: Window) -> Window:
        """The part of a window of `grid` that the source has."""
        low, high = window.rows.start - self._before, window.rows.stop - self._before
        return replace(window, rows=slice(max(low, 0), min(high, len(self._own.y))))

    def scalar(self, values: Array, window: Window, mend: bool = True) -> tuple[Array, bool]:
        """A window's values (levels, rows, columns) from those of `own`, and whether a row at a pole was not
        one value and is made anew. mend: False leaves that row alone."""
        mended = False
        for end in self._poles_in(window) if mend else ():
            mended |= self._mend_scalar(values, window, end)
        return self.extended(values, window, 1), mended

    def wind(self, u: Array, v: Array, window: Window) -> tuple[Array, Array, bool]:
        """Like `scalar`, for eastward and northward wind."""
        mended = False
        for end in self._poles_in(window):
            mended |= self._mend_wind(u, v, window, end)
        return self.extended(u, window, -1), self.extended(v, window, -1), mended

    def _poles_in(self, window: Window) -> list[int]:
        own = self.own(window).rows
        inside = {0: own.start == 0, -1: own.stop == len(self._own.y)}
        return [end for end, at in self._at.items() if at and inside[end]]

    def extended(self, values: Array, window: Window, sign: int) -> Array:
        """The field with rows beyond the poles added. sign: -1 for eastward or northward wind, else 1."""
        own, rows = self.own(window).rows, len(self._own.y)

        def over(outside: int) -> Array:
            source = self._sources(0)[-1 - outside] if outside < 0 else self._sources(-1)[outside - rows]
            return np.float32(sign) * self._half_a_turn(values[:, source - own.start])[:, None]

        before = [over(n) for n in range(window.rows.start - self._before, 0)]
        after = [over(n) for n in range(rows, window.rows.stop - self._before)]
        return np.concatenate([*before, values, *after], axis=1) if before or after else values

    def _half_a_turn(self, row: Array) -> Array:
        """The values half a turn away in a row (levels, columns) of a global window; for an odd number of
        columns the mean of two."""
        count = self._own.turn
        ring = row[:, _MARGIN : _MARGIN + count]
        turned = np.roll(ring, -(count // 2), axis=1)
        if count % 2:
            turned = np.float32(0.5) * (turned + np.roll(ring, -(count // 2) - 1, axis=1))
        return np.concatenate([turned[:, -_MARGIN:], turned, turned[:, :_MARGIN]], axis=1)

    def _three_rows(self, values: Array, window: Window, end: int) -> tuple[Array, Array, Array]:
        """A pole's row and the two beside it, each once around where the window goes round."""
        ring = slice(_MARGIN, _MARGIN + self._own.turn) if self._over[end] else slice(None)
        at, near, far = (values[:, n, ring] for n in ((0, 1, 2) if end == 0 else (-1, -2, -3)))
        return at, near, far

    def _colatitudes(self, end: int) -> tuple[float, float]:
        """Colatitudes of the two rows nearest to a pole [degrees]."""
        near, far = self._own.y[[1, 2] if end == 0 else [-2, -3]]
        return 90 - abs(near), 90 - abs(far)

    def _mend_scalar(self, values: Array, window: Window, end: int) -> bool:
        if not self._over[end]:
            return False
        at, near, far = (row.astype(np.float64) for row in self._three_rows(values, window, end))
        wrong = ~(np.ptp(at, axis=1) <= _SAME * np.ptp(near, axis=1) + 1e-6 * np.abs(near).max(axis=1))
        wrong &= np.isfinite(near).all(axis=1) & np.isfinite(far).all(axis=1)
        made = self._of_circles(near.mean(axis=1), far.mean(axis=1), end)
        # No new extremes.
        made = np.clip(made, near.min(axis=1), near.max(axis=1))
        values[wrong, end] = made[wrong, None]
        return bool(wrong.any())

    def _of_circles(self, near: Float, far: Float, end: int) -> Float:
        """The value at a pole from means over two circles around it."""
        r1, r2 = self._colatitudes(end)
        return (near * r2**2 - far * r1**2) / (r2**2 - r1**2)

    def _mend_wind(self, u: Array, v: Array, window: Window, end: int) -> bool:
        longitude = self._longitudes(window, end)
        south = self._own.y[end] < 0
        rows = [
            _fixed(a.astype(np.float64), b.astype(np.float64), longitude, south)
            for a, b in zip(self._three_rows(u, window, end), self._three_rows(v, window, end), strict=True)
        ]
        made = np.stack([self._at_pole(rows[1][n], rows[2][n], longitude, end) for n in (0, 1)])
        given = np.stack(rows[0])  # (2, levels, columns)
        wrong = ~_is_one_wind(given) | (~given.any(axis=(0, 2)) & (np.hypot(*made) > _SLOWEST))
        wrong &= np.isfinite(made).all(axis=0)
        everywhere = np.radians(np.concatenate([self._own.x[run] for run in window.columns]))
        x, y = made[:, wrong, None]
        u[wrong, end] = y * np.cos(everywhere) - x * np.sin(everywhere)
        v[wrong, end] = (1 if south else -1) * (x * np.cos(everywhere) + y * np.sin(everywhere))
        return bool(wrong.any())

    def _longitudes(self, window: Window, end: int) -> Float:
        """Longitudes of the columns of `_three_rows` [radians]."""
        if self._over[end]:
            columns = self._own.x[: self._own.turn]
        else:
            columns = np.concatenate([self._own.x[run] for run in window.columns])
        return np.asarray(np.radians(columns), np.float64)

    def _at_pole(self, near: Float, far: Float, longitude: Float, end: int) -> Float:
        """A component along fixed axes, (levels,), from two rows (levels, columns) beside a pole; of a part
        of the circle by a plane through both."""
        if self._over[end]:
            return self._of_circles(near.mean(axis=1), far.mean(axis=1), end)
        circle = np.stack([np.cos(longitude), np.sin(longitude)])
        places = np.concatenate([r * circle for r in self._colatitudes(end)], axis=1)
        plane = np.column_stack([np.ones(places.shape[1]), *places])
        both = np.concatenate([near, far], axis=1)
        if not np.isfinite(both).all():
            return np.full(len(both), np.nan)
        return np.asarray(np.linalg.lstsq(plane, both.T, rcond=None)[0][0])


_MARGIN = 4  # columns of a window round the Earth that it has twice, on either side


def _is_of_meridians(grid: SourceGrid) -> bool:
    return grid.kind == "latitude-longitude"


def _beyond(y: Float, row: int) -> float:
    return float(np.copysign(180, y[row]) - y[row])


def _fixed(u: Float, v: Float, longitude: Float, south: bool) -> tuple[Float, Float]:
    """Components along axes that do not turn: x along the meridian of 0 degrees away from the pole, y along
    that of 90 degrees east."""
    outwards = v if south else -v
    return (
        outwards * np.cos(longitude) - u * np.sin(longitude),
        outwards * np.sin(longitude) + u * np.cos(longitude),
    )


def _is_one_wind(wind: Float) -> NDArray[np.bool_]:
    """Whether winds (2, levels, columns) along fixed axes are one in each level."""
    spread = np.hypot(*(wind - wind.mean(axis=2, keepdims=True))).max(axis=1)
    fastest = np.hypot(*wind).max(axis=1)
    return np.asarray(spread <= np.maximum(_SLOWEST, _ONE_WIND * fastest))
