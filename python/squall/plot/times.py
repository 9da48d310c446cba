"""Dates of charts, and model times in words. A frame is a history at one time."""

from datetime import datetime

import numpy as np
import xarray as xr

from squall.reader import clock
from squall.reader.clock import Moment


def start(frame: xr.Dataset) -> Moment | None:
    """The date of step 0, to the second; None if it is unknown."""
    told = frame["elapsed"].attrs
    if "start" not in told:  # made by hand, or by an earlier Squall
        return clock.parse(frame.attrs.get("START_DATE", ""))
    return clock.parse(told["start"], str(told.get("start_calendar", "proleptic_gregorian")))


def moment(frame: xr.Dataset, elapsed: float) -> np.datetime64 | None:
    """The calendar's time so many seconds after the start, for axes of dates."""
    begun = start(frame)
    if begun is None:
        return None
    try:
        return np.datetime64(clock.iso(clock.date_after(begun, elapsed)), "s")
    except ValueError:  # as 30 February of a calendar that has it
        return np.datetime64(clock.iso(begun), "s") + np.timedelta64(round(elapsed), "s")


def _date(moment: Moment) -> str:
    day = f"{moment.day} {moment.strftime('%b')} {moment.year:04d} {moment.strftime('%H:%M')} UTC"
    try:
        return f"{datetime(moment.year, moment.month, moment.day):%a} {day}"
    except ValueError:
        return day


def valid(history: xr.Dataset, elapsed: float) -> str:
    """The calendar's time so many seconds after the start; without one, the time since the start."""
    begun = start(history)
    if begun is None:
        return f"{in_words(elapsed)} after the start"
    return _date(clock.date_after(begun, elapsed))


def brief(frame: xr.Dataset) -> str:
    """Valid time and lead time of a frame."""
    elapsed = float(frame["elapsed"])
    if not elapsed or start(frame) is None:
        return headline(frame)
    return f"Valid {valid(frame, elapsed)} (+{in_words(elapsed)})"


def headline(frame: xr.Dataset) -> str:
    """Valid time, lead time and start of a frame."""
    elapsed, begun = float(frame["elapsed"]), start(frame)
    if begun is None:
        return f"{in_words(elapsed)} after the start (the file gives no date)"
    if elapsed == 0:
        return f"Valid {_date(begun)}, the start"
    return f"Valid {valid(frame, elapsed)} (+{in_words(elapsed)} from {_date(begun)})"


def in_words(seconds: float) -> str:
    """A model time in words: 900 s, 36 h, 4 d 12 h."""
    if seconds < 7200 and (seconds % 3600 or not seconds):
        return f"{seconds:g} s"
    if seconds < 172800 or seconds % 3600:
        return f"{seconds / 3600:g} h"
    days, hours = divmod(round(seconds / 3600), 24)
    return f"{days} d {hours} h" if hours else f"{days} d"
