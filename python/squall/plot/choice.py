"""The user's choice of what to draw: field, level and time, as written on the command line."""

import difflib
import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

import numpy as np
import xarray as xr

from squall import diagnose, quantity
from squall.diagnose.columns import LEVEL
from squall.errors import UserError
from squall.geo.projection import Float
from squall.plot import times
from squall.reader import clock as clocks

_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")


@dataclass(frozen=True)
class Vertical:
    """A vertical dimension: its label, the unit shown, and the factor from the file's unit to it."""

    label: str
    unit: str
    factor: float
    kind: quantity.Kind | None  # as --level takes it


# Vertical dimensions of streams besides the model's layers.
LEVELS = {
    "pressure_level": Vertical("pressure", "hPa", 0.01, "pressure"),
    "height_level": Vertical("height above sea level", "km", 0.001, "length"),
    "ground_level": Vertical("height above the ground", "km", 0.001, "length"),
    "theta_level": Vertical("potential temperature", "K", 1.0, "temperature"),
    "bottom_top": Vertical("layer", "", 1.0, None),
    "bottom_top_stag": Vertical("interface", "", 1.0, None),
}


@dataclass(frozen=True)
class Choice:
    """What to draw of a run, and how. None: not given; a default that suits the run is used.

    field: a variable, a derived field or a CF standard name. level: an index from the ground, a height or a
    pressure. time: "last", an index, a model time ("36 h"), a clock time ("06:00") or a date. section: see
    `squall.plot.track`. limits: "LOW,HIGH" or "LOW,HIGH,STEP" in the units of the picture. colours: a colour
    map of Matplotlib. contours: a second field, as lines. barbs: the wind at the same level.
    station: "NAME" or "NAME,NAME", where the stream has stations. Of runs on the globe: projection, one of
    `squall.geo.whole.NAMES`; hovmoeller: "zonal", "lat=30" or "lon=-97", which a section may be as well.
    """

    field: str | None = None
    level: str | None = None
    time: str | None = None
    section: str | None = None
    limits: str | None = None
    colours: str | None = None
    title: str | None = None
    contours: str | None = None
    barbs: bool = False
    station: str | None = None
    projection: str | None = None
    hovmoeller: str | None = None

    def needs_field(self) -> list[str]:
        """The given options that apply to a single field, as on the command line."""
        given = {
            "--level": self.level, "--range": self.limits, "--colours": self.colours,
            "--contours": self.contours, "--barbs": self.barbs or None,
        }  # fmt: skip
        return [option for option, value in given.items() if value is not None]

    def at(self, time: int) -> "Choice":
        """The same choice at the frame with an index."""
        return replace(self, time=str(time))


def index(text: str, what: str, size: int, hint: str = "") -> int:
    """An index, which may count from the end. Raises UserError if it is out of range."""
    found = int(text)
    if not -size <= found < size:
        raise UserError(f"--{what} {text}: the index must be from 0 to {size - 1}.{hint}")
    return found % size


def is_index(text: str) -> bool:
    return re.fullmatch(r"[-+]?\d+", text) is not None


def time_index(history: xr.Dataset, text: str | None) -> int:
    """The index of the frame for `text`: "last", an index (-1 is the last), or the frame nearest to a model
    time ("36 h"), a date ("2007-01-24 18:00") or the first occurrence of a time of day ("06:00").

    Raises UserError for a time outside the run by more than half the interval between frames.
    """
    elapsed = history["elapsed"].values.astype(float)
    if text in (None, "last"):
        return len(elapsed) - 1
    assert text is not None
    if is_index(text):
        return index(text, "time", len(elapsed), ' A model time needs a unit: "36 h".')
    off = _off(history, elapsed, text)
    nearest = int(np.abs(off).argmin())
    reach = 0.5 * float(np.diff(elapsed).max()) if len(elapsed) > 1 else 1.0
    if abs(off[nearest]) > reach + 1e-6:
        first, last = (times.valid(history, float(elapsed[end])) for end in (0, -1))
        raise UserError(
            f"--time {text}: the frames range from {first} to {last}, "
            f"{times.in_words(elapsed[0])} to {times.in_words(elapsed[-1])} of the run."
        )
    return nearest


def _off(history: xr.Dataset, elapsed: Float, text: str) -> Float:
    """The distance of each frame from the requested time [s]."""
    clock = _CLOCK.fullmatch(text.strip())
    if clock:
        hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        begun = _start(history, text)
        of_day = elapsed + 3600 * begun.hour + 60 * begun.minute + begun.second
        wanted = 3600 * hours + 60 * minutes + seconds
        off: Float = (of_day - wanted + 43200) % 86400 - 43200
        return off
    try:
        date = datetime.fromisoformat(text.strip().replace("_", "T")).replace(tzinfo=None)
    except ValueError:
        pass
    else:
        begun = _start(history, text)
        wanted_date = clocks.parse(date.isoformat(), begun.calendar)
        if wanted_date is None:
            raise UserError(f"--time {text}: the run's calendar, {begun.calendar}, has no such day.")
        return elapsed - float((wanted_date - begun).total_seconds())
    try:
        return elapsed - quantity.parse(text, "time").value
    except ValueError:
        raise UserError(
            f'--time {text}: expected "last", an index, a model time such as "36 h", a time of day such as '
            '"06:00", or a date such as "2007-01-24 18:00".'
        ) from None


