"""Pieces of files: each is one field at one time on some levels."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.vapour import Saturation
from squall.errors import UserError
from squall.prepare.sources.grids import Float, SourceGrid
from squall.prepare.sources.units import check_range, to_field

Array = NDArray[np.float32]

Kind = Literal["surface", "pressure", "hybrid", "soil"]


@dataclass(frozen=True)
class Window:
    """The rows and columns of a grid that a domain needs.

    Columns are in one or two runs: a window may lie across the end of a grid round the Earth.
    """

    rows: slice
    columns: tuple[slice, ...]
    first_column: int  # counted on from the grid's first; may be negative

    @property
    def shape(self) -> tuple[int, int]:
        wide = sum(run.stop - run.start for run in self.columns)
        return self.rows.stop - self.rows.start, wide

    def of(self, values: NDArray[np.floating]) -> Array:
        """The window of whole planes (..., rows, columns)."""
        runs = [values[..., self.rows, run] for run in self.columns]
        return np.concatenate(runs, axis=-1).astype(np.float32)


def window_around(grid: SourceGrid, longitude: Float, latitude: Float, margin: int = 4) -> Window:
    """The window of all points near those given in degrees, `margin` points more on every side."""
    i, j = grid.indices(longitude, latitude)
    rows, columns = len(grid.y), len(grid.x)
    top = int(np.clip(np.floor(j.min()) - margin, 0, rows - 2))
    end = int(np.clip(np.ceil(j.max()) + margin + 1, top + 2, rows))
    if not grid.wraps:
        left = int(np.clip(np.floor(i.min()) - margin, 0, columns - 2))
        right = int(np.clip(np.ceil(i.max()) + margin + 1, left + 2, columns))
        return Window(slice(top, end), (slice(left, right),), left)
    columns = grid.turn
    # The widest gap between the columns in use is left out.
    used = np.unique(np.floor(i).astype(int) % columns)
    gaps = np.diff(np.append(used, used[0] + columns))
    widest = int(gaps.argmax())
    left, right = int(used[(widest + 1) % len(used)]), int(used[widest])
    left, right = left - margin, right + (columns if right < left else 0) + margin + 2
    if right - left >= columns:
        left, right = -margin, columns + margin
    return Window(slice(top, end), tuple(_runs(left, right, columns)), left)


def _runs(left: int, right: int, columns: int) -> list[slice]:
    runs = []
    while left < right:
        start = left % columns
        stop = min(columns, start + right - left)
        runs.append(slice(start, stop))
        left += stop - start
    return runs


@dataclass(frozen=True)
class Made:
    """The analysis or forecast that a piece comes from; pieces of different ones must not be mixed."""

    start: datetime | None = None  # UTC, of the forecast; None: the file does not say
    process: str = ""  # "analysis", "forecast"; empty: the file does not say
    version: str = ""  # ECMWF's expver: "0001" of final analyses, "0005" of preliminary ones

    @property
    def final(self) -> bool:
        return self.version in ("", "1", "0001")

    def in_words(self) -> str:
        kind = self.process or "state"
        start = f" of {self.start:%Y-%m-%d %H:%M}" if self.start else ""
        return f"{kind}{start}" + (f", version {self.version}" if self.version else "")


@dataclass(frozen=True)
class Unread:
    """A field that a file holds in a form that is not read: for messages, where it is missed."""

    field: str  # a name of FIELDS
    why: str
    where: str  # file and name in it


@dataclass(frozen=True)
class Piece:
    """A field at one time on some levels, of one file."""

    field: str  # a name of FIELDS
    time: datetime | None  # UTC; None: of all times
    kind: Kind
    levels: tuple[float, ...]  # Pa; numbers from 1 at the top; lower edge of soil layers in m; (0,)
    grid: SourceGrid
    units: str
    where: str  # file and name in it
    load: Callable[[Window], Array]  # (levels, rows, columns) in `units`, NaN where missing
    along_grid: bool = False  # winds along the grid's x and y, not east and north
    saturation: Saturation = "water"
    of_moist_air: bool = False  # contents of cloud and rain per kg of moist air, not of dry
    tops: tuple[float, ...] = ()  # of soil layers: upper edges in m
    # Of hybrid levels: a in Pa and b of each, pressure being a + b times that of the surface.
    coefficients: tuple[tuple[float, float], ...] = ()
    note: str = ""  # what the user should know
    origin: str = ""  # whose it is, as "NAM of NCEP"; empty: the file does not say
    member: str = ""  # of an ensemble; empty: the file does not say
    made: Made = Made()
    calendar: str = ""  # of its dates, where that is not ours

    def read(self, window: Window) -> Array:
        """The values in the units of the field. Raises UserError for ones it cannot have, and where none is
        known, but on a level of pressure: all of it may lie below the ground."""
        values = self.unchecked(window)
        if self.kind != "pressure" or np.isfinite(values).any():
            check_range(values, self.field, self.where)
        return values

    def unchecked(self, window: Window) -> Array:
        """The values in the units of the field, whatever they are. Raises UserError for units that do
        not fit, and for what cannot be read."""
        values = to_field(self.values(window), self.units, self.field, self.where)
        # Files may have these over land alone.
        return np.nan_to_num(values) if self.field in ("terrain", "land_mask") else values

    def times(self, factor: float) -> "Piece":
        """The same piece with all values multiplied."""
        return replace(self, load=lambda window: self.load(window) * np.float32(factor))

    def values(self, window: Window) -> Array:
        """The values as stored in the file. Raises UserError if they cannot be read."""
        try:
            return self.load(window)
        except (OSError, RuntimeError) as error:
            raise fail(
                self.where, f"its values cannot be read: {error}; the file may be truncated: fetch it again"
            ) from None


def fail(where: str, what: str) -> UserError:
    """A refusal of a file."""
    return UserError(f"{where}: {what}")
