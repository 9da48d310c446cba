"""Data sets of WPS's geogrid: a folder of binary tiles and the file `index`, which says how to read them.

Point (x, y), counted from 1, lies at longitude known_lon + (x - known_x) dx and latitude
known_lat + (y - known_y) dy. A tile is named by its points, as 00001-01200.00001-01200, and holds
whole numbers: along x first, then y, then z. (WPS's user's guide, "Writing Static Data to the Geogrid
Binary Format".)
"""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from squall.prepare.sources.grids import SourceGrid, lat_lon
from squall.prepare.sources.piece import Array, Window, fail

_NUMBERS = ("dx", "dy", "known_lat", "known_lon", "wordsize", "tile_x", "tile_y")
_TILE = re.compile(r"(\d+)-(\d+)\.(\d+)-(\d+)")


@dataclass(frozen=True)
class Index:
    """The file `index` of a data set: its keys, as they are written."""

    path: Path
    keys: dict[str, str]

    def text(self, key: str, otherwise: str) -> str:
        return self.keys.get(key, otherwise).lower()

    def number(self, key: str, otherwise: float | None = None) -> float:
        """Raises UserError where it is no number, or missing and there is no other."""
        given = self.keys.get(key)
        if given is None and otherwise is not None:
            return otherwise
        try:
            return float(given or "")
        except ValueError:
            what = f"is missing {key}" if given is None else f"{key} = {given} is not a number"
            raise fail(str(self.path), what) from None

    def whole(self, key: str, otherwise: int | None = None) -> int:
        value = self.number(key, otherwise)
        if value != int(value) or value < 0:
            raise fail(str(self.path), f"{key} = {self.keys[key]} is not a whole number of at least 0")
        return int(value)


def read_index(path: Path) -> Index:
    """Raises UserError for a file that is none, or of data that cannot be read here."""
    keys = {}
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        raise fail(str(path), "cannot be read: a geogrid data set needs a text file `index`") from None
    for number, line in enumerate(lines, start=1):
        said = line.split("#")[0].strip()
        if not said:
            continue
        key, equals, value = said.partition("=")
        if not equals:
            raise fail(f"{path}:{number}", f'"{said}" is not key = value')
        keys[key.strip().lower()] = value.strip().strip("\"'")
    index = Index(path, keys)
    _check(index)
    return index


def _check(index: Index) -> None:
    for key, choices in (
        ("type", ("categorical", "continuous")),
        ("projection", ("regular_ll",)),
        ("endian", ("big", "little")),
        ("row_order", ("bottom_top", "top_bottom")),
        ("signed", ("yes", "no")),
        ("wordsize", ("1", "2", "3", "4")),
    ):
        defaults = {"endian": "big", "row_order": "bottom_top", "signed": "no"}
        given = index.text(key, defaults.get(key, ""))
        if given not in choices:
            said = f"{key} = {given}" if given else f"is missing {key}"
            raise fail(str(index.path), f"{said} is not supported; use one of {', '.join(choices)}")
    for key in _NUMBERS:
        if index.number(key) == 0 and not key.startswith("known"):
            raise fail(str(index.path), f"{key} is 0")