def _start(history: xr.Dataset, text: str) -> clocks.Moment:
    begun = times.start(history)
    if begun is None:
        raise UserError(
            f"--time {text}: neither Times nor the units of XTIME give the dates of the frames; choose a "
            'frame by its index or a model time such as "36 h".'
        )
    return begun


def frame(history: xr.Dataset, index: int, *names: str | None) -> xr.Dataset:
    """One frame, with the fields that are derived from it and the previous frame (0 for the first frame)."""
    found = history.isel(Time=index)
    both = history.isel(Time=slice(max(index - 1, 0), index + 1))
    for name in names:
        if name in diagnose.TABLE and diagnose.TABLE[name].over_time and name in diagnose.available(both):
            found = found.assign({name: _last(diagnose.field(both, name))})
    return found


def _last(field: xr.DataArray) -> xr.DataArray:
    """Of two frames, without its places, which a frame may have as variables."""
    return field.isel(Time=-1).fillna(0.0).reset_coords(drop=True)


def on_level(history: xr.Dataset, array: xr.DataArray, text: str | None) -> tuple[xr.DataArray, str]:
    """A field on the level given by `text`, and that level in words. `history` is one frame; the array is the
    field on layers."""
    if LEVEL not in array.dims:
        if level_of(array):
            own = at_level(history, array, text or "0")
            return own, str(own.attrs["level"])
        if text is not None:
            raise UserError(f"--level {text}: {array.name} has no levels.")
        return array, ""
    if text is None:
        return array.isel(bottom_top=0), "lowest level"
    if is_index(text):
        hint = f' A height or pressure needs a unit: "{text} m", "{text} hPa".'
        level = index(text, "level", array.sizes[LEVEL], hint)
        return array.isel(bottom_top=level), f"level {level}"
    try:
        asked = quantity.parse(text, "length", "pressure", "temperature")
    except ValueError as error:
        raise UserError(
            f"--level {text}: expected an index, a height, a pressure or a potential temperature: {error}."
        ) from None
    kinds: dict[str, Literal["height", "pressure", "theta"]]
    kinds = {"length": "height", "pressure": "pressure", "temperature": "theta"}
    kind = kinds[asked.kind]
    result = diagnose.field(history, str(array.name), diagnose.Surface(kind, asked.value))
    if result.isnull().all():
        coordinate = diagnose.field(history, kind)
        low, high = sorted(float(edge) / asked.factor for edge in (coordinate.min(), coordinate.max()))
        raise UserError(f"--level {text}: the layers lie between {low:.4g} and {high:.4g} {asked.unit}.")
    return result, f"{asked.value / asked.factor:g} {asked.unit}"


def level_of(array: xr.DataArray) -> str | None:
    """The vertical dimension of an array."""
    return next((str(dim) for dim in array.dims if dim in LEVELS), None)


def at_level(history: xr.Dataset, array: xr.DataArray, text: str) -> xr.DataArray:
    """An array on one of its own levels, given as an index or a value with its unit."""
    dimension = level_of(array)
    if dimension is None:
        raise UserError(f"--level {text}: {array.name} has no levels.")
    shown = LEVELS[dimension]
    if is_index(text):
        number = index(text, "level", array.sizes[dimension])
    elif not shown.kind:
        raise UserError(
            f"--level {text}: {array.name} is on model layers in this stream: choose a layer by its index."
        )
    else:
        number = _nearest(history[dimension].values, text, shown, shown.kind)
    words = f"level {number}"
    if shown.kind:
        words = f"{float(history[dimension].values[number]) * shown.factor:g} {shown.unit}"
    return array.isel({dimension: number}).assign_attrs(array.attrs, level=words)


def _nearest(levels: Float, text: str, shown: Vertical, kind: quantity.Kind) -> int:
    try:
        asked = quantity.parse(text, kind).value
    except ValueError as error:
        raise UserError(f"--level {text}: {error}.") from None
    number = int(np.abs(levels - asked).argmin())
    if abs(levels[number] - asked) > 1e-6 * abs(asked):
        known = ", ".join(f"{level * shown.factor:g}" for level in levels)
        raise UserError(f"--level {text}: the stream has {known} {shown.unit}.")
    return number


def unknown(what: str, name: str, known: list[str], lead: str) -> str:
    """The message for an unknown name."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"There is no {what} {name}.{hint} {lead}: {', '.join(known)}."
