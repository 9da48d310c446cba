"""The times of a history's frames, from XTIME, Times, or both, whichever program wrote it.

XTIME counts from the date in its units; Times holds the date of each frame. Files from other programs may
have only one of them, or unusable ones: WRF's input files have no XTIME, a restarted run has its own
START_DATE, and files that were cut, averaged or rewritten have lost attributes.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, TypeAlias

import cftime
import numpy as np

from squall.errors import UserError

Array = np.ndarray[Any, np.dtype[Any]]
Moment: TypeAlias = cftime.datetime
Values = tuple[Array, Mapping[str, Any]]  # of a variable: one for each frame, and its attributes

# Dimensions that frames lie along, the usual one first; and variables that may tell when they are.
DIMENSIONS = ("Time", "time", "XTIME", "xtime")
NAMES = ("XTIME", "xtime", "Time", "time", "Times")

_SECONDS = {
    "nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "millisecond": 1e-3, "msec": 1e-3,
    "seconds": 1.0, "second": 1.0, "secs": 1.0, "sec": 1.0, "s": 1.0,
    "minutes": 60.0, "minute": 60.0, "mins": 60.0, "min": 60.0,
    "hours": 3600.0, "hour": 3600.0, "hrs": 3600.0, "hr": 3600.0, "h": 3600.0,
    "days": 86400.0, "day": 86400.0, "d": 86400.0,
}  # fmt: skip
_DATE = re.compile(
    r"(\d{1,5})-(\d{1,2})-(\d{1,2})(?:[T_ ]+(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d*))?)?)?)?"
    r"\s*(?:Z|UTC|GMT|[+-]00:?00)?"
)
# Units that xarray reads as they are.
_PLAIN = re.compile(r"(second|minute|hour|day)s since \d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?Z?")
_USUAL = "proleptic_gregorian"
_UNWRITTEN = 1e30  # netCDF's fill value of a number is larger, no time of a run is


@dataclass(frozen=True)
class Clock:
    """seconds: of each frame since `start`, the calendar's time of step 0; NaN: a frame that was begun and
    not written. start: None where nothing tells a date. own: XTIME as it is in the file, and its attributes;
    None where there is none that says the same."""

    seconds: Array
    start: Moment | None
    own: Values | None = None

    def at(self, frames: Sequence[int]) -> "Clock":
        own = None if self.own is None else (self.own[0][list(frames)], self.own[1])
        return replace(self, seconds=self.seconds[list(frames)], own=own)

    def since(self, start: Moment | None) -> "Clock":
        """The same counted from another moment."""
        if start is None or self.start is None or start == self.start:
            return self
        try:
            off = (self.start - start).total_seconds()
        except (TypeError, ValueError):  # of another calendar
            off = (_in_calendar(self.start, start.calendar) - start).total_seconds()
        return Clock(np.round(self.seconds + off, 2), start)

    def dates(self) -> list[str]:
        """Of each frame in ISO 8601, to the second. Raises UserError where nothing tells."""
        if self.start is None:
            raise UserError(
                "the dates of its frames are unknown: neither Times nor the units of XTIME give them."
            )
        return [iso(date_after(self.start, float(seconds))) for seconds in self.seconds]

    def xtime(self) -> Values:
        """XTIME: as it is in the file, or what it would be."""
        if self.own is not None:
            return self.own
        told = {"long_name": "minutes since the start", "units": "minutes"}
        if self.start is not None:
            told["units"] += f" since {iso(self.start).replace('T', ' ')}"
            if self.start.calendar != _USUAL:
                told["calendar"] = self.start.calendar
        return self.seconds / 60, told


def iso(moment: Moment) -> str:
    return f"{moment.year:04d}-{moment.strftime('%m-%dT%H:%M:%S')}"


def date_after(start: Moment, seconds: float) -> Moment:
    """The calendar's time so many seconds after another, to the second."""
    return start + timedelta(seconds=round(seconds))


def parse(text: object, calendar: str = _USUAL) -> Moment | None:
    """A date as WRF and others write it, "2005-08-28_00:00:00" for example; None: it is none."""
    found = _DATE.fullmatch(str(text).strip(" \0\n\t"))
    if found is None:
        return None
    numbers = [int(part or 0) for part in found.groups()[:6]]
    microseconds = int((found[7] or "0").ljust(6, "0")[:6])
    try:
        return cftime.datetime(*numbers, microseconds, calendar=calendar, has_year_zero=True)
    except ValueError:  # no such month or day
        return None


def read(told: Mapping[str, Any], stored: Mapping[str, Values], frames: int) -> Clock:
    """The clock of a file of so many frames, with these global attributes and those of its variables NAMES
    that it has. Raises UserError where they do not tell when its frames are."""
    count, unit = _counted(stored)
    calendar = _calendar(count)
    dates = [parse(_text(row), calendar) for row in stored["Times"][0]] if "Times" in stored else []
    known = len(dates) == frames and any(date is not None for date in dates)
    if count is not None and unit is not None:
        clock = _by_xtime(count, unit, dates if known else [], told)
        if clock is not None:
            return clock
    if known:
        return _by_dates(dates, told)
    if count is not None and unit is None and len(count[0]) > 1:
        raise UserError(
            f'the units of XTIME, "{count[1].get("units")}", are not units of time, and it has no Times.'
        )
    if frames == 1:
        return Clock(np.zeros(1), None)
    raise UserError("the times of its frames are unknown: it has neither XTIME nor Times.")


