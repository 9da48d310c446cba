"""The times of netCDF variables: dates of our calendar, or of a model's."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
import xarray as xr

from squall.prepare.sources.piece import fail

# Calendars of models, whose dates are taken as they are: 28 February 2020 is a date in each.
_MODELS = {"noleap", "365_day", "all_leap", "366_day", "360_day"}
_OURS = {"standard", "gregorian", "proleptic_gregorian"}
_ABSOLUTE = re.compile(r"day as %Y%m%d(\.%f)?", re.IGNORECASE)  # of CDO


@dataclass(frozen=True)
class Moment:
    """A time of a variable. place: the indices that pick it."""

    time: datetime | None  # UTC; None: it says none
    start: datetime | None  # of the forecast, where that is told apart
    place: dict[str, int]


def is_time(axis: xr.DataArray) -> bool:
    """Whether an axis holds times: dates of any calendar, or numbers that are called so."""
    standard = axis.attrs.get("standard_name", "")
    called = standard in ("time", "forecast_reference_time") or str(axis.name).lower() in (
        "time",
        "valid_time",
    )
    return np.issubdtype(axis.dtype, np.datetime64) or bool(calendar_of(axis)) or called


def calendar_of(axis: xr.DataArray) -> str:
    """The calendar of dates that numpy does not have, as xarray decodes them; empty: there are none."""
    if axis.dtype != object or not axis.size:
        return ""
    return str(getattr(axis.values.reshape(-1)[0], "calendar", ""))


def moments(dataset: xr.Dataset, variable: xr.DataArray, axes: dict[str, str], where: str) -> list[Moment]:
    """Each time of a variable; days that only a model's calendar has are left out. Raises UserError for a
    calendar whose dates are other days than ours."""
    kinds: tuple[str, ...] = ("time", "step")
    named = {kind: axes[kind] for kind in kinds if kind in axes}
    sizes = [variable.sizes[name] for name in named.values()]
    made = []
    for indices in np.ndindex(*sizes):
        place = dict(zip(named.values(), (int(n) for n in indices), strict=True))
        try:
            made.append(_moment(dataset, variable, place, named, where))
        except _NoSuchDayError:
            continue
    return made


def calendar(variable: xr.DataArray, axes: dict[str, str]) -> str:
    """The calendar of a variable's times where it is not ours."""
    for name in ("valid_time", axes.get("time", "time"), "time"):
        axis = variable.coords.get(name)
        if axis is not None and calendar_of(axis) not in ("", *_OURS):
            return calendar_of(axis)
    return ""


class _NoSuchDayError(Exception):
    """A day that a model's calendar has and ours has not: 30 February."""


def _moment(
    dataset: xr.Dataset, variable: xr.DataArray, place: dict[str, int], named: dict[str, str], where: str
) -> Moment:
    step = _step(dataset, variable, place, named.get("step"))
    for name in dict.fromkeys(("valid_time", named.get("time", "time"), "time")):
        axis = variable.coords.get(name)
        if axis is None or not is_time(axis):
            continue
        value = axis.isel({key: n for key, n in place.items() if key in axis.dims})
        if value.size != 1:
            continue
        found = _date(value.values.reshape(-1)[0], axis, where)
        if found is None:
            continue
        reference = name != "valid_time" and (
            "step" in named or axis.attrs.get("standard_name") == "forecast_reference_time"
        )
        if name == "valid_time" or not reference:
            return Moment(found, _start(variable, place, where, found, step), place)
        return Moment(found + (step or timedelta()), found, place)
    start = _time_of_ncl(variable)
    return Moment(start, None, place)


def _start(
    variable: xr.DataArray, place: dict[str, int], where: str, valid: datetime, step: timedelta | None
) -> datetime | None:
    """The start of the forecast, from its length or from a coordinate."""
    for name in ("forecast_reference_time", "time", "reftime", "reference_time"):
        axis = variable.coords.get(name)
        if axis is None or axis.attrs.get("standard_name") != "forecast_reference_time":
            continue
        value = axis.isel({key: n for key, n in place.items() if key in axis.dims})
        if value.size == 1:
            return _date(value.values.reshape(-1)[0], axis, where)
    return None if step is None else valid - step


def _step(
    dataset: xr.Dataset, variable: xr.DataArray, place: dict[str, int], name: str | None
) -> timedelta | None:
    """The length of a forecast: of the dimension of steps, or of a coordinate step that has one value."""
    axis = dataset[name] if name in dataset.variables else variable.coords.get("step")
    if axis is None:
        return None
    value = axis.isel({key: n for key, n in place.items() if key in axis.dims})
    if value.size != 1:
        return None
    one = value.values.reshape(-1)[0]
    if isinstance(one, np.timedelta64):
        return timedelta(seconds=float(one / np.timedelta64(1, "s")))
    units = str(axis.attrs.get("units", "hours")).lower()
    seconds = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}.get(units[:1])
    return None if seconds is None else timedelta(seconds=seconds * float(one))


def _date(value: object, axis: xr.DataArray, where: str) -> datetime | None:
    """A date to the nearest second; None if it is not a date."""
    if isinstance(value, np.datetime64):
        if np.isnat(value):
            return None
        made: datetime = (value + np.timedelta64(500, "ms")).astype("datetime64[s]").item()
        return made
    if hasattr(value, "calendar"):
        return _of_calendar(value, where)
    if _ABSOLUTE.match(str(axis.attrs.get("units", ""))):
        day = int(np.floor(np.float64(value)))  # type: ignore[arg-type]
        seconds = round((float(np.float64(value)) - day) * 86400)  # type: ignore[arg-type]
        try:
            return datetime.strptime(str(day), "%Y%m%d") + timedelta(seconds=seconds)
        except ValueError:
            return None
    return None


def _of_calendar(date, where: str) -> datetime:  # type: ignore[no-untyped-def]
    if date.calendar not in _MODELS | _OURS:
        raise fail(
            where,
            f"its calendar is {date.calendar!r}, whose dates differ from the standard calendar's: convert "
            f"its times (cdo setcalendar,standard)",
        )
    try:
        made = datetime(date.year, date.month, date.day, date.hour, date.minute, date.second)
    except ValueError:
        raise _NoSuchDayError from None
    return made + timedelta(seconds=round(date.microsecond / 1e6))


def _time_of_ncl(variable: xr.DataArray) -> datetime | None:
    try:
        start = datetime.strptime(str(variable.attrs.get("initial_time", "")), "%m/%d/%Y (%H:%M)")
        return start + timedelta(hours=float(np.ravel(variable.attrs.get("forecast_time", 0))[0]))
    except ValueError:
        return None