class TileSet:
    """A data set of geogrid. Raises UserError for an index or a tile that cannot be used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = index = read_index(folder / "index")
        self._tile = index.whole("tile_x"), index.whole("tile_y")
        self._border = index.whole("tile_bdr", 0)
        first = index.whole("tile_z_start", 1)
        self.levels = index.whole("tile_z", max(1, index.whole("tile_z_end", 1) - first + 1))
        self._scale = index.number("scale_factor", 1.0)
        self._missing = index.number("missing_value", np.nan)
        self._tiles = self._find()

    @property
    def categorical(self) -> bool:
        return self.index.text("type", "") == "categorical"

    @cached_property
    def grid(self) -> SourceGrid:
        """All points from the first tile's to the last's."""
        index = self.index
        ends = [max(start[n] for start in self._tiles) + self._tile[n] - 1 for n in (0, 1)]
        starts = [min(start[n] for start in self._tiles) for n in (0, 1)]
        axes = []
        for start, end, x, degrees, step in (
            (starts[0], ends[0], "known_x", "known_lon", "dx"),
            (starts[1], ends[1], "known_y", "known_lat", "dy"),
        ):
            points = np.arange(start, end + 1, dtype=np.float64)
            offset = (points - index.number(x, 1.0)) * index.number(step)
            axes.append(np.asarray(index.number(degrees) + offset, np.float64))
        longitude, latitude = axes
        return lat_lon(longitude[: round(360 / abs(index.number("dx")))], latitude)

    def load(self, window: Window, level: int = 0) -> Array:
        """A level's values (rows, columns) of a window of `grid`, NaN where missing. A tile is opened only
        where the window has points of it."""
        parts = [self._block(window.rows, run, level) for run in window.columns]
        return np.concatenate(parts, axis=1)

    def _find(self) -> dict[tuple[int, int], Path]:
        found = {}
        for path in self.folder.iterdir():
            if named := _TILE.fullmatch(path.name):
                x0, x1, y0, y1 = map(int, named.groups())
                if (x1 - x0 + 1, y1 - y0 + 1) != self._tile:
                    said = "a tile of {} x {} points".format(*self._tile)
                    raise fail(str(path), f"its name is not that of {said}, given in index")
                found[x0, y0] = path
        if not found:
            raise fail(str(self.folder), "there is no tile, such as 00001-01200.00001-01200")
        return found

    def _block(self, rows: slice, columns: slice, level: int) -> Array:
        """Rows and columns of the grid, put together from all tiles that they lie in."""
        made = np.full((rows.stop - rows.start, columns.stop - columns.start), np.nan, np.float32)
        x0, y0 = (min(start[n] for start in self._tiles) for n in (0, 1))
        wide, high = self._tile
        for ty in range(rows.start // high, (rows.stop - 1) // high + 1):
            for tx in range(columns.start // wide, (columns.stop - 1) // wide + 1):
                values = self._read((x0 + tx * wide, y0 + ty * high), level)
                to_rows, of_rows = _overlap(rows, ty * high, high)
                to_columns, of_columns = _overlap(columns, tx * wide, wide)
                made[to_rows, to_columns] = values[of_rows, of_columns]
        return made

    def _read(self, start: tuple[int, int], level: int) -> Array:
        path = self._tiles.get(start)
        if path is None:
            raise fail(
                str(self.folder),
                "the tile that starts at x {}, y {} is missing, and the domain needs it".format(*start),
            )
        border, word = self._border, self.index.whole("wordsize")
        shape = self._tile[1] + 2 * border, self._tile[0] + 2 * border
        size = shape[0] * shape[1] * word
        if path.stat().st_size != size * self.levels:
            raise fail(
                str(path),
                f"has {path.stat().st_size} bytes, and {self.levels} level(s) of {shape[1]} x {shape[0]} "
                f"points with {word} byte(s) each have {size * self.levels}",
            )
        raw = np.fromfile(path, np.uint8, size, offset=size * level).reshape(*shape, word)
        whole = _integers(raw, self.index.text("endian", "big"), self.index.text("signed", "no") == "yes")
        if self.index.text("row_order", "bottom_top") == "top_bottom":
            whole = whole[::-1]
        inner = whole[border : shape[0] - border, border : shape[1] - border]
        values = (inner * self._scale).astype(np.float32)
        values[values == np.float32(self._missing)] = np.nan  # geogrid scales first, too
        return values


def _overlap(wanted: slice, start: int, size: int) -> tuple[slice, slice]:
    """The overlap of a tile that begins at `start` with the wanted window: slices of the window and of the
    tile."""
    first, last = max(wanted.start, start), min(wanted.stop, start + size)
    return slice(first - wanted.start, last - wanted.start), slice(first - start, last - start)


def _integers(raw: NDArray[np.uint8], endian: str, signed: bool) -> NDArray[np.int64]:
    """Converts bytes (..., word) to integers."""
    raw = raw if endian == "big" else raw[..., ::-1]
    bits = 8 * raw.shape[-1]
    value = np.zeros(raw.shape[:-1], np.int64)
    for byte in np.moveaxis(raw, -1, 0):
        value = (value << 8) | byte
    return np.where(value >> (bits - 1) > 0, value - (1 << bits), value) if signed else value