def is_enough(count: Values) -> bool:
    """Whether a variable tells the date of every frame, so that Times is not needed."""
    units = str(count[1].get("units", ""))
    return bool(_PLAIN.fullmatch(units)) and parse(units.partition(" since ")[2]) is not None


def _counted(stored: Mapping[str, Values]) -> tuple[Values | None, float | None]:
    """What counts the time of the frames, and how many seconds its unit has; None: that is no unit."""
    for name in NAMES:
        if name in stored and name != "Times" and stored[name][0].dtype.kind in "fiu":
            units = str(stored[name][1].get("units", "")).strip()
            if name in ("XTIME", "xtime") or " since " in units:
                unit = units.partition(" ")[0].lower()
                return stored[name], _SECONDS.get(unit or "minutes")  # as WRF's is
    return None, None


def _calendar(count: Values | None) -> str:
    named = "" if count is None else str(count[1].get("calendar", "")).lower()
    # They do not differ since 1582, and no model's weather is older.
    if named in ("", "none", "standard", "gregorian"):
        return _USUAL
    try:
        cftime.datetime(2000, 1, 1, calendar=named)
    except ValueError:
        return _USUAL
    return named


def _text(row: Any) -> str:
    """A time of Times, which readers give as bytes, text or single characters."""
    if np.ndim(row) == 0:
        return row.decode(errors="replace") if isinstance(row, bytes) else str(row)
    return b"".join(np.asarray(row, "S1").ravel()).decode(errors="replace")


def _by_xtime(
    count: Values, unit: float, dates: list[Moment | None], told: Mapping[str, Any]
) -> Clock | None:
    """By XTIME, if it agrees with Times, but for the moment that it counts from."""
    values, attributes = count
    seconds = _written(values, attributes) * unit
    if np.isnan(seconds).all() and dates:
        return None
    units = str(attributes.get("units", ""))
    counted_from = parse(units.partition(" since ")[2], _calendar(count))
    pairs = [(s, date) for s, date in zip(seconds, dates, strict=False) if date is not None and s == s]
    if pairs:
        first = counted_from or pairs[0][1]
        off = np.array([(date - first).total_seconds() - s for s, date in pairs])
        # Times are whole seconds, and XTIME is a number of single precision.
        exact = max(1.0, float(_precision(values)) * unit)
        if np.ptp(off) > exact + 0.01:
            return None
        if counted_from is None or np.abs(off).max() > exact + 0.01:
            counted_from = date_after(first, float(off[0]))
            return Clock(np.round(seconds, 2), counted_from, _plain_number(count))
        if exact > 1.0:  # then Times are the better clock
            by_date = [np.nan if d is None else (d - first).total_seconds() for d in dates]
            seconds = np.where(np.isnan(by_date) | np.isnan(seconds), seconds, by_date)
    elif counted_from is None:
        counted_from = _start_in(told, None)
        return Clock(np.round(seconds, 2), counted_from, _plain_number(count))
    own = count if _PLAIN.fullmatch(units.strip()) else None
    return Clock(np.round(seconds, 2), counted_from, own)


def _plain_number(count: Values) -> Values | None:
    """XTIME that names no date stays the number that it is; one that names a wrong date does not."""
    return None if " since " in str(count[1].get("units", "")) else count


def _written(values: Array, attributes: Mapping[str, Any]) -> Array:
    """As numbers, with NaN for what was not written."""
    numbers = np.asarray(values, np.float64).copy()
    for name in ("_FillValue", "missing_value"):
        if name in attributes:
            numbers[np.asarray(values) == np.ravel(attributes[name])[0]] = np.nan
    if np.asarray(values).dtype.kind == "i":
        numbers[np.asarray(values) <= np.iinfo(np.asarray(values).dtype).min + 2] = np.nan
    numbers[~(np.abs(numbers) < _UNWRITTEN)] = np.nan
    return numbers


def _precision(values: Array) -> float:
    """Of the largest number."""
    if values.dtype.kind != "f":
        return 0.0
    written = values[np.isfinite(values) & (np.abs(values) < _UNWRITTEN)]
    return float(np.spacing(np.abs(written).max())) if len(written) else 0.0


def _by_dates(dates: list[Moment | None], told: Mapping[str, Any]) -> Clock:
    first = min(date for date in dates if date is not None)
    start = _start_in(told, first) or first
    seconds = [np.nan if date is None else (date - start).total_seconds() for date in dates]
    return Clock(np.round(np.array(seconds, float), 2), start)


def _start_in(told: Mapping[str, Any], first: Moment | None) -> Moment | None:
    """The start of the run by its attributes: not after its first frame."""
    for name in ("SIMULATION_START_DATE", "START_DATE"):
        start = parse(told.get(name, ""), _USUAL if first is None else first.calendar)
        if start is not None and (first is None or start <= first):
            return start
    return None


def _in_calendar(moment: Moment, calendar: str) -> Moment:
    found = parse(iso(moment), calendar)
    if found is None:
        raise UserError(f"{iso(moment)} does not exist in the calendar {calendar} of the other files.")
    return found
