"""What the user chose to see: field, level, time, section, as they write it."""

import re
from dataclasses import dataclass

import numpy as np
import xarray as xr

from squall import derive
from squall.air import LEVEL
from squall.errors import UserError

_UNITS = {
    "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "day": 86400.0, "days": 86400.0,
    "m": 1.0, "km": 1000.0, "Pa": 1.0, "hPa": 100.0,
}  # fmt: skip
_TIMES, _LENGTHS, _PRESSURES = {"s", "min", "h", "d", "day", "days"}, {"m", "km"}, {"Pa", "hPa"}


@dataclass(frozen=True)
class Choice:
    """The options of `squall plot`; None: not given."""

    field: str | None = None
    level: str | None = None
    time: str | None = None
    section: str | None = None

    def is_default(self) -> bool:
        """Whether the picture that suits the case is asked for."""
        return self == Choice()


def _index(text: str, what: str, size: int) -> int:
    index = int(text)
    if not -size <= index < size:
        raise UserError(f"--{what} {text}: there are {size}, 0 to {size - 1}.")
    return index % size


def _quantity(text: str, what: str, units: set[str]) -> tuple[float, str]:
    """A number with a unit, in SI, and the unit."""
    found = re.fullmatch(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([A-Za-z]+)\s*", text)
    if not found or found[2] not in units:
        raise UserError(
            f"--{what} {text}: wanted an index or a number with a unit of {', '.join(sorted(units))}."
        )
    return float(found[1]) * _UNITS[found[2]], found[2]


def _is_index(text: str) -> bool:
    return re.fullmatch(r"[-+]?\d+", text) is not None


def time_index(history: xr.Dataset, text: str | None) -> int:
    """The frame that `text` means: "last", an index (-1 is the last), or the nearest to a model time."""
    elapsed = history["elapsed"].values
    if text in (None, "last"):
        return len(elapsed) - 1
    assert text is not None
    if _is_index(text):
        return _index(text, "time", len(elapsed))
    seconds, _ = _quantity(text, "time", _TIMES)
    return int(np.abs(elapsed - seconds).argmin())


def on_level(history: xr.Dataset, array: xr.DataArray, text: str | None) -> tuple[xr.DataArray, str]:
    """The array on the level that `text` means, and that level in words. `history` is one frame."""
    if LEVEL not in array.dims:
        if text is not None:
            raise UserError(f"--level {text}: {array.name} has no levels.")
        return array, ""
    if text is None:
        return array.isel(bottom_top=0), "lowest level"
    if _is_index(text):
        index = _index(text, "level", array.sizes[LEVEL])
        return array.isel(bottom_top=index), f"level {index}"
    value, unit = _quantity(text, "level", _LENGTHS | _PRESSURES)
    coordinate = derive.field(history, "height" if unit in _LENGTHS else "pressure")
    result = derive.on_surface(array, coordinate, value)
    if result.isnull().all():
        low, high = sorted(float(edge) / _UNITS[unit] for edge in (coordinate.min(), coordinate.max()))
        raise UserError(f"--level {text}: the layers lie between {low:.4g} and {high:.4g} {unit}.")
    return result, " ".join(text.split())


def section_at(history: xr.Dataset, text: str) -> tuple[str, int]:
    """The dimension that a section cuts, and where: "y=12" the 12th row, "x=300 km" by distance from
    the domain's western or southern edge."""
    axis, equals, where = text.partition("=")
    dims = {"x": ("west_east", "DX"), "y": ("south_north", "DY")}
    if axis.strip() not in dims or not equals:
        raise UserError(f'--section {text}: wanted "x=WHERE" or "y=WHERE", WHERE an index or a distance.')
    dim, spacing = dims[axis.strip()]
    size = history.sizes[dim]
    if _is_index(where.strip()):
        return dim, _index(where.strip(), "section", size)
    metres, _ = _quantity(where, "section", _LENGTHS)
    index = int(np.floor(metres / history.attrs[spacing]))
    if not 0 <= index < size:
        raise UserError(f"--section {text}: the domain is {size * history.attrs[spacing] / 1000:g} km wide.")
    return dim, index


def in_words(seconds: float) -> str:
    """A model time as people say it: 900 s, 36 h, 4 d 12 h."""
    if seconds < 7200 and (seconds % 3600 or not seconds):
        return f"{seconds:g} s"
    if seconds < 172800 or seconds % 3600:
        return f"{seconds / 3600:g} h"
    days, hours = divmod(round(seconds / 3600), 24)
    return f"{days} d {hours} h" if hours else f"{days} d"
